"""Screen all known parties against a change: slice by slice of entries, batch by batch of parties.

The cases of a batch and the progress of the run are one transaction: a process that is killed
leaves whole batches, and the next one continues after them. No case is opened twice, none is lost.
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

from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening import party_index
from apps.compliance.screening.rescreening.cases import open_rescreen_case, open_unchecked_case
from apps.compliance.screening.rescreening.entry_matcher import (
    OpenedEntries,
    PartyMatches,
    find_candidates,
    open_changed_entries,
)
from apps.compliance.screening.rescreening.judged_matches import count_unopened_pairs, judge_matches
from apps.compliance.screening.rescreening.list_changes import EntryChange, iterate_change_slices
from apps.compliance.screening.rescreening.subjects import build_subject
from apps.platform.common.batches import iter_chunks
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.models import Party

BATCH = 200  # parties that are looked up between two writes of the progress
FEW = 2000  # up to so many parties are looked up one by one, without an index
MARGIN = timedelta(minutes=10)  # clocks, and answers that were on their way
Progress = Callable[[Rescreen], None]


class RunTakenOver(RuntimeError):
    """Another process goes on with the run."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """The basis of a run: the live lists, and the index of the parties."""

    lists: MatchIndex
    filed: party_index.OpenedPartyIndex | None
    said: Mapping[str, Any]
    holders: MatchIndex | None = None  # None: no known party was ever screened for PEPs


def prepare_run_context(
    *, engine: Engine, now: datetime, progress: Callable[[int], None]
) -> RunContext:
    """Return the basis of runs; rebuild the index of parties if too many are missing."""
    lists = engine.sanctions
    filed = party_index.open_newest_index(lists)
    if (
        party_index.parties_missing_from_index(filed)[: _max_unindexed_parties() + 1].count()
        > _max_unindexed_parties()
    ):
        party_index.build_party_index(lender=lists, now=now, progress=progress)
        filed = party_index.open_newest_index(lists)
    published = {
        source.slug: source.published_at.isoformat() if source.published_at else None
        for source in engine.list_set.sources
    }
    versions = {"versions": {"lists": engine.list_set.versions}, "published": published}
    checked = Party.objects.filter(known__pep=True).exists()
    return RunContext(lists, filed, versions, engine.pep if checked else None)


def _max_unindexed_parties() -> int:
    return FEW if party_index.newest_index_path() is None else party_index.MOST_NEWER


def continue_run(
    *, run: Rescreen, on: RunContext, now: datetime, progress: Progress = lambda run: None
) -> Rescreen:
    """Screen all parties against the rest of a run, then let it wait or end.

    In the stage LATE only parties that came up since the run was planned are screened. Raises
    RunTakenOver where another process continues it.
    """
    late = run.stage == Stage.LATE
    for changes in iterate_change_slices(
        source=run.source, since=run.since, through=run.through, behind=run.entry
    ):
        with _open_entries(run, changes, on) as entries:
            numbers = _party_ids(run, changes, on, late=late) if entries.any else []
            # behind the last batch that was committed; `_save_progress` moves `run.party` on
            for batch in iter_chunks((number for number in numbers if number > run.party), BATCH):
                _screen_batch(run, entries, batch, on, now)
                progress(run)
            immaterial = (
                0 if late else sum(not (change.material or change.of_holder) for change in changes)
            )
            counted = {
                "candidates": F("candidates") + len(numbers),
                "immaterial": F("immaterial") + immaterial,
            }
            _save_progress(run, counted, entry=changes[-1].after.entity_id, party=0)
    if late:
        run.ends(now=now)
    else:
        # until every host must have the new index, some screen by the old one: their parties are
        # screened again in the stage LATE
        lag = timedelta(seconds=settings.INDEX_MAX_LAG_SECONDS)
        run.waits(until=(run.source.live_since or now) + lag + MARGIN)
    progress(run)
    return run


def _open_entries(
    run: Rescreen, changes: list[EntryChange], on: RunContext
) -> AbstractContextManager[OpenedEntries]:
    return open_changed_entries(
        slug=run.source.slug, changes=changes, lender=on.lists, holders=on.holders
    )


def _party_ids(
    run: Rescreen, changes: list[EntryChange], on: RunContext, *, late: bool
) -> list[int]:
    """Return the parties to look up, in order: whom the index gives, and whom it may lack."""
    if late:
        parties = Party.objects.filter(first_seen__gte=run.planned_at - MARGIN)
        return list(parties.order_by("pk").values_list("pk", flat=True))
    pep = on.holders is not None
    candidates = find_candidates(filed=on.filed, changes=changes, pep=pep) if on.filed else set()
    candidates.update(party_index.parties_missing_from_index(on.filed).values_list("pk", flat=True))
    return sorted(candidates)


def _screen_batch(
    run: Rescreen, entries: OpenedEntries, batch: list[int], on: RunContext, now: datetime
) -> None:
    rows = list(Party.objects.filter(pk__in=batch).order_by("pk"))
    # the comparison takes most of the time, and is done before the transaction begins
    matched = [(party, _match_party(entries, party)) for party in rows]
    with transaction.atomic():
        # lock the run's row and require that it is where this process left it
        row = Rescreen.objects.select_for_update().get(pk=run.pk)
        if (row.entry, row.party, row.stage) != (run.entry, run.party, run.stage):
            raise RunTakenOver(f"run {run.pk} is being continued by another process")
        opened, skipped = _open_cases_of_batch(run, matched, on, now)
        counted = {
            "verified": F("verified") + len(rows),
            "opened": F("opened") + opened,
            "skipped": dict(Counter(run.skipped) + skipped),
        }
        _save_progress(run, counted, entry=run.entry, party=batch[-1])


def _match_party(entries: OpenedEntries, party: Party) -> PartyMatches:
    return entries.found(build_subject(party), pep=bool(party.known.get("pep")))


def _open_cases_of_batch(
    run: Rescreen, matched: Iterable[tuple[Party, PartyMatches]], on: RunContext, now: datetime
) -> tuple[int, Counter[str]]:
    opened, skipped = 0, Counter[str]()
    for party, result in matched:
        if result.found:
            rows = judge_matches(party=party, entry_matches=result.found, now=now)
            skipped += count_unopened_pairs(rows)
            opened += open_rescreen_case(run=run, party=party, rows=rows, versions=on.said, now=now)
        if result.over_budget:
            opened += open_unchecked_case(run=run, party=party, versions=on.said, now=now)
    return opened, skipped


@transaction.atomic
def _save_progress(run: Rescreen, counted: dict[str, Any], *, entry: str, party: int) -> None:
    # compare-and-set: the position moves only from where this process left it
    as_left = Rescreen.objects.filter(pk=run.pk, entry=run.entry, party=run.party, stage=run.stage)
    if not as_left.update(entry=entry, party=party, **counted):
        raise RunTakenOver(f"run {run.pk} is being continued by another process")
    run.refresh_from_db(fields=["entry", "party", *counted])


@dataclass(frozen=True, slots=True)
class RunForecast:
    """What a run would come to: how many changes, candidates, and pairs by what holds of them."""

    entries: int
    candidates: int
    pairs: Counter[str]
    cases: int


def forecast_run(*, run: Rescreen, on: RunContext, now: datetime) -> Iterator[RunForecast]:
    """Yield after each slice what a run would come to so far; nothing is written."""
    entries, looked_up, cases, pairs = 0, 0, 0, Counter[str]()
    for changes in iterate_change_slices(source=run.source, since=run.since, through=run.through):
        with _open_entries(run, changes, on) as opened:
            numbers = _party_ids(run, changes, on, late=False) if opened.any else []
            for batch in iter_chunks(numbers, BATCH):
                for party in Party.objects.filter(pk__in=batch).order_by("pk"):
                    result = _match_party(opened, party)
                    entry_matches = result.found
                    rows = (
                        judge_matches(party=party, entry_matches=entry_matches, now=now)
                        if entry_matches
                        else []
                    )
                    pairs.update(row.ruling.code for row in rows)
                    cases += any(row.ruling.opens for row in rows) + result.over_budget
        entries, looked_up = entries + len(changes), looked_up + len(numbers)
        yield RunForecast(entries, looked_up, pairs, cases)
