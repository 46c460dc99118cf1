"""How alike spellings of one Slavic given name are."""

from collections.abc import Sequence

from apps.reference.names.words.slavic_person_names import find_slavic_name_number
from apps.reference.watchlists.matching.edit_costs import TokenLikeness

_SAME = TokenLikeness(0.93, "transliteration")


def match_slavic_spellings(
    token: str, row: int, others: Sequence[str]
) -> dict[tuple[str, str], TokenLikeness]:
    """Return the likeness of a spelling of the name of a row to the other spellings of it."""
    same = (other for other in others if other != token and find_slavic_name_number(other) == row)
    return {(token, other): _SAME for other in same}
