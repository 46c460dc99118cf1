"""Numbers in names of companies, however they are written: `II`, `two`, `2nd` are 2."""

import re
from collections.abc import Sequence

_ROMAN = {
    "ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9",
    "xi": "11", "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17",
    "xviii": "18", "xix": "19", "xx": "20",
}  # fmt: skip
_LAST_ROMAN = {"i": "1", "v": "5", "x": "10"}
_NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero", "one first", "two second", "three third", "four fourth", "five fifth",
            "six sixth", "seven seventh", "eight eighth", "nine ninth", "ten tenth",
            "eleven eleventh", "twelve twelfth", "thirteen", "fourteen", "fifteen", "sixteen",
            "seventeen", "eighteen", "nineteen", "twenty twentieth",
        )
    )
    for word in words.split()
}  # fmt: skip
_ORDINAL = re.compile(r"^(\d+)(st|nd|rd|th)$")


def is_roman_numeral(word: str) -> bool:
    """Return whether a folded word of more than one letter is a Roman number."""
    return word in _ROMAN


def normalize_numbers(words: Sequence[str]) -> list[str]:
    """Return the words with digits for Roman numbers, ordinals and words of numbers.

    A single letter is a Roman number at the end alone, behind another word.
    """
    found = []
    for position, word in enumerate(words):
        ordinal = _ORDINAL.match(word)
        number = ordinal.group(1) if ordinal else _ROMAN.get(word, _NUMBER_WORDS.get(word, word))
        # `I`, `V` and `X` are letters elsewhere (`V Trading`)
        last = position == len(words) - 1 and position > 0
        found.append(_LAST_ROMAN.get(number, number) if last else number)
    return found
