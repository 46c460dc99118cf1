"""Detect unusual orders of the words of a person's name."""

from apps.reference.watchlists.matching.alignment import Alignment


def has_unnatural_order(alignment: Alignment) -> bool:
    """Return whether the tokens of one name come in no rotation of the order of the other."""
    tokens = alignment.query.tokens
    matches = [m for m in alignment.matches if not tokens[m.query[0]].particle]
    places = [match.listed[0] for match in sorted(matches, key=lambda match: match.query)]
    # cyclic: a rotation (`Kim Jong Un`, `Jong Un Kim`) falls exactly once
    falls = sum(one > other for one, other in zip(places, places[1:] + places[:1], strict=True))
    return len(places) > 2 and falls > 1
