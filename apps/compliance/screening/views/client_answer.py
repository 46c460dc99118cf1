"""The answer that the client of a screen got, and its later updates, for the sheet of its case."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from apps.backoffice.review.services import load_resolution
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.models import Screen
from apps.compliance.screening.views.screen_list import DECISIONS
from apps.platform.common.uuids import parse_uuid
from apps.platform.ledger.verification.verified_reads import filter_verified_records

Row = dict[str, str]
PURGED_NOTE = "The payload of this record was purged. Only the verdict remains."
UNPROVEN_NOTE = "Integrity check failed for the record of the response. It is not served to anyone."
RESOLUTIONS = {"APPROVE": "approved", "REJECT": "rejected"}


def describe_client_answer(ref: str) -> Sequence[Row]:
    """Return in words what the screen of a case answered its client; three queries at most."""
    screens = list(Screen.objects.filter(screen_id=number)) if (number := parse_uuid(ref)) else []
    if not screens:
        return []
    if not filter_verified_records(screens):
        return [_labelled_row("Answer", UNPROVEN_NOTE)]
    return list(_answer_rows(screens[0]))


def _answer_rows(screen: Screen) -> Iterator[Row]:
    response = screen.data.get("response", {})
    person = ", review required" if response.get("humanRequired") else ""
    yield _labelled_row("Verdict", f"{DECISIONS.get(screen.decision, screen.decision)}{person}")
    yield _labelled_row("Risk", f"{screen.risk_score} of 100")
    yield _labelled_row("Answered", f"{_format_moment(screen.recorded_at)}")
    if screen.purged:
        yield _labelled_row("Kept", PURGED_NOTE)
    yield _labelled_row("Client’s reference", response.get("reference") or "none given")
    yield _labelled_row("screenId", str(screen.screen_id))
    if resolution := load_resolution(kind=KIND, ref=str(screen.screen_id)):
        outcome = RESOLUTIONS.get(resolution.outcome, resolution.outcome)
        yield _labelled_row(
            "Reported since", f"{outcome}, decided {_format_moment(resolution.decided_at)}"
        )


def _labelled_row(label: str, value: str) -> Row:
    return {"label": label, "value": value}


def _format_moment(at: datetime) -> str:
    return f"{at:%d %b %Y %H:%M:%S} UTC"
