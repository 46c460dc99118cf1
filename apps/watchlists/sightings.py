"""A listed party as a look-up comes across it, before its evidence is put together."""

from dataclasses import dataclass

from apps.watchlists.matching.index import Hit, Query
from apps.watchlists.matching.lone import Thin
from apps.watchlists.namefield import Part
from apps.watchlists.values import Identifier


@dataclass(frozen=True, slots=True)
class Sighting:
    """A hit, and what of the subject brought it: a part of a name, or an identifier.

    `printed` is the kind under which the list has the identifier, `doubt` why it may be another's.
    `thin` says why too little agreed, so that the hit was held below a match, which cost `cost`.
    """

    hit: Hit
    query: Query
    part: Part
    named: bool = True
    identifier: Identifier | None = None
    printed: str = ""
    doubt: str = ""
    thin: Thin | None = None
    cost: float = 0.0

    @property
    def rank(self) -> tuple[float, bool, bool]:
        """What is better: the higher score, an identifier before a name, a type that is known."""
        typed = self.query.known not in (None, "Unknown")
        return self.hit.score, self.identifier is not None, typed
