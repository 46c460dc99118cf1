"""Names that end in a Roman number, as funds of a series do without a word of business. Pure."""

from collections.abc import Sequence

from apps.names.payee.likeness import is_known
from apps.names.payee.titles import is_generation
from apps.names.payee.values import Word
from apps.names.words.numbers import is_numeral

_SINGLE = frozenset("IVX")
_OF_PEOPLE = frozenset(["vi", "xi"])
_PERSON = 3  # words of a person with a generation, or with an initial behind the name


def is_series(words: Sequence[Word]) -> bool:
    """Return whether words end in a number of a series: `EQT VIII`, `Warburg Pincus X`.

    A generation (`John Smith III`) follows a known given name, and `Xi` is a name unless it stands
    in capitals behind words that do not.
    """
    last = words[-1]
    if last.written in _SINGLE:
        return len(words) >= _PERSON and not _names_person(words)
    if not is_numeral(last.plain):
        return False
    if last.plain in _OF_PEOPLE:
        mixed = any(not word.written.isupper() for word in words)
        return mixed and last.written.isupper()
    if is_generation(last.plain) and len(words) >= _PERSON:
        return not _names_person(words)
    return True


def _names_person(words: Sequence[Word]) -> bool:
    return any(is_known(word.plain) for word in words[:-1])
