"""Names held against the sanctions lists before money leaves."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE
from apps.watchlists.subjects import Subject

MOST = 10  # entries that are kept of a look


@dataclass(frozen=True, slots=True)
class Looked:
    """What the lists have of some names: the best score in per cent, and the entries found."""

    score: int
    entries: tuple[str, ...]
    datasets: tuple[str, ...]
    lists: str

    @property
    def listed(self) -> bool:
        """Whether a name is that of a listed party."""
        return self.score >= BLOCK_SCORE

    @property
    def near(self) -> bool:
        """Whether a name resembles that of a listed party, and is not it."""
        return PARTIAL_SCORE <= self.score < BLOCK_SCORE

    def recorded(self) -> dict[str, object]:
        """Return it as events keep it: whom the names are of is not repeated."""
        return {"score": self.score, "entries": list(self.entries), "lists": self.lists}


def look(names: Iterable[str], *, now: datetime) -> Looked:
    """Hold names against the lists; ListsUnavailable, ListsStale (503)."""
    engine = engines.current(now)
    found = [
        lookup.sanctions(engine=engine, subject=Subject(name=one)) for one in dict.fromkeys(names)
    ]
    matches = [match for one in found for match in one.matches]
    entries = dict.fromkeys(match.ref for match in matches)
    listed = {match.dataset for match in matches if match.score >= BLOCK_SCORE}
    score = max((one.score for one in found), default=0)
    return Looked(score, tuple(entries)[:MOST], tuple(sorted(listed)), engine.list_set.id)
