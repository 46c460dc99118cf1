"""The last run as requests read it: proved, young enough, and with a number; else no answer.

Each process looks for a newer run at most once a second, and puts an answer together once for each
run: what changes between is only whether it is late, and what was missed since.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.stability.models import RunNote, StabilityRun
from apps.stability.oracle.rules.decision import Row, State, decide, too_old
from apps.stability.oracle.rules.uptime import SLOT, Uptime, slot_of

LOOK_EVERY = 1.0  # seconds between looks at the ledger, per process
RETRY = 60.0  # seconds: the next run is due within ten minutes, and may be there at any moment


class OracleUnavailable(Unavailable):
    """There is no run, or the last one had too little to go by: there is no number."""

    code, title = "oracle_unavailable", "The oracle has no number"


class OracleStale(Unavailable):
    """The last run is too old to say whether it is safe to settle now."""

    code, title = "oracle_stale", "The oracle has not run for too long"


@dataclass(frozen=True, slots=True)
class Last:
    """A proved run with its payload, and what a model said of it."""

    run: StabilityRun
    told: dict[str, Any]
    note: RunNote | None

    def decided(self, now: datetime) -> Row:
        """Return the row of the decision table that holds at a moment."""
        assert self.run.points is not None and self.run.deviation_bps is not None
        age = now - self.run.recorded_at
        return decide(State(self.run.points, self.run.deviation_bps, age))

    def uptime(self, now: datetime) -> Uptime:
        """Return the uptime as of a moment."""
        return Uptime(self.run.slot, self.run.due, self.run.good).at(slot_of(now))


_held: dict[str, Any] = {"looked": float("-inf"), "found": None}


def last(now: datetime) -> Last:
    """Return the last run, at most one query a second and process.

    Raises OracleUnavailable where there is no run with a number, OracleStale where it is too old.
    """
    if time.monotonic() - _held["looked"] >= LOOK_EVERY:
        _held.update(found=_newest(_held["found"]), looked=time.monotonic())
    found: Last | None = _held["found"]
    if found is None:
        raise OracleUnavailable("The oracle has not run yet.", retry_after=RETRY)
    if too_old(now - found.run.recorded_at):
        raise OracleStale("The last run of the oracle is older than 30 minutes.", retry_after=RETRY)
    if found.run.score is None:
        why = found.told.get("fault") or "its record is gone"
        told = f"The last run of the oracle has no number: {why}"
        raise OracleUnavailable(told, retry_after=_next(now))
    return found


def _next(now: datetime) -> float:
    """Return the seconds until the next slot begins, in which there may be a number again."""
    return max(1.0, SLOT - now.timestamp() % SLOT)


def forget() -> None:
    """Look anew at the next call."""
    _held.update(looked=float("-inf"), found=None)


def _newest(held: Last | None) -> Last | None:
    """Return the newest run; the one that is held where it is that still."""
    row = StabilityRun.objects.select_related("note").order_by("-slot").first()
    if row is None:
        return None
    note = getattr(row, "note", None)
    if (
        held is not None
        and held.run.pk == row.pk
        and (note and note.pk) == (held.note and held.note.pk)
    ):
        return held
    if not proven([row]):
        # one that is not ours is no answer, and the one before it is not the last
        return Last(_without(row), {"fault": "it is not as it was written."}, None)
    return Last(row, row.data, note)


def _without(row: StabilityRun) -> StabilityRun:
    """Return a run that is not as it was written as one without a number."""
    row.score = row.deviation = None
    return row
