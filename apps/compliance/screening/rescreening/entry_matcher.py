"""Match parties with changed entries, by the look-up of a live screen.

The entries are indexed with the word weights of the live lists, so that each pair scores as it does
in a live screen. A second index has the same entries as they were before the change.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from apps.compliance.screening.rescreening.list_changes import EntryChange
from apps.compliance.screening.rescreening.party_index import OpenedPartyIndex
from apps.reference.watchlists import lookup
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET, screen_cpu_budget
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.matches import ListMatch, LookupResult
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex
from apps.reference.watchlists.matching.index_builder import build_index
from apps.reference.watchlists.subjects import Subject

MOST = 500  # entries that one name may find: all of a slice


class ListLookup(Protocol):
    """A look-up in an index of some parties of the lists (`watchlists/lookup.py`)."""

    def __call__(self, *, index: MatchIndex, subject: Subject, most: int) -> LookupResult: ...


@dataclass(frozen=True, slots=True)
class EntryMatch:
    """A changed entry that a party matches, with its score before (None: not listed then).

    From 45 %, or for a PEP (`holder`) from 60 %.
    """

    change: EntryChange
    match: ListMatch
    before: int | None
    holder: bool = False


@dataclass(frozen=True, slots=True)
class PartyMatches:
    """The matches of a party; `over_budget`: its names took too long and were compared in part.

    Unreadable names were reported by its first screen.
    """

    found: tuple[EntryMatch, ...] = ()
    over_budget: bool = False


@dataclass(frozen=True, slots=True)
class ChangedEntries:
    """Changed entries of sanctioned parties or PEPs, now and before the change."""

    now: MatchIndex
    before: MatchIndex
    changes: dict[str, tuple[EntryChange, bool]]  # and whether it was one before

    def found(self, subject: Subject, *, look: ListLookup, holder: bool) -> PartyMatches:
        """Return the changed entries that a look-up of a party finds, best first."""
        if not self.changes:
            return PartyMatches()
        looked_up = look(index=self.now, subject=subject, most=MOST)
        over_budget = OVER_BUDGET in looked_up.unread
        if not looked_up.matches:
            return PartyMatches((), over_budget)
        # the second look-up is only for matches whose entry was listed before
        was = any(self.changes[match.ref][1] for match in looked_up.matches)
        matches = look(index=self.before, subject=subject, most=MOST).matches if was else ()
        then = {match.ref: match.score for match in matches}
        entry_matches = (
            # listed before but not found then: it scored below the threshold, which counts as 0
            EntryMatch(change, match, then.get(match.ref, 0) if before else None, holder)
            for match in looked_up.matches
            for change, before in [self.changes[match.ref]]
        )
        return PartyMatches(tuple(entry_matches), over_budget)


@dataclass(frozen=True, slots=True)
class OpenedEntries:
    """Changed entries of a list, opened, by their key `list:id`."""

    sanctions: ChangedEntries
    holders: ChangedEntries

    @property
    def any(self) -> bool:
        """Whether there is anything that a party may be screened against."""
        return bool(self.sanctions.changes or self.holders.changes)

    def found(self, subject: Subject, *, pep: bool = False) -> PartyMatches:
        """Return the changed entries that match a party, including PEPs if `pep`."""
        with screen_cpu_budget():
            listed = self.sanctions.found(
                subject, look=lookup.match_sanctions_in_index, holder=False
            )
            # who was not screened for PEPs is not searched for them now
            if not pep:
                return listed
            office = self.holders.found(subject, look=lookup.match_peps_in_index, holder=True)
        return PartyMatches(
            (*listed.found, *office.found), listed.over_budget or office.over_budget
        )


@contextmanager
def open_changed_entries(
    *,
    slug: str,
    changes: Iterable[EntryChange],
    lender: MatchIndex,
    holders: MatchIndex | None = None,
) -> Iterator[OpenedEntries]:
    """Open changed entries of a list while parties are screened against them.

    `lender` and `holders` are the indexes of the live lists, with the weights of their words;
    without `holders` no party is screened for PEPs.
    """
    changes_by_ref = {f"{slug}:{change.after.entity_id}": change for change in changes}
    listed = {
        ref: (change, change.before) for ref, change in changes_by_ref.items() if change.material
    }
    offices = {
        ref: (change, change.office) for ref, change in changes_by_ref.items() if change.of_holder
    }
    with tempfile.TemporaryDirectory(prefix="rescreen-") as folder:
        yield OpenedEntries(
            _open_entries(slug, listed, Path(folder) / "sanctions", lender),
            _open_entries(
                slug, offices if holders else {}, Path(folder) / "pep", holders or lender
            ),
        )


def _open_entries(
    slug: str,
    changes_by_ref: Mapping[str, tuple[EntryChange, ListedEntity | None]],
    place: Path,
    lender: MatchIndex,
) -> ChangedEntries:
    place.mkdir()
    now = {ref: change.after for ref, (change, _) in changes_by_ref.items()}
    then = {ref: before for ref, (_, before) in changes_by_ref.items() if before}
    return ChangedEntries(
        _build_and_open_index(slug, now, place / "now", lender),
        _build_and_open_index(slug, then, place / "then", lender),
        {ref: (change, before is not None) for ref, (change, before) in changes_by_ref.items()},
    )


def _build_and_open_index(
    slug: str, entities: dict[str, ListedEntity], place: Path, lender: MatchIndex
) -> MatchIndex:
    build_index(
        entries=(IndexEntry(ref, slug, entity) for ref, entity in entities.items()),
        directory=place,
        lent=lambda group, token: lender.weights.facts(token=token, group=group),
    )
    return MatchIndex.open(place, lender=lender)


def find_candidates(
    *, filed: OpenedPartyIndex, changes: Iterable[EntryChange], pep: bool = False
) -> set[int]:
    """Return the numbers of parties that may match one of these entries.

    With `pep` PEPs too: parties that were not screened for PEPs are skipped later.
    """
    party_numbers: set[int] = set(filed.apart)
    for change in changes:
        if change.material or (pep and change.of_holder):
            positions = filed.index.askers(change.after, cutoffs=filed.cutoffs)
            party_numbers.update(filed.numbers[sorted(positions)].tolist())
    return party_numbers
