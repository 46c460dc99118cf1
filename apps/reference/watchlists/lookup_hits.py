"""A listed party as a look-up comes across it, before its evidence is put together."""

from dataclasses import dataclass

from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.matching.explanation import Explanation
from apps.reference.watchlists.matching.index import Hit, Query
from apps.reference.watchlists.matching.weak_agreement import WeakAgreement
from apps.reference.watchlists.namefield import NamePart


@dataclass(frozen=True, slots=True)
class LookupHit:
    """A hit, and what of the subject brought it: a part of a name, or an identifier.

    `printed` is the kind under which the list has the identifier, `doubt` why it may be another's.
    `thin` says why too little agreed, so that the hit was held down, which cost `cost`; `why` is
    the explanation of its name, where it was made already.
    """

    hit: Hit
    query: Query
    part: NamePart
    named: bool = True
    identifier: Identifier | None = None
    printed: str = ""
    doubt: str = ""
    thin: WeakAgreement | None = None
    cost: float = 0.0
    why: Explanation | None = None

    @property
    def rank(self) -> tuple[float, bool, bool]:
        """Rank hits: higher score, identifier before name, known type."""
        typed = self.query.known not in (None, "Unknown")
        return self.hit.score, self.identifier is not None, typed
