"""Pages behind a screen's entry in the SAR log: the screen and its case.

Registered with the SAR log in apps.py.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.case_pages import list_case_outcomes, list_case_pages
from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.recorded_decisions import Verdict
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.compliance.screening.models import Screen
from apps.compliance.screening.views.screen_list import DECISIONS
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk.time_formats import format_moment
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages of a screen that a user may open; two queries."""
    related_pages = []
    if user.has_perm("screening.view_screen") and (screen_id := parse_uuid(ref)):
        pk = Screen.objects.filter(screen_id=screen_id).values_list("pk", flat=True).first()
        if pk is not None:
            related_pages.append(
                ("The screen", reverse("admin:screening_screen_change", args=[pk]))
            )
    return related_pages + list_case_pages(Case.objects.filter(kind=KIND, ref=ref), user)


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words the result of a screen and the decision of its case; four queries.

    Limited to what the reader may open, and to what is recorded of the case.
    """
    lines = []
    if user.has_perm("screening.view_screen") and (screen_id := parse_uuid(ref)):
        for screen in filter_verified_records(Screen.objects.filter(screen_id=screen_id)):
            lines.append(
                (
                    "Answered",
                    f"{DECISIONS[screen.decision]} on {format_moment(screen.recorded_at)}",
                )
            )
    cases = Case.objects.filter(kind=KIND, ref=ref)
    return lines + list_case_outcomes(cases, user, _describe_decision)


def find_screened_at(ref: str) -> datetime | None:
    """Return when a screen was made, by its record; None where no proven one is."""
    screen_id = parse_uuid(ref)
    # an altered or inserted row must not tell officers another time
    screens = (
        filter_verified_records(Screen.objects.filter(screen_id=screen_id)) if screen_id else []
    )
    return screens[0].recorded_at if screens else None


def _describe_decision(verdict: Verdict) -> str:
    if verdict.outcome and verdict.decided_at:
        who = " and ".join(filter(None, (verdict.first, verdict.second)))
        return f"{verdict.done} on {format_moment(verdict.decided_at)} by {who}: {verdict.reason}"
    waits = f"; first decision by {verdict.first}" if verdict.first else ""
    return f"Not decided yet{waits}"


SAR_RECORDS = {
    "screen": RecordType(
        title="Screen",
        pages=list_related_pages,
        outcome=describe_case_outcome,
        screened_at=find_screened_at,
        sentence=format_for_officers,
    ),
}
