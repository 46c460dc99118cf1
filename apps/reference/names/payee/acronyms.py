"""Names that are made of the first letters of another's words. Pure."""

from apps.reference.names.payee.compared_names import ComparedName
from apps.reference.names.payee.values import NameWord

LEAST, MOST = 2, 7


def is_acronym_of(short: ComparedName, long: ComparedName) -> bool:
    """Return whether a name is the first letters of the other's words, its legal form perhaps."""
    if len(short.content) != 1 or len(long.content) < LEAST:
        return False
    letters = short.words[short.content[0]].plain
    if not (LEAST <= len(letters) <= MOST and letters.isalpha()):
        return False
    return letters in _possible_acronyms(long)


def _first_letter_of(word: NameWord) -> str:
    """Return the first letter as it is written: a number may be a word (`First`)."""
    return word.plain[0] if word.plain.isalpha() else word.written[0].lower()


def _initials_or_first_letter(word: NameWord) -> str:
    """Return a word that is initials itself, of others the first letter (`HM Revenue`)."""
    initials = word.written.isupper() and len(word.plain) <= LEAST
    return word.plain if initials else _first_letter_of(word)


def _possible_acronyms(side: ComparedName) -> set[str]:
    content = "".join(_first_letter_of(side.words[i]) for i in side.content)
    every = "".join(map(_first_letter_of, side.words))
    written = "".join(_first_letter_of(word) for word in side.words if word.written[:1].isupper())
    short = "".join(map(_initials_or_first_letter, (side.words[i] for i in side.content)))
    legal = side.name.legal[:1]
    # with or without the first letter of the legal form (`AFL` for Acme Foods Ltd)
    return {one + end for one in (content, every, written, short) for end in ("", legal)}
