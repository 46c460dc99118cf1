"""What stands behind an entry of the SAR log about a re-screened party: its case and registration.

Named by config/sar.py.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KIND = "rescreen"


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open; one query."""
    case = _find_case(ref) if user.has_perm("review.view_case") else None
    if case is None:
        return []
    return [(f"Case {case.pk}", reverse("admin:review_case_change", args=[case.pk]))]


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words what became of the case; nobody was answered anything."""
    found = [("Answered", "Nobody asked: the party came up before the list changed")]
    case = _find_case(ref) if user.has_perm("review.view_case") else None
    if case is not None:
        verdict = load_verdicts([case.pk]).get(case.pk, Verdict())
        found.append((f"Case {case.pk}", verdict.done or "Not decided yet"))
    return found


def find_screened_at(ref: str) -> datetime | None:
    """Return when the party was held against the change; None where no case tells."""
    case = _find_case(ref)
    return case.opened_at if case else None


def _find_case(ref: str) -> Case | None:
    return Case.objects.filter(kind=KIND, ref=ref).first()
