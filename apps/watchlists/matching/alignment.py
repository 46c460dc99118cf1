"""Which tokens of two names agree, and which are left over."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from apps.watchlists.matching.edits import Kind
from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.matching.names import Group, name_form
from apps.watchlists.matching.similarity import Likenesses, Token, token_of
from apps.watchlists.matching.skeletons import by_skeleton

_JOINED_WORTH = 0.97
_SHORTEST_RUN, _LEAST_RUN = 5, 0.85


@dataclass(frozen=True, slots=True)
class Form:
    """A name ready for comparison: its tokens with their facts, and what was set aside."""

    tokens: tuple[Token, ...]
    legal: tuple[str, ...]
    group: Group
    ideographs: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """One or two tokens of one name found in the other, by position."""

    query: tuple[int, ...]
    listed: tuple[int, ...]
    similarity: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two names, the tokens that agree, and the positions of those without counterpart."""

    query: Form
    listed: Form
    matches: tuple[Match, ...]
    query_left: tuple[int, ...]
    listed_left: tuple[int, ...]


def form_of(*, name: str, group: Group, weights: TokenWeights) -> Form:
    """Normalise a name and look up its tokens."""
    form = name_form(name=name, group=group)
    return Form(
        tokens=tuple(token_of(text=text, group=group, weights=weights) for text in form.tokens),
        legal=form.legal,
        group=group,
        ideographs=form.ideographs,
    )


def align(*, query: Form, listed: Form, likenesses: Likenesses) -> Alignment:
    """Pair the tokens of two names, the weightiest and likest first, each used once."""
    pairs = _pairs(query.tokens, listed.tokens, likenesses)
    matches = _with_joins(query.tokens, listed.tokens, pairs)
    query_used = {i for match in matches for i in match.query}
    listed_used = {j for match in matches for j in match.listed}
    return Alignment(
        query=query,
        listed=listed,
        matches=tuple(matches),
        query_left=tuple(i for i in range(len(query.tokens)) if i not in query_used),
        listed_left=tuple(j for j in range(len(listed.tokens)) if j not in listed_used),
    )


def _pairs(q: Sequence[Token], c: Sequence[Token], likenesses: Likenesses) -> list[Match]:
    offers = []
    for i, one in enumerate(q):
        for j, other in enumerate(c):
            found = likenesses.get((one.text, other.text))
            if found:
                worth = found.similarity * (one.weight + other.weight)
                offers.append((worth, -abs(i - j), i, j, found))
    offers.sort(key=lambda offer: offer[:2], reverse=True)
    query_used: set[int] = set()
    listed_used: set[int] = set()
    matches = []
    for _worth, _apart, i, j, found in offers:
        if i not in query_used and j not in listed_used:
            query_used.add(i)
            listed_used.add(j)
            matches.append(Match((i,), (j,), found.similarity, found.kind))
    return matches


def _with_joins(q: Sequence[Token], c: Sequence[Token], matches: list[Match]) -> list[Match]:
    """Also match two neighbouring tokens with one that is the two run together."""
    if len(q) == len(matches) == len(c):
        return matches
    of_query = {match.query[0]: match for match in matches}
    of_listed = {match.listed[0]: match for match in matches}
    found = [
        Match(pair, (one,), similarity, "joined")
        for pair, one, similarity in _joins(q, c, of_query, of_listed)
    ]
    found += [
        Match((one,), pair, similarity, "joined")
        for pair, one, similarity in _joins(c, q, of_listed, of_query)
    ]
    for join in found:
        taken = (set(join.query), set(join.listed))
        matches = [
            match
            for match in matches
            if not taken[0] & set(match.query) and not taken[1] & set(match.listed)
        ]
        matches.append(join)
    return matches


def _joins(
    many: Sequence[Token],
    few: Sequence[Token],
    of_many: dict[int, Match],
    of_few: dict[int, Match],
) -> list[tuple[tuple[int, int], int, float]]:
    found = []
    free = -1
    for i in range(len(many) - 1):
        run = many[i].text + many[i + 1].text
        if i < free or (i in of_many and i + 1 in of_many) or len(run) < _SHORTEST_RUN:
            continue
        for j, one in enumerate(few):
            held = of_few.get(j)
            mixed = many[i].unvowelled != one.unvowelled
            if held and (mixed or held.kind == "exact"):
                continue
            if run != one.text and min(len(many[i].text), len(many[i + 1].text)) < 2:
                continue  # an initial beside a name is not run together with it
            likeness = _run_likeness(run, one, mixed=mixed)
            if likeness and not (held and held.similarity > likeness):
                found.append(((i, i + 1), j, likeness * _JOINED_WORTH))
                free = i + 2
                break
    return found


def _run_likeness(run: str, one: Token, *, mixed: bool) -> float:
    """Return how like a token two others run together are, 0 where they are not."""
    if mixed:
        found = by_skeleton(run, one.text)
        return found.similarity if found and found.similarity >= _LEAST_RUN else 0.0
    if abs(len(run) - len(one.text)) > 2:
        return 0.0
    return Levenshtein.normalized_similarity(run, one.text, score_cutoff=_LEAST_RUN)
