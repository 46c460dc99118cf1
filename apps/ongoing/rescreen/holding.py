"""Holds parties against changed entries: the real look-up, with these entries for a list.

The entries are filed with the weights of the live lists, so that each pair scores as it does in a
live screen; beside them the same entries as they were before.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apps.ongoing.rescreen.changed import Change
from apps.ongoing.rescreen.index import Filed
from apps.watchlists import lookup
from apps.watchlists.found import Match
from apps.watchlists.matching.build import build
from apps.watchlists.matching.index import Entry, MatchIndex
from apps.watchlists.subjects import Subject
from apps.watchlists.values import ListedEntity

MOST = 500  # entries that one name may find: all of a slice


@dataclass(frozen=True, slots=True)
class Found:
    """A changed entry that a party matches at 45 % or more, and how much it did before."""

    change: Change
    match: Match
    before: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """Changed entries, opened: as they are and as they were, by their key `list:id`."""

    changes: dict[str, Change]
    now: MatchIndex
    before: MatchIndex

    def found(self, subject: Subject) -> list[Found]:
        """Return the changed entries that a look-up of a party finds, best first."""
        matches = lookup.matches(index=self.now, subject=subject, most=MOST)
        if not matches:
            return []
        then = self._before(subject) if any(self.changes[m.ref].before for m in matches) else {}
        return [
            Found(change, one, then.get(one.ref, 0) if change.before else None)
            for one in matches
            for change in [self.changes[one.ref]]
        ]

    def _before(self, subject: Subject) -> dict[str, int]:
        found = lookup.matches(index=self.before, subject=subject, most=MOST)
        return {one.ref: one.score for one in found}


@contextmanager
def held(*, slug: str, changes: Iterable[Change], lender: MatchIndex) -> Iterator[Held]:
    """Open changed entries of a list for as long as they are held against parties."""
    material = {f"{slug}:{one.after.entity_id}": one for one in changes if one.material}
    with tempfile.TemporaryDirectory(prefix="rescreen-") as folder:
        now = {ref: one.after for ref, one in material.items()}
        then = {ref: one.before for ref, one in material.items() if one.before}
        yield Held(
            material,
            _opened(slug, now, Path(folder) / "now", lender),
            _opened(slug, then, Path(folder) / "then", lender),
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


def candidates(*, filed: Filed, changes: Iterable[Change]) -> set[int]:
    """Return the numbers of parties whose look-up may find one of these entries."""
    found: set[int] = set(filed.apart)
    for one in changes:
        if one.material:
            positions = filed.index.askers(one.after, cutoffs=filed.cutoffs)
            found.update(filed.numbers[sorted(positions)].tolist())
    return found
