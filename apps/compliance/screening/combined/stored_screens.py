"""Return stored screens as they were answered, with what an officer has decided since."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps.backoffice.review.services import Resolution, load_resolution, load_resolutions
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.models import Screen
from apps.compliance.screening.serializers.screen import ResolutionOut
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.common.problems import NO_SUCH_ID, NotFound, Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class ScreenIntegrityError(Unavailable):
    """Integrity check failed for the record of this screen: it was altered."""

    code, title = "record_unproved", "Screen integrity check failed"


def load_stored_screen(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> RenderedAnswer:
    """Return a stored answer of this caller; `resolution` once an officer has decided.

    Raises NotFound for an unknown id or another owner's screen, and ScreenIntegrityError for a
    record that fails the integrity check.
    """
    screen_id: UUID = asked["screen_id"]
    screens = list(Screen.objects.filter(screen_id=screen_id))
    record = next(iter(filter_verified_records(screens)), None)
    # for any caller: the owner of an altered record is not known
    if screens and record is None:
        raise ScreenIntegrityError(
            "Integrity check failed for the record of this screen. Screen the party again."
        )
    # the same 404 for all three: whether another tenant has such a screen is not revealed
    if record is None or record.owner != caller.ref or record.purged:
        raise NotFound(NO_SUCH_ID)
    body = RenderedAnswer(record.data["response"])
    # never of a BLOCKED screen, and never with the officers' reasons: no tipping-off (DESIGN
    # section 4, 2.7)
    if record.decision == "FLAGGED":
        resolution = load_resolution(kind=KIND, ref=str(screen_id))
        if resolution is not None:
            body["resolution"] = render_answer(ResolutionOut, _serialize_resolution(resolution))
    return body


def list_caller_screens(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[Screen]:
    """Return the caller's screens, newest first."""
    return Screen.objects.of(caller.ref)


def serialize_screen_summaries(page: Sequence[Screen]) -> list[dict[str, Any]]:
    """Return a page of screens in short, with each resolution once decided.

    Records that fail the integrity check are logged and left out. One query for all resolutions.
    """
    screens = filter_verified_records(page)
    flagged = [str(screen.screen_id) for screen in screens if screen.decision == "FLAGGED"]
    resolved = load_resolutions(kind=KIND, refs=flagged)
    return [_serialize_summary(screen, resolved.get(str(screen.screen_id))) for screen in screens]


def _serialize_summary(record: Screen, resolved: Resolution | None) -> dict[str, Any]:
    values = {
        "screen_id": str(record.screen_id),
        "decision": record.decision,
        "risk_score": record.risk_score,
        "rules": [rule for rule in record.rules.split("; ") if rule],
        "reference": record.data.get("request", {}).get("reference", ""),
        "screened_at": record.recorded_at,
    }
    return values | ({"resolution": _serialize_resolution(resolved)} if resolved else {})


def _serialize_resolution(resolution: Resolution) -> dict[str, Any]:
    return {"outcome": resolution.outcome, "decided_at": resolution.decided_at}
