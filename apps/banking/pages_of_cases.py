"""What stands behind the cases and SAR entries of the banking connector, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.banking.models import BankTransaction, Send
from apps.review.models import Case
from apps.sar.models import SarEntry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KINDS = ("bank_payment", "bank_send")
STATES = {
    "TAKEN": "To be sent",
    "HELD": "Waits for an officer",
    "STOPPED": "Not sent",
    "SENT": "Sent",
    "REFUSED": "The bank did not take it",
    "SEEN": "Told by the bank",
    "WAITING": "To be quoted",
    "ROUTED": "Routed",
    "HALTED": "Halted by checks",
    "SETTLED": "Settled",
    "EXPIRED": "Not executed in time",
}


def record_of(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the record that a case is about; it has none of its own yet."""
    return None


def pages_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    case = Case.objects.filter(kind__in=KINDS, ref=ref).values_list("pk", flat=True).first()
    if case is None or not user.has_perm("review.view_case"):
        return []
    return [(f"Case {case}", reverse("admin:review_case_change", args=[case]))]


def outcome_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how what an entry is about stands."""
    if not user.has_perm("review.view_case"):
        return []
    state = _state(ref)
    return [("At the bank", STATES.get(state, state))] if state else []


def _state(ref: str) -> str:
    number = ref.partition(".")[0]
    if number.isdigit():
        row = BankTransaction.objects.filter(pk=int(number)).first()
        return row.state if row else ""
    sent = Send.objects.filter(send_id=ref).first()
    return sent.state if sent else ""


def screened_at(ref: str) -> datetime | None:
    """Return when an outcome was screened: as it was entered."""
    found = SarEntry.objects.filter(kind__in=KINDS, ref=ref).order_by("pk").first()
    return found.recorded_at if found else None
