"""Background work: hold parties against what changed, and file them so that this is quick."""

import logging
from datetime import datetime, timedelta

from apps.core import jobs
from apps.core.clock import now as present
from apps.core.jobs import Again
from apps.ongoing.models import Rescreen, Stage
from apps.ongoing.rescreen import index as filing
from apps.ongoing.rescreen import planning, running
from apps.watchlists import engine as engines
from apps.watchlists import locks
from apps.watchlists.engine import Engine
from apps.watchlists.models import Party
from apps.watchlists.words import RESCREEN

WAKE = "review.wake_known"
MINUTE, SOON, AT_FIRST = timedelta(minutes=1), timedelta(seconds=30), timedelta(seconds=5)
FEW_NEWER = 1000  # parties since the last filing that are worth another
logger = logging.getLogger(__name__)


def rescreen(key: str, now: datetime) -> None:
    """Hold all parties against what changed of the list `key`; without one, plan for each list.

    Comes again while this host's index has not the change yet, and once more when every host must
    have it. What no longer holds of an entry that changed or left is woken at once.
    """
    if not key:
        for source in planning.sources():
            jobs.enqueue(job=RESCREEN, key=source.slug, now=now)
        return
    run = _run(key, now)
    if run is None:
        return
    if run.stage == Stage.LATE and run.settles_at and run.settles_at > now:
        raise Again(run.settles_at)
    engine = _engine(run, now)
    try:
        with locks.one_at_a_time(f"rescreen-{key}"):
            on = running.ground(engine=engine, now=now, progress=lambda parties: None)
            run = running.go_on(run=run, on=on, now=present())
    except locks.Busy:
        raise Again(now + SOON) from None
    except Exception as error:
        run.went_wrong(f"{type(error).__name__}: {error}")
        raise
    if run.settles_at and run.stage == Stage.LATE:
        raise Again(run.settles_at)
    jobs.enqueue(job=RESCREEN, key=key, now=now)  # another version may have gone live meanwhile


def _run(slug: str, now: datetime) -> Rescreen | None:
    """Return the run of a list to go on with, begun now where the list changed; None if none."""
    for source in planning.sources().filter(slug=slug):
        if standing := planning.unfinished(source):
            return standing
    for source, begins in planning.due(slug):
        jobs.enqueue(job=WAKE, now=now)
        return planning.planned(source=source, begins=begins, now=now)
    return None


def _engine(run: Rescreen, now: datetime) -> Engine:
    """Return the engine of this host once it has the change; else comes again."""
    try:
        engine = engines.current(now, need=())
    except engines.ListsUnavailable:
        raise Again(now + _until_indexed(run, now)) from None
    if engine.list_set.versions.get(run.source.slug, 0) < run.through:
        raise Again(now + _until_indexed(run, now))
    return engine


def _until_indexed(run: Rescreen, now: datetime) -> timedelta:
    """Return when to look again: an index is there within seconds, or something is wrong."""
    return AT_FIRST if now - run.planned_at < MINUTE else SOON


def file_parties(key: str, now: datetime) -> None:
    """File the parties anew where many came up since, so that the next change is held quickly."""
    if Party.objects.count() <= running.FEW:
        return
    try:
        engine = engines.current(now, need=())
    except engines.ListsUnavailable:
        return
    filed = filing.newest(engine.sanctions)
    if filed is None or filing.newer(filed)[: FEW_NEWER + 1].count() > FEW_NEWER:
        filing.file_all(lender=engine.sanctions, now=now)
