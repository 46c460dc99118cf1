"""How alike spellings of one Slavic given name are."""

from collections.abc import Sequence

from apps.names.words.slavic import name_row
from apps.watchlists.matching.edits import Likeness

_SAME = Likeness(0.93, "transliteration")


def same_names(token: str, row: int, others: Sequence[str]) -> dict[tuple[str, str], Likeness]:
    """Return the likeness of a spelling of the name of a row to the other spellings of it."""
    same = (other for other in others if other != token and name_row(other) == row)
    return {(token, other): _SAME for other in same}
