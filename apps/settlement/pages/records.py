"""The pages that stand behind the case of a settlement, and its states in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.review.models import Case
from apps.review.verdicts import Verdict, verdicts
from apps.settlement.models import Settlement
from apps.settlement.reviewing import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATES = {
    "AWAITING_SETTLEMENT": "Awaiting settlement",
    "HELD": "Held for an officer",
    "RELEASED": "Released, to be sent again",
    "SETTLED": "Settled",
    "BLOCKED": "Blocked",
    "EXPIRED": "Expired",
}
TONES = {"SETTLED": "ok", "HELD": "warn", "RELEASED": "warn", "BLOCKED": "bad", "EXPIRED": "bad"}


def record_of(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the settlement that a case is about, for who may see settlements."""
    return _page(_settlement(ref) if user.has_perm("settlement.view_settlement") else None)


def record_of_order(user: "User", order_id: str) -> tuple[str, str] | None:
    """Return the page of the settlement whose transfer is expected, for who may see it."""
    found = Settlement.objects.filter(order_id=order_id)
    return _page(found.first() if user.has_perm("settlement.view_settlement") else None)


def _page(row: Settlement | None) -> tuple[str, str] | None:
    if row is None:
        return None
    return "Its settlement", reverse("admin:settlement_settlement_change", args=[row.pk])


def pages_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    found = []
    if (page := record_of(user, ref)) is not None:
        found.append(("The settlement", page[1]))
    if user.has_perm("review.view_case") and (case := _case(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def outcome_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how a settlement stands and what became of its case."""
    found = []
    row = _settlement(ref) if user.has_perm("settlement.view_settlement") else None
    if row is not None:
        found.append(("Settlement", STATES.get(row.state, row.state)))
    if user.has_perm("review.view_case") and (case := _case(ref)):
        verdict = verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def screened_at(ref: str) -> datetime | None:
    """Return when the checks of a settlement were first made; None where no record tells."""
    row = _settlement(ref)
    return row.asked_at if row else None


def _settlement(ref: str) -> Settlement | None:
    return Settlement.objects.filter(settlement_id=ref.partition("/")[0]).first()


def _case(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
