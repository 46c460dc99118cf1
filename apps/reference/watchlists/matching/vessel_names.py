"""When a vessel's or an aircraft's name means a listed one: only where it is the same. Pure.

Ships are called by one word or two, and thousands by words that are alike (`Marina`, `Marianna`):
what is only like a listed name is another ship until its number says otherwise (DESIGN.md
section 4, What is compared with what).
"""

from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.explanation import Explanation
from apps.reference.watchlists.matching.weak_agreement import WeakAgreement

CRAFT: frozenset[Schema] = frozenset({"Vessel", "Aircraft"})
_SAME = frozenset({"exact", "transliteration", "sense"})  # written otherwise, and the same name


def find_weak_craft_agreement(why: Explanation, *, latin: bool) -> WeakAgreement | None:
    """Return the words that are only like those of a listed craft, None where the name is the same.

    A name in another script is the same where it may be put into the listed letters; in `latin`
    ones a ship bears its name as it is painted.
    """
    same = _SAME if not latin else _SAME - {"transliteration"}
    joined = [
        "".join(getattr(match, side) for match in why.matches) for side in ("query", "listed")
    ]
    alike = all(match.kind in same for match in why.matches) or _keep_alphanumeric(
        joined[0]
    ) == _keep_alphanumeric(joined[1])
    if alike and not why.query_left and not why.listed_left:
        return None
    return WeakAgreement("craft", " ".join([match.query for match in why.matches] or [why.name]))


def _keep_alphanumeric(text: str) -> str:
    return "".join(filter(str.isalnum, text))
