"""Holds parties against changed entries: the real look-up, with these entries for a list.

The entries are filed with the weights of the live lists, so that each pair scores as it does in a
live screen; beside them the same entries as they were before.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from apps.ongoing.rescreen.changed import Change
from apps.ongoing.rescreen.index import Filed
from apps.watchlists import lookup
from apps.watchlists.found import Match
from apps.watchlists.matching.build import build
from apps.watchlists.matching.index import Entry, MatchIndex
from apps.watchlists.subjects import Subject
from apps.watchlists.values import ListedEntity

MOST = 500  # entries that one name may find: all of a slice


class Look(Protocol):
    """A look-up in an index of some parties of the lists (`apps/watchlists/lookup.py`)."""

    def __call__(self, *, index: MatchIndex, subject: Subject, most: int) -> tuple[Match, ...]: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A changed entry that a party matches, and how much it did before (None: it was no such).

    At 45 % or more, and as an office holder (`holder`) at 60 %.
    """

    change: Change
    match: Match
    before: int | None
    holder: bool = False


@dataclass(frozen=True, slots=True)
class Entries:
    """Changed entries of sanctioned parties, or of office holders: as they are and as they were."""

    now: MatchIndex
    before: MatchIndex
    changes: dict[str, tuple[Change, bool]]  # and whether it was one before

    def found(self, subject: Subject, *, look: Look, holder: bool) -> list[Found]:
        """Return the changed entries that a look-up of a party finds, best first."""
        matches = look(index=self.now, subject=subject, most=MOST) if self.changes else ()
        if not matches:
            return []
        was = any(self.changes[one.ref][1] for one in matches)
        held = look(index=self.before, subject=subject, most=MOST) if was else ()
        then = {one.ref: one.score for one in held}
        return [
            Found(change, one, then.get(one.ref, 0) if before else None, holder)
            for one in matches
            for change, before in [self.changes[one.ref]]
        ]


@dataclass(frozen=True, slots=True)
class Held:
    """Changed entries of a list, opened, by their key `list:id`."""

    sanctions: Entries
    holders: Entries

    @property
    def any(self) -> bool:
        """Whether there is anything that a party may be held against."""
        return bool(self.sanctions.changes or self.holders.changes)

    def found(self, subject: Subject, *, pep: bool = False) -> list[Found]:
        """Return the changed entries that a check of a party finds; office holders where `pep`."""
        found = self.sanctions.found(subject, look=lookup.matches, holder=False)
        if pep:
            found += self.holders.found(subject, look=lookup.holder_matches, holder=True)
        return found


@contextmanager
def held(
    *,
    slug: str,
    changes: Iterable[Change],
    lender: MatchIndex,
    holders: MatchIndex | None = None,
) -> Iterator[Held]:
    """Open changed entries of a list for as long as they are held against parties.

    `lender` and `holders` are the indexes of the live lists, with the weights of their words;
    without `holders` nobody is held against office holders.
    """
    given = {f"{slug}:{one.after.entity_id}": one for one in changes}
    listed = {ref: (one, one.before) for ref, one in given.items() if one.material}
    offices = {ref: (one, one.office) for ref, one in given.items() if one.of_holder}
    with tempfile.TemporaryDirectory(prefix="rescreen-") as folder:
        yield Held(
            _entries(slug, listed, Path(folder) / "sanctions", lender),
            _entries(slug, offices if holders else {}, Path(folder) / "pep", holders or lender),
        )


def _entries(
    slug: str,
    given: Mapping[str, tuple[Change, ListedEntity | None]],
    place: Path,
    lender: MatchIndex,
) -> Entries:
    place.mkdir()
    now = {ref: one.after for ref, (one, _) in given.items()}
    then = {ref: before for ref, (_, before) in given.items() if before}
    return Entries(
        _opened(slug, now, place / "now", lender),
        _opened(slug, then, place / "then", lender),
        {ref: (one, before is not None) for ref, (one, before) in given.items()},
    )


def _opened(
    slug: str, entities: dict[str, ListedEntity], place: Path, lender: MatchIndex
) -> MatchIndex:
    build(
        entries=(Entry(ref, slug, entity) for ref, entity in entities.items()),
        directory=place,
        lent=lambda group, token: lender.weights.facts(token=token, group=group),
    )
    return MatchIndex.open(place, lender=lender)


def candidates(*, filed: Filed, changes: Iterable[Change], pep: bool = False) -> set[int]:
    """Return the numbers of parties whose check may find one of these entries.

    Where `pep`, office holders too: who was not checked for them is passed over later.
    """
    found: set[int] = set(filed.apart)
    for one in changes:
        if one.material or (pep and one.of_holder):
            positions = filed.index.askers(one.after, cutoffs=filed.cutoffs)
            found.update(filed.numbers[sorted(positions)].tolist())
    return found
