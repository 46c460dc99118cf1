"""The thresholds and score limits of every look-up of a listed party. Pure.

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
    """A limit on a hit by name: it scores at most `most`, so it goes to review or is dropped.

    `by_consonants`, `by_sound`, `common_name`, `common_part`, `syllables`, `state_office` and
    `trade_words` are lifted by any other attribute that agrees: birth date, nationality or address;
    the others of `matching/weak_agreement.py` by a birth date to the day, a birth year with
    nationality, or the same address (`is_corroborated` there).
    """

    code: str
    ref: str
    title: str
    most: int


MOST = BLOCK_SCORE - 1
UNSEEN = PARTIAL_SCORE - 1  # by itself no reason for a review
BOUNDS = (
    ScoreBound(
        "one_word",
        "D §4 What is compared with what, one word",
        "The names share only one common word: a personal name, an everyday, trade or place word, "
        "or two letters; or one that differs by more than a typing error; or a personal name "
        "without the listed name's type of organisation; or a few letters next to a business word",
        MOST,
    ),
    ScoreBound(
        "common_words",
        "D §4 What is compared with what, common words",
        "Two common company words match, and one of the names has further words",
        MOST,
    ),
    ScoreBound(
        "trade_words",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Only trade, state and place words match, and one of the names has further words or spells "
        "one of them differently",
        MOST,
    ),
    ScoreBound(
        "cut_line",
        "D §4 What is compared with what, cut lines",
        "A line of 35 characters is the beginning of the listed name, and either the text goes on "
        "or the line has only trade, state and place words and legal forms",
        MOST,
    ),
    ScoreBound(
        "half_name",
        "D §4 What is compared with what, half a name",
        "A Korean or Chinese name has fewer syllables than the listed name, or another family name",
        UNSEEN,
    ),
    ScoreBound(
        "business",
        "D §4 What is compared with what, business",
        "The name has a business word or a legal form, and the listed party is a person",
        MOST,
    ),
    ScoreBound(
        "other_family",
        "D §4 What may end in BLOCKED, another family",
        "Common names match, and the family name is only similar to the listed one: it is a name "
        "itself, differs by more than a typing error, or both are Russian and differ by a letter",
        MOST,
    ),
    ScoreBound(
        "syllables",
        "D §4 What may end in BLOCKED, syllables",
        "A syllable of a Korean or Chinese given name is spelt differently from the listed name",
        MOST,
    ),
    ScoreBound(
        "persons_name",
        "D §4 What may end in BLOCKED, a person's name",
        "The name contains a common personal name and no business word, and is not the whole name "
        "of the listed organisation in the same order",
        MOST,
    ),
    ScoreBound(
        "other_body",
        "D §4 What may end in BLOCKED, another body",
        "The name of a listed organisation has one or two words, and the submitted name adds one "
        "that is not a legal form, a place or an abbreviation of it",
        MOST,
    ),
    ScoreBound(
        "by_consonants",
        "D §4 What may end in BLOCKED, by consonants",
        "One name is written without vowels, and the consonants match only in part or by a reading "
        "that is not how the name is spelt",
        UNSEEN,
    ),
    ScoreBound(
        "by_sound",
        "D §4 What may end in BLOCKED, by sound",
        "The names match only by sound or transliteration: no word matches as written",
        MOST,
    ),
    ScoreBound(
        "common_name",
        "D §4 What may end in BLOCKED, common name",
        "Only one common given name and one common family name match",
        MOST,
    ),
    ScoreBound(
        "common_part",
        "D §4 What may end in BLOCKED, common name",
        "Only one common given name and one common family name match, and a name has further ones, "
        "or one of the two is only similar to another common name or derived from it",
        UNSEEN,
    ),
    ScoreBound(
        "state_office",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "The name of a ministry matches in few words and without its country: every state has one",
        MOST,
    ),
    ScoreBound(
        "name_and_trade",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Apart from trade and place words one word matches, and two of these apply: it is a "
        "personal name, it is only similar to the listed one, the listed name has a further word",
        MOST,
    ),
    ScoreBound(
        "unlike_name",
        "D §4 What may end in BLOCKED, words of trade, state and place",
        "Only trade words match, and the word next to them differs by more than a typing error",
        UNSEEN,
    ),
    ScoreBound(
        "like_one_word",
        "D §4 What is compared with what, one word",
        "Only a short personal name matches, similar to a word of a listed organisation",
        UNSEEN,
    ),
    ScoreBound(
        "business_part",
        "D §4 What is compared with what, business",
        "The name of a business contains common personal names, and the listed person has further "
        "names",
        UNSEEN,
    ),
    ScoreBound(
        "body_in_characters",
        "D §4 What is compared with what, type",
        "The name in characters has a word for an organisation or business, and the listed party "
        "is a person whose name is not at its beginning",
        UNSEEN,
    ),
    ScoreBound(
        "craft",
        "D §4 What is compared with what, ship's name",
        "The name is only similar to that of a listed ship or aircraft, and no number confirms it",
        MOST,
    ),
    ScoreBound(
        "type",
        "D §4 What is compared with what, type",
        "The type differs, or a ship or aircraft is listed and the party is not stated to be one",
        MOST,
    ),
    ScoreBound(
        "bounds",
        "D §4 What is compared with what, hard facts",
        "The birth year, or an identifier of the same kind and country, differs; 45 at least",
        MOST,
    ),
    ScoreBound(
        "weak_alias",
        "D §4 What is compared with what, weak alias",
        "The list itself marks the name as weak, and nothing else matches",
        MOST,
    ),
)
MOST_OF = {bound.code: bound.most for bound in BOUNDS}


def to_whole_percent(score: float) -> int:
    """Return a score of 0..1 as whole percents, rounded down: 0.6999 does not reach 70."""
    # by way of text: as a binary float 0.29 times 100 is 28.99…, and would be 28
    return int(Decimal(str(round(score, 6))) * 100)
