"""A run over the parties that came up: slice by slice of the change, batch by batch of parties.

What a batch found, its cases, and how far the run is, is one transaction: a process that is killed
leaves whole batches, and the next goes on behind them. No case is opened twice, none is lost.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F

from apps.core.batches import chunks
from apps.ongoing.models import Rescreen, Stage
from apps.ongoing.rescreen import index as filing
from apps.ongoing.rescreen.changed import Change, slices
from apps.ongoing.rescreen.holding import Found, Held, candidates, held
from apps.ongoing.rescreen.opening import judged, open_for, tally
from apps.ongoing.rescreen.subjects import subject_of
from apps.watchlists.engine import Engine
from apps.watchlists.matching.index import MatchIndex
from apps.watchlists.models import Party

BATCH = 200  # parties that are looked up between two notes of how far it is
FEW = 2000  # so few parties are looked up one by one, without an index
MARGIN = timedelta(minutes=10)  # clocks, and answers that were on their way
Progress = Callable[[Rescreen], None]


class Overtaken(RuntimeError):
    """Another process goes on with the run."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a run stands on: the live lists, and the parties as they are filed."""

    lists: MatchIndex
    filed: filing.Filed | None
    said: Mapping[str, Any]
    holders: MatchIndex | None = None  # None: nobody known was ever checked for office holders


def ground(*, engine: Engine, now: datetime, progress: Callable[[int], None]) -> Ground:
    """Return what runs stand on; files the parties anew where too many are not yet."""
    lists = engine.sanctions
    filed = filing.newest(lists)
    if filing.newer(filed)[: _most_newer() + 1].count() > _most_newer():
        filing.file_all(lender=lists, now=now, progress=progress)
        filed = filing.newest(lists)
    published = {
        one.slug: one.published_at.isoformat() if one.published_at else None
        for one in engine.list_set.sources
    }
    said = {"versions": {"lists": engine.list_set.versions}, "published": published}
    checked = Party.objects.filter(known__pep=True).exists()
    return Ground(lists, filed, said, engine.pep if checked else None)


def _most_newer() -> int:
    return FEW if filing.newest_name() is None else filing.MOST_NEWER


def go_on(
    *, run: Rescreen, on: Ground, now: datetime, progress: Progress = lambda run: None
) -> Rescreen:
    """Hold all parties against what is left of a run, then let it wait or end.

    LATE are held who came up since the run was planned: a host may have screened them by the index
    before. Raises Overtaken where another process goes on with it.
    """
    late = run.stage == Stage.LATE
    for changes in slices(
        source=run.source, since=run.since, through=run.through, behind=run.entry
    ):
        with _held(run, changes, on) as entries:
            _slice(run, entries, changes, on, now, late=late, progress=progress)
    if late:
        run.ends(now=now)
    else:
        lag = timedelta(seconds=settings.INDEX_MAX_LAG_SECONDS)
        run.waits(until=(run.source.live_since or now) + lag + MARGIN)
    progress(run)
    return run


def _held(run: Rescreen, changes: list[Change], on: Ground) -> AbstractContextManager[Held]:
    return held(slug=run.source.slug, changes=changes, lender=on.lists, holders=on.holders)


def _slice(
    run: Rescreen,
    entries: Held,
    changes: list[Change],
    on: Ground,
    now: datetime,
    *,
    late: bool,
    progress: Progress,
) -> None:
    numbers = _numbers(run, changes, on, late=late) if entries.any else []
    for batch in chunks((one for one in numbers if one > run.party), BATCH):
        _batch(run, entries, batch, on, now)
        progress(run)
    immaterial = 0 if late else sum(not (one.material or one.of_holder) for one in changes)
    counted = {
        "candidates": F("candidates") + len(numbers),
        "immaterial": F("immaterial") + immaterial,
    }
    _moves(run, counted, entry=changes[-1].after.entity_id, party=0)


def _numbers(run: Rescreen, changes: list[Change], on: Ground, *, late: bool) -> list[int]:
    """Return the parties to look up, in order: whom the index gives, and whom it may lack."""
    if late:
        met = Party.objects.filter(first_seen__gte=run.planned_at - MARGIN)
        return list(met.order_by("pk").values_list("pk", flat=True))
    pep = on.holders is not None
    found = candidates(filed=on.filed, changes=changes, pep=pep) if on.filed else set()
    found.update(filing.newer(on.filed).values_list("pk", flat=True))
    return sorted(found)


def _batch(run: Rescreen, entries: Held, batch: list[int], on: Ground, now: datetime) -> None:
    rows = list(Party.objects.filter(pk__in=batch).order_by("pk"))
    looked = [(party, found) for party in rows if (found := _found(entries, party))]
    with transaction.atomic():
        _locked(run)
        opened, skipped = _judge(run, looked, on, now)
        counted = {
            "verified": F("verified") + len(rows),
            "opened": F("opened") + opened,
            "skipped": dict(Counter(run.skipped) + skipped),
        }
        _moves(run, counted, entry=run.entry, party=batch[-1])


def _found(entries: Held, party: Party) -> list[Found]:
    return entries.found(subject_of(party), pep=bool(party.known.get("pep")))


def _judge(
    run: Rescreen, looked: Iterable[tuple[Party, list[Found]]], on: Ground, now: datetime
) -> tuple[int, Counter[str]]:
    opened, skipped = 0, Counter[str]()
    for party, found in looked:
        rows = judged(party=party, found=found, now=now)
        skipped += tally(rows)
        opened += open_for(run=run, party=party, rows=rows, versions=on.said, now=now)
    return opened, skipped


def _locked(run: Rescreen) -> None:
    """Lock the run's row and insist that it stands where this process left it."""
    row = Rescreen.objects.select_for_update().get(pk=run.pk)
    if (row.entry, row.party, row.stage) != (run.entry, run.party, run.stage):
        raise Overtaken(f"run {run.pk} is gone on with by another process")


@transaction.atomic
def _moves(run: Rescreen, counted: dict[str, Any], *, entry: str, party: int) -> None:
    as_left = Rescreen.objects.filter(pk=run.pk, entry=run.entry, party=run.party, stage=run.stage)
    if not as_left.update(entry=entry, party=party, **counted):
        raise Overtaken(f"run {run.pk} is gone on with by another process")
    run.refresh_from_db(fields=["entry", "party", *counted])


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a run would come to: how many changes, candidates, and pairs by what holds of them."""

    entries: int
    candidates: int
    pairs: Counter[str]
    cases: int


def foresee(*, run: Rescreen, on: Ground, now: datetime) -> Iterator[Foreseen]:
    """Yield after each slice what a run would come to so far; nothing is written."""
    entries, looked, cases, pairs = 0, 0, 0, Counter[str]()
    for changes in slices(source=run.source, since=run.since, through=run.through):
        with _held(run, changes, on) as opened:
            numbers = _numbers(run, changes, on, late=False) if opened.any else []
            for batch in chunks(numbers, BATCH):
                for party in Party.objects.filter(pk__in=batch).order_by("pk"):
                    found = _found(opened, party)
                    rows = judged(party=party, found=found, now=now) if found else []
                    pairs.update(one.ruling.code for one in rows)
                    cases += any(one.ruling.opens for one in rows)
        entries, looked = entries + len(changes), looked + len(numbers)
        yield Foreseen(entries, looked, pairs, cases)
