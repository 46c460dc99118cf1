"""Compare the known type of a party with that of a listed one, and limit the score. Pure.

Every type is searched whatever a caller says: nothing that is said may hide a listed party. But a
ship does not lend its name to a person (decided in the design, "What is compared with what").
There the name must agree nearly wholly; between persons and organizations it is enough that it
would block, since a caller who calls a listed person a company must not get an approval for it.
"""

from dataclasses import dataclass

from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH, MATCH

CEILING = BELOW_MATCH
"""The highest score of a hit of another type: it goes to review."""
NEARLY_WHOLLY = 0.90
"""From this score of the name alone a vessel or aircraft counts where the party is none."""
WOULD_BLOCK = MATCH
"""From this score of the name alone any other type counts: saying one never lets a block pass."""
_KINDS: tuple[Schema, ...] = ("Person", "Organization", "Vessel", "Aircraft")
_CRAFT = frozenset({"Vessel", "Aircraft"})


@dataclass(frozen=True, slots=True)
class TypedScore:
    """A score after the types were held together; `why` is empty where they do not contradict."""

    score: float
    why: str


def is_type_conflict(*, known: Schema, listed: Schema) -> bool:
    """Return whether a party of type `known` (`Unknown`: not stated) cannot be a `listed` one.

    Where nothing is said a party is no vessel and no aircraft; a listed party of unknown type
    contradicts nothing.
    """
    if listed not in _KINDS:
        return False
    return listed in _CRAFT if known not in _KINDS else known != listed


def cap_score_by_type(*, score: float, known: Schema, listed: Schema) -> TypedScore:
    """Return a name's score (0..1), limited if the types conflict."""
    if not is_type_conflict(known=known, listed=listed):
        return TypedScore(score, "")
    about = f"is {_WORDS[known]}" if known in _KINDS else "is not stated to be one"
    why = f"The listed party is {_WORDS[listed]}; the screened one {about}."
    least = NEARLY_WHOLLY if listed in _CRAFT else WOULD_BLOCK
    return TypedScore(min(score, CEILING) if score >= least else 0.0, why)


_WORDS: dict[Schema, str] = {
    "Person": "a person",
    "Organization": "an organization",
    "Vessel": "a vessel",
    "Aircraft": "an aircraft",
}
