"""How like is alike: the thresholds by which every look-up of a listed party is judged. Pure.

Specification: document 1 sections 2.6 and 2.7; DESIGN.md section 4. Scores are whole percents.
"""

from dataclasses import dataclass
from decimal import Decimal

BLOCK_SCORE = 70  # document 1 section 2.7, check rule 3; section 2.6: sanctionsMatches from 0.70
PARTIAL_SCORE = 45  # document 1 section 2.7, check rule 3; DESIGN section 4, 2.6: partial match
PEP_SCORE = 60  # document 1 section 2.7, check rule 4; section 2.6: pepMatches from 0.60


@dataclass(frozen=True, slots=True)
class Bound:
    """What holds a hit by name below a match: it counts at most `most`, and a human looks.

    The first five are lifted by a birth date to the day, a birth year with nationality, or the same
    address (`matching.lone.borne_out`).
    """

    code: str
    ref: str
    title: str
    most: int


MOST = BLOCK_SCORE - 1
BOUNDS = (
    Bound(
        "one_word",
        "D §4 What is compared with what, one word",
        "All that agrees is one common word: a name of persons, an everyday word, a trade, a "
        "place, two letters",
        MOST,
    ),
    Bound(
        "common_words",
        "D §4 What is compared with what, common words",
        "Two common words of a company agree, and one of the names has other words beside",
        MOST,
    ),
    Bound(
        "half_name",
        "D §4 What is compared with what, half a name",
        "A Korean or Chinese name has fewer syllables than the listed one",
        MOST,
    ),
    Bound(
        "business",
        "D §4 What is compared with what, business",
        "The name has a word of business and the listed party is a person",
        MOST,
    ),
    Bound(
        "craft",
        "D §4 What is compared with what, ship's name",
        "The name is only like that of a listed ship or aircraft, and no number says that it is it",
        MOST,
    ),
    Bound(
        "type",
        "D §4 What is compared with what, type",
        "The type of the party contradicts, or a ship or aircraft is not said to be one",
        MOST,
    ),
    Bound(
        "bounds",
        "D §4 What is compared with what, hard facts",
        "The birth year or an identifier of the same kind and country differs; 45 at least",
        MOST,
    ),
    Bound(
        "weak_alias",
        "D §4 What is compared with what, weak alias",
        "The list itself calls the name weak, and nothing else agrees",
        MOST,
    ),
)


def percent(score: float) -> int:
    """Return a score of 0..1 as whole percents, rounded down: 0.6999 does not reach 70."""
    return int(Decimal(str(round(score, 6))) * 100)
