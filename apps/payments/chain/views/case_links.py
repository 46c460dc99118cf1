"""The pages that stand behind the case of an expected transfer, and its states in words."""

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.urls import reverse
from django.utils.module_loading import import_string

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts
from apps.payments.chain.cases import KIND
from apps.payments.chain.models import Order
from config.chain import RECORDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATE_LABELS = {
    "OPEN": "No transfer seen",
    "SEEN": "Looked for",
    "CONFIRMING": "Confirming",
    "FINAL": "Final",
    "EXPIRED": "Expected no more",
    "CONFLICT": "Unclear",
}
TONES = {"FINAL": "ok", "CONFIRMING": "info", "CONFLICT": "bad", "EXPIRED": "warn"}


def case_order_link(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the order that a case is about, for who may see orders."""
    row = _order_of_ref(ref) if user.has_perm("chain.view_order") else None
    if row is None:
        return None
    return "Its expected transfer", reverse("admin:chain_order_change", args=[row.pk])


def order_purpose_link(order: Order, user: "User") -> tuple[str, str] | None:
    """Return the page of what an order settles, for who may see it."""
    path = RECORDS.get(order.about)
    found: tuple[str, str] | None = import_string(path)(user, str(order.order_id)) if path else None
    return found


def sar_entry_links(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    found = []
    if (page := case_order_link(user, ref)) is not None:
        found.append(("The expected transfer", page[1]))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how an order stands and what became of its case."""
    found = []
    row = _order_of_ref(ref) if user.has_perm("chain.view_order") else None
    if row is not None:
        found.append(("Expected transfer", STATE_LABELS.get(row.state, row.state)))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def first_screened_at(ref: str) -> datetime | None:
    """Return when the transfer was first expected; None where no record tells."""
    row = _order_of_ref(ref)
    return row.opened_at if row else None


def _order_of_ref(ref: str) -> Order | None:
    try:
        number = UUID(ref.partition("/")[0])
    except ValueError:
        return None
    return Order.objects.filter(order_id=number).first()


def _case_id_of_ref(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
