"""Names that are made of the first letters of another's words. Pure."""

from apps.names.payee.sides import Side
from apps.names.payee.values import Word

LEAST, MOST = 2, 7


def is_acronym(short: Side, long: Side) -> bool:
    """Return whether a name is the first letters of the other's words, its legal form perhaps."""
    if len(short.content) != 1 or len(long.content) < LEAST:
        return False
    letters = short.words[short.content[0]].plain
    if not (LEAST <= len(letters) <= MOST and letters.isalpha()):
        return False
    return letters in _firsts(long)


def _first(word: Word) -> str:
    """Return the first letter as it is written: a number may be a word (`First`)."""
    return word.plain[0] if word.plain.isalpha() else word.written[0].lower()


def _short(word: Word) -> str:
    """Return a word that is initials itself, of others the first letter (`HM Revenue`)."""
    initials = word.written.isupper() and len(word.plain) <= LEAST
    return word.plain if initials else _first(word)


def _firsts(side: Side) -> set[str]:
    content = "".join(_first(side.words[i]) for i in side.content)
    every = "".join(map(_first, side.words))
    written = "".join(_first(word) for word in side.words if word.written[:1].isupper())
    short = "".join(map(_short, (side.words[i] for i in side.content)))
    legal = side.name.legal[:1]
    return {one + end for one in (content, every, written, short) for end in ("", legal)}
