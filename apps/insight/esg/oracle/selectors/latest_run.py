"""Load the last run for requests: verified, recent enough and with a score; otherwise no answer."""

from datetime import datetime

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.stability.oracle.rules.decision import TOO_OLD, is_too_old
from apps.insight.stability.oracle.rules.uptime import SLOT, Uptime, slot_of_moment
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

# seconds: the next run is due within ten minutes, and may be there at any moment
RETRY = 60.0


class ScoreUnavailable(Unavailable):
    """There is no run, or the last one produced no score or failed its integrity check."""

    code, title = "live_score_unavailable", "No live score"


class ScoreStale(Unavailable):
    """The last run is too old to be called live."""

    code, title = "live_score_stale", "The live score is too old"


def load_latest_run(*, now: datetime) -> EsgRun:
    """Return the last run; one query.

    Raises ScoreUnavailable if there is none, it has no score or it fails its integrity check, and
    ScoreStale if it is too old.
    """
    # the newest whatever its result: an older score would be served as live while the oracle fails
    run = EsgRun.objects.order_by("-slot").first()
    if run is None:
        raise ScoreUnavailable("The live score has not been computed yet.", retry_after=RETRY)
    if not filter_verified_records([run]):
        raise _build_unavailable("its integrity check failed.", now)
    if is_too_old(now - run.recorded_at):
        minutes = int(TOO_OLD.total_seconds()) // 60
        sentence = f"The last live score run is older than {minutes} minutes."
        raise ScoreStale(sentence, retry_after=RETRY)
    if run.points is None:
        raise _build_unavailable(run.data.get("fault") or "its record is missing", now)
    return run


def _build_unavailable(why: str, now: datetime) -> ScoreUnavailable:
    """Return the refusal; the next run is in the next slot."""
    # seconds until the next slot, never 0, which a client may take for "at once"
    left = max(1.0, SLOT - now.timestamp() % SLOT)
    return ScoreUnavailable(f"The last run produced no live score: {why}", retry_after=left)


def uptime_of_run(run: EsgRun, *, now: datetime) -> Uptime:
    """Return the uptime as of a moment, as the last run knows it."""
    return Uptime(run.slot, run.due, run.good).at(slot_of_moment(now))
