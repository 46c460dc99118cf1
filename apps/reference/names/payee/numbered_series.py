"""Names that end in a Roman number, as funds of a series do without a word of business. Pure."""

from collections.abc import Sequence

from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.titles import is_generation_suffix
from apps.reference.names.payee.values import NameWord
from apps.reference.names.words.numbers import is_roman_numeral

_SINGLE = frozenset("IVX")
_OF_PEOPLE = frozenset(["vi", "xi"])
_PERSON = 3  # words of a person with a generation, or with an initial behind the name


def is_numbered_series(words: Sequence[NameWord]) -> bool:
    """Return whether words end in a series number: `EQT VIII`, `Warburg Pincus X`.

    A generation (`John Smith III`) follows a known given name, and `Xi` is a name unless it is in
    capitals after words that are not.
    """
    last = words[-1]
    if last.written in _SINGLE:
        return len(words) >= _PERSON and not _has_given_name(words)
    if not is_roman_numeral(last.plain):
        return False
    if last.plain in _OF_PEOPLE:
        mixed = any(not word.written.isupper() for word in words)
        return mixed and last.written.isupper()
    if is_generation_suffix(last.plain) and len(words) >= _PERSON:
        return not _has_given_name(words)
    return True


def _has_given_name(words: Sequence[NameWord]) -> bool:
    return any(is_common_given_name(word.plain) for word in words[:-1])
