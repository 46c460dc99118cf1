"""How like is alike: the thresholds by which every look-up of a listed party is judged. Pure.

Specification: document 1 sections 2.6 and 2.7; DESIGN.md section 4. Scores are whole percents.
"""

from dataclasses import dataclass
from decimal import Decimal

BLOCK_SCORE = 70  # document 1 section 2.7, check rule 3; section 2.6: sanctionsMatches from 0.70
PARTIAL_SCORE = 45  # document 1 section 2.7, check rule 3; DESIGN section 4, 2.6: partial match
PEP_SCORE = 60  # document 1 section 2.7, check rule 4; section 2.6: pepMatches from 0.60
PARTIAL_RANGE = f"{PARTIAL_SCORE}-{BLOCK_SCORE - 1}%"  # as sentences write it


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """What holds a hit by name down: it counts at most `most`, so that a human looks, or nobody.

    `by_consonants`, `by_sound`, `common_name`, `common_part`, `syllables`, `state_office` and
    `trade_words` are lifted by whatever agrees beside the name: birth date, nationality or address;
    the others of `matching/weak_agreement.py` by a birth date to the day, a birth year with
    nationality, or the same address (`is_corroborated` there).
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
        "place, two letters; or one that differs by more than a slip, or a name of people "
        "without the kind of body that the list has, or a few letters beside a word of business",
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
        "other_family",
        "D §4 What may end in BLOCKED, another family",
        "Names that many people bear agree, and the family name is only like the listed one: it is "
        "a name itself, or differs by more than a slip, or in a letter of two Russian ones",
        MOST,
    ),
    ScoreBound(
        "syllables",
        "D §4 What may end in BLOCKED, syllables",
        "A syllable of a Korean or Chinese given name is not spelt as the listed one is",
        MOST,
    ),
    ScoreBound(
        "persons_name",
        "D §4 What may end in BLOCKED, a person's name",
        "The name has one that many people bear and no word of business, and is not the whole name "
        "of the listed body in its order",
        MOST,
    ),
    ScoreBound(
        "other_body",
        "D §4 What may end in BLOCKED, another body",
        "The name is that of a listed body, one or two words, with a further word beside that is "
        "no legal form, place or abbreviation of it",
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
        "state_office",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "The name of a ministry agrees, by few words and without its country: every state has one",
        MOST,
    ),
    ScoreBound(
        "name_and_trade",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Beside words of trade and place one word agrees, and two of these hold: it is a name of "
        "people, it is only like the listed one, the listed name has another word beside",
        MOST,
    ),
    ScoreBound(
        "unlike_name",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Only words of trade agree, and the word beside them differs by more than a slip",
        UNSEEN,
    ),
    ScoreBound(
        "like_one_word",
        "D §4 What is compared with what, one word",
        "All that agrees is a short name of people that is only like a word of a listed body",
        UNSEEN,
    ),
    ScoreBound(
        "business_part",
        "D §4 What is compared with what, business",
        "The name of a business has names that many people bear, and the listed person has others "
        "beside them",
        UNSEEN,
    ),
    ScoreBound(
        "body_in_characters",
        "D §4 What is compared with what, type",
        "The name in characters has a word of a body or business, and the listed party is a "
        "person whose name does not begin it",
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
