"""Foreign names in Greek letters: two of them write a sound for which Greek has no letter. Pure.

Letter by letter `Μπασάρ` is Mpasar and `Ραμζάν Καντίροφ` Kantiroph. At the head of a word the pairs
are always one sound; within one Greeks write their own names with them too (`Αντώνης` is Antonis),
so that this is a second reading beside that by letters.
"""

import re
import unicodedata

from rigour.text import ascii_text

_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_SOUNDS = (
    ("ντζ", "j"), ("τζ", "j"), ("τσ", "ch"), ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("γγ", "ng"),
    ("ου", "u"), ("αυ", "av"), ("ευ", "ev"), ("αι", "e"), ("ει", "i"), ("οι", "i"), ("χ", "h"),
    ("φ", "f"), ("υ", "y"), ("η", "i"), ("ω", "o"), ("β", "v"), ("ξ", "x"), ("ψ", "ps"),
    ("θ", "th"),
)  # fmt: skip
_SOFT = re.compile(r"\bγ(?=[ειυη])")  # `Γεβγκένι`: Yevgeni


def has_greek_letters(text: str) -> bool:
    """Return whether a text has Greek letters."""
    return _GREEK.search(text) is not None


def transcribe_greek(text: str) -> str:
    """Return a text in Greek letters as a foreign name sounds, in Latin ones."""
    plain = unicodedata.normalize("NFD", text.lower())
    apart = plain.replace("\u0308", "'")  # `αϊ` is two sounds
    bare = "".join(one for one in apart if not unicodedata.combining(one)).replace("ς", "σ")
    bare = _SOFT.sub("y", bare)
    for written, sound in _SOUNDS:
        bare = bare.replace(written, sound)
    return (ascii_text(bare) or "").replace("'", "").title()
