"""User names that may exist beside others: no hidden characters, none that looks like another.

Pure.
"""

import unicodedata
from collections.abc import Iterable

# letters of other alphabets, digits and signs that look like Latin letters (Unicode TR 39), with
# the letter that they are taken for
_DRAWN_AS = str.maketrans(
    {
        **dict(zip("аеёорсухіїјѕһԁԛԝкмнтвгпьлѵ", "aeeopcyxiijshdqwkmhtbrnblv", strict=True)),
        **dict(zip("αβγεηικνορτυχωϲϳ", "abyenikvoptuxwcj", strict=True)),
        **dict(zip("ıłøđħŧ01", "ilodhtol", strict=True)),
        "i": "l",
        "|": "l",
        "!": "l",
        "5": "s",
        "$": "s",
    }
)
_TOGETHER = (("rn", "m"), ("vv", "w"), ("cl", "d"))  # pairs that look like one letter


def fold_lookalikes(name: str) -> str:
    """Return one form for all user names that a reader takes for each other."""
    # NFKD separates letters from their marks, which are dropped below
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    shown = "".join(
        character for character in letters if unicodedata.category(character) not in ("Cf", "Zs")
    )
    folded = shown.translate(_DRAWN_AS)
    for signs, letter in _TOGETHER:
        folded = folded.replace(signs, letter)
    return folded


_AT_EDGES = "._-+@"  # characters allowed in a user name that are easily missed at its end


def find_user_name_fault(name: str, *, others: Iterable[str]) -> str:
    """Return why this user name is not allowed next to the others, or an empty text."""
    scripts = {
        unicodedata.name(character, "?").split()[0] for character in name if character.isalpha()
    }
    if len(scripts) > 1:
        return "A user name must be written in one alphabet."
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in name):
        return "A user name must not contain hidden characters."
    form = fold_lookalikes(name.strip(_AT_EDGES))
    for other in others:
        if fold_lookalikes(other.strip(_AT_EDGES)) == form:
            return f"This user name is too similar to {other}."
    return ""
