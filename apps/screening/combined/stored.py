"""Gives screens again, as they were given, with what an officer has decided since."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.pagination import Paged
from apps.core.problems import NO_SUCH_ID, NotFound, Unavailable
from apps.core.rendering import Wire, render
from apps.review.actions import Resolution, resolution_of, resolutions_of
from apps.screening.combined.conclude import KIND
from apps.screening.models import Screen
from apps.screening.serializers.screen import ResolutionOut


class RecordUnproved(Unavailable):
    """The record of this screen is not proved to be as it was given: somebody altered it."""

    code, title = "record_unproved", "The stored screen cannot be given"


def stored(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Wire:
    """Return a stored answer of this caller; `resolution` once an officer has decided.

    Raises NotFound for an unknown id and for another owner's, RecordUnproved for a record that is
    not proved to be ours, whoever it names as its owner: what somebody wrote into the database is
    served to nobody. A BLOCKED screen never has a resolution, and nothing of the officers' reasons
    is in one (no tipping-off).
    """
    wanted: UUID = asked["screen_id"]
    held = list(Screen.objects.filter(screen_id=wanted))
    record = next(iter(proven(held)), None)
    if held and record is None:
        raise RecordUnproved("The record of this screen is altered: screen the party anew.")
    if record is None or record.owner != caller.ref or record.purged:
        raise NotFound(NO_SUCH_ID)
    body = Wire(record.data["response"])
    if record.decision == "FLAGGED":
        found = resolution_of(kind=KIND, ref=str(wanted))
        if found is not None:
            body["resolution"] = render(ResolutionOut, _resolution(found))
    return body


def listed(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's screens in short, newest first, with each resolution once decided.

    A time begins with its first moment and ends before its last. What is not proved to be ours is
    logged, left out and counted (`withheld`).
    """
    screens = Screen.objects.of(caller.ref)
    if asked.get("decision"):
        screens = screens.filter(decision=asked["decision"])
    if asked.get("reference"):
        screens = screens.referred(owner=caller.ref, reference=asked["reference"])
    if asked.get("screened_from"):
        screens = screens.filter(recorded_at__gte=asked["screened_from"])
    if asked.get("screened_until"):
        screens = screens.filter(recorded_at__lt=asked["screened_until"])
    return Paged(screens, show=_shorts)


def _shorts(page: Sequence[Screen]) -> list[dict[str, Any]]:
    """Return a page of screens without those that are not proved to be ours.

    One query gives all their resolutions.
    """
    found = proven(page)
    flagged = [str(one.screen_id) for one in found if one.decision == "FLAGGED"]
    resolved = resolutions_of(kind=KIND, refs=flagged)
    return [_short(one, resolved.get(str(one.screen_id))) for one in found]


def _short(record: Screen, resolved: Resolution | None) -> dict[str, Any]:
    values = {
        "screen_id": str(record.screen_id),
        "decision": record.decision,
        "risk_score": record.risk_score,
        "rules": [rule for rule in record.rules.split("; ") if rule],
        "reference": record.data.get("request", {}).get("reference", ""),
        "screened_at": record.recorded_at,
    }
    return values | ({"resolution": _resolution(resolved)} if resolved else {})


def _resolution(found: Resolution) -> dict[str, Any]:
    return {"outcome": found.outcome, "decided_at": found.decided_at}
