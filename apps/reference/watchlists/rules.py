"""How like is alike: the thresholds by which every look-up of a listed party is judged. Pure.

Specification: document 1 sections 2.6 and 2.7; DESIGN.md section 4. Scores are whole percents.
"""

from dataclasses import dataclass
from decimal import Decimal

BLOCK_SCORE = 70  # document 1 section 2.7, check rule 3; section 2.6: sanctionsMatches from 0.70
PARTIAL_SCORE = 45  # document 1 section 2.7, check rule 3; DESIGN section 4, 2.6: partial match
PEP_SCORE = 60  # document 1 section 2.7, check rule 4; section 2.6: pepMatches from 0.60


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """What holds a hit by name down: it counts at most `most`, so that a human looks, or nobody.

    `by_consonants`, `by_sound`, `common_name` and `common_part` are lifted by whatever agrees
    beside the name: birth date, nationality or address; the others of
    `matching/weak_agreement.py` by a birth
    date to the day, a birth year with nationality, or the same address
    (`is_corroborated` there).
    """

    code: str
    ref: str
    title: str
    most: int


MOST = BLOCK_SCORE - 1
UNSEEN = PARTIAL_SCORE - 1  # by itself no reason to look
BOUNDS = (
    ScoreBound(
        "one_word",
        "D §4 What is compared with what, one word",
        "All that agrees is one common word: a name of persons, an everyday word, a trade, a "
        "place, two letters",
        MOST,
    ),
    ScoreBound(
        "common_words",
        "D §4 What is compared with what, common words",
        "Two common words of a company agree, and one of the names has other words beside",
        MOST,
    ),
    ScoreBound(
        "trade_words",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Only words of trade, state and place agree, and one of the names has other words beside "
        "or spells one of them otherwise",
        MOST,
    ),
    ScoreBound(
        "cut_line",
        "D §4 What is compared with what, cut lines",
        "A line of 35 characters is the beginning of the listed name, and either goes on or holds "
        "nothing but words of trade, state and place, and legal forms",
        MOST,
    ),
    ScoreBound(
        "half_name",
        "D §4 What is compared with what, half a name",
        "A Korean or Chinese name has fewer syllables than the listed one, or another family name",
        UNSEEN,
    ),
    ScoreBound(
        "business",
        "D §4 What is compared with what, business",
        "The name has a word of business or a legal form, and the listed party is a person",
        MOST,
    ),
    ScoreBound(
        "by_consonants",
        "D §4 What may end in BLOCKED, by consonants",
        "One name is written without vowels, and their consonants agree in part or by a reading "
        "that is not how the name is spelt",
        UNSEEN,
    ),
    ScoreBound(
        "by_sound",
        "D §4 What may end in BLOCKED, by sound",
        "The names agree by sound or transliteration alone: no word does as it is written",
        MOST,
    ),
    ScoreBound(
        "common_name",
        "D §4 What may end in BLOCKED, common name",
        "All that agrees is one given name and one family name that many people bear",
        MOST,
    ),
    ScoreBound(
        "common_part",
        "D §4 What may end in BLOCKED, common name",
        "All that agrees is one given name and one family name that many people bear, and a name "
        "has others beside, or one of them is only like another common name or formed from it",
        UNSEEN,
    ),
    ScoreBound(
        "craft",
        "D §4 What is compared with what, ship's name",
        "The name is only like that of a listed ship or aircraft, and no number says that it is it",
        MOST,
    ),
    ScoreBound(
        "type",
        "D §4 What is compared with what, type",
        "The type of the party contradicts, or a ship or aircraft is not said to be one",
        MOST,
    ),
    ScoreBound(
        "bounds",
        "D §4 What is compared with what, hard facts",
        "The birth year or an identifier of the same kind and country differs; 45 at least",
        MOST,
    ),
    ScoreBound(
        "weak_alias",
        "D §4 What is compared with what, weak alias",
        "The list itself calls the name weak, and nothing else agrees",
        MOST,
    ),
)
MOST_OF = {bound.code: bound.most for bound in BOUNDS}


def to_whole_percent(score: float) -> int:
    """Return a score of 0..1 as whole percents, rounded down: 0.6999 does not reach 70."""
    return int(Decimal(str(round(score, 6))) * 100)
