"""What the client of a screen was answered, and is told since, for the evidence of its case."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from apps.core.chain import proven
from apps.review.actions import resolution_of
from apps.screening.combined.conclude import KIND
from apps.screening.models import Screen
from apps.screening.pages.listing import DECISIONS

Row = dict[str, str]
GONE = "The payload of its record was purged: the verdict stays, the rest left."
STRANGE = "The record of the answer is not as it was written: it is served to nobody."
RESOLUTIONS = {"APPROVE": "approved", "REJECT": "rejected"}


def answer_of(ref: str) -> Sequence[Row]:
    """Return in words what the screen of a case answered its client; three queries at most."""
    held = list(Screen.objects.filter(screen_id=UUID(ref))) if _is_id(ref) else []
    if not held:
        return []
    if not proven(held):
        return [_row("Answer", STRANGE)]
    return list(_rows(held[0]))


def _rows(screen: Screen) -> Iterator[Row]:
    told = screen.data.get("response", {})
    person = ", a person is needed" if told.get("humanRequired") else ""
    yield _row("Verdict", f"{DECISIONS.get(screen.decision, screen.decision)}{person}")
    yield _row("Risk", f"{screen.risk_score} of 100")
    yield _row("Answered", f"{_moment(screen.recorded_at)}")
    if screen.purged:
        yield _row("Kept", GONE)
    yield _row("Client’s reference", told.get("reference") or "none given")
    yield _row("screenId", str(screen.screen_id))
    if found := resolution_of(kind=KIND, ref=str(screen.screen_id)):
        outcome = RESOLUTIONS.get(found.outcome, found.outcome)
        yield _row("Told since", f"{outcome}, decided {_moment(found.decided_at)}")


def _row(label: str, value: str) -> Row:
    return {"label": label, "value": value}


def _moment(at: datetime) -> str:
    return f"{at:%d %b %Y %H:%M:%S} UTC"


def _is_id(ref: str) -> bool:
    try:
        return bool(UUID(ref))
    except ValueError:
        return False
