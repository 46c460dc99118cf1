"""Pages behind a re-screened party's entry in the SAR log: its case and registration.

Registered with the SAR log in apps.py.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from apps.backoffice.review.case_pages import list_case_outcomes, list_case_pages
from apps.backoffice.review.models import Case
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.screening.rescreening.cases import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that a user may open; one query."""
    return list_case_pages(Case.objects.filter(kind=KIND, ref=ref), user)


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how the case ended; no client received an answer."""
    answered = ("Answered", "Automatic: the party was known before the list changed")
    return [answered, *list_case_outcomes(Case.objects.filter(kind=KIND, ref=ref), user)]


def find_screened_at(ref: str) -> datetime | None:
    """Return when the party was screened against the change; None if no case tells."""
    case = Case.objects.filter(kind=KIND, ref=ref)
    return case.values_list("opened_at", flat=True).first()


SAR_RECORDS = {
    "rescreen": RecordType(
        title="Re-screen",
        pages=list_related_pages,
        outcome=describe_case_outcome,
        screened_at=find_screened_at,
    ),
}
