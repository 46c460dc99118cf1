"""Read signs between letters as spaces: `Anna?Muller`, `Anna★Muller`."""

import re
import unicodedata

_INNER = re.compile(r"(?<=[^\W\d_])[^\w\s.,&/+'’\-–]+(?=[^\W\d_])|[^\S ]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’`´](?=[^\W\d_])")
_LONE = re.compile(r"[^\W\d_]{4,}['’`´][^\W\d_]{4,}")
MANY = 3  # apostrophes: a usual name has fewer (`O'Neil`, `D'Angelo`)
_POINTS = "?¿·•∙‧・"


def replace_separators(text: str) -> str:
    """Return a text with spaces for the signs and many apostrophes between its letters.

    The very text where there are none. Points between letters of other scripts belong to names.
    """
    read = _INNER.sub(lambda found: _space_for_separator(found, text), text)
    if len(_APOSTROPHE.findall(read)) >= MANY or _LONE.fullmatch(read.strip()):
        read = _APOSTROPHE.sub(" ", read)
    return read


def _space_for_separator(found: "re.Match[str]", text: str) -> str:
    if found[0].isspace():
        return " "
    latin = _LATIN.match(text[found.start() - 1]) and _LATIN.match(text[found.end()])
    if not latin and not any(map(_divides_any_script, found[0])):
        return found[0]
    return " " if all(map(_is_separator_sign, found[0])) else found[0]


def _is_separator_sign(letter: str) -> bool:
    """Return whether a sign is none that is written within a word."""
    return letter in _POINTS or unicodedata.category(letter) in ("So", "Sc", "Sk", "Sm")


def _divides_any_script(letter: str) -> bool:
    return letter in "?¿" or unicodedata.category(letter) == "So"
