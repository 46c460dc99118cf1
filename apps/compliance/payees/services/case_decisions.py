"""What a decision on a registration's case does, and how a registration ends."""

from datetime import datetime
from typing import TYPE_CHECKING

from apps.backoffice.review.models import UNDECIDED, Case
from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.selectors.registrations import lock_active_registration
from apps.compliance.payees.services.refused_additions import REFUSED, remove_additions
from apps.compliance.payees.services.registration_cases import CONTEST, KIND

if TYPE_CHECKING:
    from django.db.models import QuerySet


def apply_registration_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Keep or end a registration as an officer decided, in the same transaction.

    Rejected: the wallet is deactivated, or only the additions are removed if the reason says so.
    Approved: the review ends once no other case of the registration is open. A registration that
    has ended in the meantime is left unchanged.
    """
    # 0 is no id: the case of a refused submission is about no registration
    pk = parse_case_registration(ref) or 0
    row = lock_active_registration(pk=pk)
    if row is None:
        return
    payload = {"case": ref}
    refused = Case.objects.filter(kind=KIND, ref=ref, reason_code=REFUSED).first()
    if outcome == "REJECT" and refused is not None:
        remove_additions(row, refused)
        _end_review_if_last(row, ref)
        # CLEARED lets matches pass that officers have seen: not while another case is open
        action = Action.CHANGED if row.under_review else Action.CLEARED
        payload["reason"] = "The additions are removed."
        RegistrationEvent.keep(row, action, now=now, payload=payload)
    elif outcome == "REJECT":
        row.end(now=now)
        RegistrationEvent.keep(row, Action.DEACTIVATED, now=now, payload=payload)
    # approved, and other cases are open: nothing changes until the last is decided
    elif row.under_review and _end_review_if_last(row, ref):
        RegistrationEvent.keep(row, Action.CLEARED, now=now, payload=payload)


def end_listed_registration(*, pk: int, case: str, now: datetime) -> None:
    """End a registration whose party was found to be listed; no effect on an ended one."""
    if (row := lock_active_registration(pk=pk)) is not None:
        row.end(now=now)
        RegistrationEvent.keep(row, Action.DEACTIVATED, now=now, payload={"case": case})


def _end_review_if_last(row: Registration, ref: str) -> bool:
    """End the review of a registration once no case of it but this one is open."""
    last = not _open_cases(row).exclude(ref=ref).exists()
    if last:
        row.clear()
    return last


def parse_case_registration(ref: str) -> int | None:
    """Return which registration the reference of a case is about; of a refused one, None."""
    number, dot, _ = ref.removeprefix(f"{CONTEST}.").partition(".")
    return int(number) if dot and number.isascii() and number.isdigit() else None


def _open_cases(row: Registration) -> "QuerySet[Case]":
    """Return the cases that keep a registration under review."""
    # with the point, else registration 12 would have the cases of 123
    cases = Case.objects.filter(kind=KIND, ref__startswith=f"{row.pk}.")
    return cases.filter(status__in=UNDECIDED)
