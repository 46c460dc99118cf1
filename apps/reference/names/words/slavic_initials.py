"""Initials as Slavic names have them: one letter there is up to four in Latin script (`Yu.`)."""

import re

_LETTERS = {
    "Ю": "y", "Я": "y", "Ё": "y", "Й": "y", "Ї": "y", "Є": "y", "Ж": "z", "Ц": "c", "Ч": "c",
    "Х": "h", "Ш": "s", "Щ": "s",
}  # fmt: skip
_SEVERAL = {
    "yu": "y", "iu": "y", "ju": "y", "ya": "y", "ia": "y", "ja": "y", "ye": "y", "ie": "y",
    "je": "y", "yo": "y", "zh": "z", "ts": "c", "tz": "c", "ch": "c", "kh": "h", "sh": "s",
    "shch": "s", "sch": "s",
}  # fmt: skip
_LONE = re.compile(rf"(?<!\w)[{''.join(_LETTERS)}](?!\w)", re.IGNORECASE)
_POINTED = re.compile(rf"(?<!\w)({'|'.join(_SEVERAL)})\.", re.IGNORECASE)
# beginnings of names, beside the letter itself, for which it may stand
_BEGINNINGS = {
    "c": ("ts", "tz"),
    "e": ("ye", "ie", "je", "yo"),
    "h": ("kh",),
    "j": ("yu", "ya", "ye", "yo", "iu", "ia", "zh"),
    "y": ("e", "iu", "ia", "ie", "io", "ju", "ja", "je", "jo"),
    "z": ("j",),
}


def shorten_initials(text: str) -> str:
    """Return a name with one Latin letter for each initial of several, or of such a Cyrillic one.

    Without a point behind it `Yu` or `Ya` is a name (`Yu Zhou`) and stays.
    """
    if not text.isascii():
        text = _LONE.sub(lambda found: _LETTERS[found[0].upper()], text)
    return _POINTED.sub(lambda found: f"{_SEVERAL[found[1].lower()]}.", text)


def is_initial_of(one: str, other: str) -> bool:
    """Return whether of two words, at least one of a single letter, that may be the other's."""
    letter, name = sorted((one, other), key=len)
    return name.startswith((letter, *_BEGINNINGS.get(letter, ())))
