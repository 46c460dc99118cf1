"""The pages that stand behind the case of a settlement, and its states in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.services.settlement_case import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATE_LABELS = {
    "AWAITING_SETTLEMENT": "Awaiting settlement",
    "HELD": "Held for an officer",
    "RELEASED": "Released, to be sent again",
    "SETTLED": "Settled",
    "BLOCKED": "Blocked",
    "EXPIRED": "Expired",
}
TONES = {"SETTLED": "ok", "HELD": "warn", "RELEASED": "warn", "BLOCKED": "bad", "EXPIRED": "bad"}


def case_settlement_link(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the settlement that a case is about, for who may see settlements."""
    return _settlement_link(
        _settlement_of_ref(ref) if user.has_perm("settlement.view_settlement") else None
    )


def order_settlement_link(user: "User", order_id: str) -> tuple[str, str] | None:
    """Return the page of the settlement whose transfer is expected, for who may see it."""
    found = Settlement.objects.filter(order_id=order_id)
    return _settlement_link(found.first() if user.has_perm("settlement.view_settlement") else None)


def _settlement_link(row: Settlement | None) -> tuple[str, str] | None:
    if row is None:
        return None
    return "Its settlement", reverse("admin:settlement_settlement_change", args=[row.pk])


def sar_entry_links(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    found = []
    if (page := case_settlement_link(user, ref)) is not None:
        found.append(("The settlement", page[1]))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how a settlement stands and what became of its case."""
    found = []
    row = _settlement_of_ref(ref) if user.has_perm("settlement.view_settlement") else None
    if row is not None:
        found.append(("Settlement", STATE_LABELS.get(row.state, row.state)))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def first_screened_at(ref: str) -> datetime | None:
    """Return when the checks of a settlement were first made; None where no record tells."""
    row = _settlement_of_ref(ref)
    return row.asked_at if row else None


def _settlement_of_ref(ref: str) -> Settlement | None:
    return Settlement.objects.filter(settlement_id=ref.partition("/")[0]).first()


def _case_id_of_ref(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
