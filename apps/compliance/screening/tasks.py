"""Background work: screen parties against changes of lists, and index them for speed."""

import logging
from datetime import datetime, timedelta

from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening import due_runs, party_index, runner
from apps.platform.common import clock
from apps.platform.jobs import job_queue
from apps.platform.jobs.job_queue import RetryLater
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import locks
from apps.reference.watchlists.choices import RESCREEN
from apps.reference.watchlists.models import Party

WAKE = "review.wake_known"
MINUTE, SOON, AT_FIRST = timedelta(minutes=1), timedelta(seconds=30), timedelta(seconds=5)
FEW_NEWER = 1000  # from so many parties since the last build on, the index is built again
logger = logging.getLogger(__name__)


def rescreen_parties(key: str, now: datetime) -> None:
    """Screen all parties against the changes of the list `key`; without one, plan it for each list.

    Runs again while this host's index lacks the change, and once more when every host must have it.
    """
    if not key:
        for source in due_runs.list_screened_sources():
            job_queue.enqueue_job(job=RESCREEN, key=source.slug, now=now)
        return
    run = _find_or_plan_run(key, now)
    if run is None:
        return
    if run.stage == Stage.LATE and run.settles_at and run.settles_at > now:
        raise RetryLater(run.settles_at)
    try:
        engine = watchlist_engine.load_current_engine(now, need=())
    except watchlist_engine.ListsUnavailable:
        raise RetryLater(now + _index_retry_delay(run, now)) from None
    # the entries are matched with the word weights of this host's index: wait until it has them
    if engine.list_set.versions.get(run.source.slug, 0) < run.through:
        raise RetryLater(now + _index_retry_delay(run, now))
    try:
        with locks.hold_database_lock(f"rescreen-{key}"):
            on = runner.prepare_run_context(engine=engine, now=now, progress=lambda parties: None)
            # the clock again: the line above may have built the index of parties
            run = runner.continue_run(run=run, on=on, now=clock.now())
    except locks.AlreadyRunning:
        raise RetryLater(now + SOON) from None
    except Exception as error:
        run.went_wrong(f"{type(error).__name__}: {error}")
        raise
    if run.settles_at and run.stage == Stage.LATE:
        raise RetryLater(run.settles_at)
    # another version may have gone live in the meantime
    job_queue.enqueue_job(job=RESCREEN, key=key, now=now)


def _find_or_plan_run(slug: str, now: datetime) -> Rescreen | None:
    """Return the run of a list to go on with, begun now where the list changed; None if none."""
    for source in due_runs.list_screened_sources().filter(slug=slug):
        if standing := due_runs.find_unfinished_run(source):
            return standing
    for source, begins in due_runs.find_due_lists(slug):
        # known false positives whose entry changed or left end at once, before their parties are
        # screened
        job_queue.enqueue_job(job=WAKE, now=now)
        return due_runs.plan_run(source=source, begins=begins, now=now)
    return None


def _index_retry_delay(run: Rescreen, now: datetime) -> timedelta:
    """Return the delay until the next attempt: usually the index is there within seconds."""
    return AT_FIRST if now - run.planned_at < MINUTE else SOON


def refresh_party_index(key: str, now: datetime) -> None:
    """Rebuild the index of parties if many came up since, so that the next run starts at once."""
    if Party.objects.count() <= runner.FEW:
        return
    try:
        engine = watchlist_engine.load_current_engine(now, need=())
    except watchlist_engine.ListsUnavailable:
        return
    filed = party_index.open_newest_index(engine.sanctions)
    if (
        filed is None
        or party_index.parties_missing_from_index(filed)[: FEW_NEWER + 1].count() > FEW_NEWER
    ):
        party_index.build_party_index(lender=engine.sanctions, now=now)
