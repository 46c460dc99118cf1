"""Load the last run for requests: verified, recent enough and with a score; else no answer.

Each process checks for a newer run at most once a second, and builds an answer once per run: only
whether it is late, and the slots missed since, change in between.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle.rules.decision import (
    DecisionRow,
    RunState,
    decide_status,
    is_too_old,
)
from apps.insight.stability.oracle.rules.uptime import SLOT, Uptime, slot_of_moment
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

# seconds between reads of the ledger, per process
LOOK_EVERY = 1.0
# seconds: the next run is due within ten minutes, and may be there at any moment
RETRY = 60.0


class OracleUnavailable(Unavailable):
    """There is no run, or the last one had too little data for a score."""

    code, title = "oracle_unavailable", "No score from the oracle"


class OracleStale(Unavailable):
    """The last run is too old to say whether it is safe to settle now."""

    code, title = "oracle_stale", "The last oracle run is too old"


@dataclass(frozen=True, slots=True)
class LatestRun:
    """A verified run with its payload, and a model's note on it."""

    run: StabilityRun
    payload: dict[str, Any]
    note: RunNote | None

    def decided(self, now: datetime) -> DecisionRow:
        """Return the row of the decision table that holds at a moment."""
        row = decision_at_age(self.run, age=now - self.run.recorded_at)
        # load_latest_run() returns no run without a score
        assert row is not None
        return row

    def uptime(self, now: datetime) -> Uptime:
        """Return the uptime as of a moment."""
        return Uptime(self.run.slot, self.run.due, self.run.good).at(slot_of_moment(now))


def decision_at_age(run: StabilityRun, *, age: timedelta) -> DecisionRow | None:
    """Return the row of the decision table that holds of a run of an age; None without a number."""
    score, deviation, coverage = run.points, run.deviation_bps, run.weight_in_age
    if score is None or deviation is None or coverage is None:
        return None
    return decide_status(RunState(score, deviation, age, coverage))


_latest_run_cache: dict[str, Any] = {"looked": float("-inf"), "found": None}


def load_latest_run(now: datetime) -> LatestRun:
    """Return the last run, at most one query a second and process.

    Raises OracleUnavailable if there is no run with a score, OracleStale if it is too old.
    """
    # monotonic: a clock that is set back must not keep an old run for longer
    if time.monotonic() - _latest_run_cache["looked"] >= LOOK_EVERY:
        _latest_run_cache.update(
            found=_load_newest_run(_latest_run_cache["found"]), looked=time.monotonic()
        )
    latest_run: LatestRun | None = _latest_run_cache["found"]
    if latest_run is None:
        raise OracleUnavailable("The oracle has not run yet.", retry_after=RETRY)
    if is_too_old(now - latest_run.run.recorded_at):
        raise OracleStale("The oracle's last run is older than 30 minutes.", retry_after=RETRY)
    if latest_run.run.score is None:
        why = latest_run.payload.get("fault") or "its record is missing"
        text = f"The oracle's last run has no score: {why}"
        raise OracleUnavailable(text, retry_after=max(1.0, SLOT - now.timestamp() % SLOT))
    return latest_run


def forget_latest_run() -> None:
    """Clear the cache, so that the next call reads the run again."""
    _latest_run_cache.update(looked=float("-inf"), found=None)


def _load_newest_run(latest_run: LatestRun | None) -> LatestRun | None:
    """Return the newest run: the cached one if it still is the newest."""
    row = StabilityRun.objects.select_related("note").order_by("-slot").first()
    if row is None:
        return None
    note = getattr(row, "note", None)
    if (
        latest_run is not None
        and latest_run.run.pk == row.pk
        # a note is written some seconds after its run
        and (note and note.pk) == (latest_run.note and latest_run.note.pk)
    ):
        return latest_run
    if not filter_verified_records([row]):
        # neither a forged run nor the one before it may answer: whoever can write the database
        # could otherwise choose an older, calmer run
        row.score = row.deviation = row.coverage = None
        return LatestRun(row, {"fault": "it failed its integrity check."}, None)
    return LatestRun(row, row.data, note)
