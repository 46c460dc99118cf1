"""Which tokens of two names agree, and which are left over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from apps.reference.watchlists.matching.edit_costs import Kind
from apps.reference.watchlists.matching.name_normalization import Group, normalize_name
from apps.reference.watchlists.matching.similarity import Likenesses, Token, build_token
from apps.reference.watchlists.matching.skeletons import compare_skeletons, compute_bones
from apps.reference.watchlists.matching.token_weights import TokenWeights

_JOINED_WORTH = 0.97
_SHORTEST_RUN, _LEAST_RUN, _RUN_APART = 5, 0.85, 2
Runs = Mapping[str, Mapping[str, float]]
"""Two tokens run together, and how like each token of the other name that is."""


@dataclass(frozen=True, slots=True)
class WeightedName:
    """A name ready for comparison: its tokens with their facts, and what was taken out."""

    tokens: tuple[Token, ...]
    legal: tuple[str, ...]
    group: Group
    ideographs: str = ""


@dataclass(frozen=True, slots=True)
class TokenPairing:
    """One or two tokens of one name found in the other, by position."""

    query: tuple[int, ...]
    listed: tuple[int, ...]
    similarity: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two names, the tokens that agree, and the positions of those without counterpart."""

    query: WeightedName
    listed: WeightedName
    matches: tuple[TokenPairing, ...]
    query_left: tuple[int, ...]
    listed_left: tuple[int, ...]


def build_weighted_name(*, name: str, group: Group, weights: TokenWeights) -> WeightedName:
    """Normalise a name and look up its tokens."""
    form = normalize_name(name=name, group=group)
    return WeightedName(
        tokens=tuple(build_token(text=text, group=group, weights=weights) for text in form.tokens),
        legal=form.legal,
        group=group,
        ideographs=form.ideographs,
    )


@dataclass(frozen=True, slots=True)
class TokenJoins:
    """What two neighbouring tokens of either name are like in the other, once run together."""

    query: Runs
    listed: Runs

    def touch(self, query: WeightedName, listed: WeightedName) -> bool:
        """Return whether any two neighbours of one name may be one token of the other."""
        return _has_join(self.query, query, listed) or _has_join(self.listed, listed, query)


def build_token_joins(query: WeightedName, listed: Sequence[WeightedName]) -> TokenJoins:
    """Compare the neighbouring tokens of a name with those of several others, all at once."""
    theirs = [(one, other) for form in listed for one, other in pairwise(form.tokens)]
    tokens = {token.text: token for form in listed for token in form.tokens}
    return TokenJoins(
        query=_compare_runs(list(pairwise(query.tokens)), list(tokens.values())),
        listed=_compare_runs(theirs, query.tokens),
    )


def _compare_runs(pairs: Sequence[tuple[Token, Token]], tokens: Sequence[Token]) -> Runs:
    """Return the likeness of pairs of tokens run together to others; most have none."""
    apart = {one.text + other.text: one.unvowelled for one, other in pairs}
    runs = [run for run in apart if len(run) >= _SHORTEST_RUN]
    found: dict[str, dict[str, float]] = {}
    # scripts with and without vowels are compared by other functions, each for all pairs at once
    for unvowelled in {apart[run] for run in runs}:
        some = [run for run in runs if apart[run] == unvowelled]
        for mixed in (False, True):
            texts = [token.text for token in tokens if (token.unvowelled != unvowelled) == mixed]
            alike = _score_runs(some, texts, mixed=mixed) if texts else []
            for run, text, likeness in alike:
                found.setdefault(run, {})[text] = likeness
    return found


def _score_runs(
    runs: Sequence[str], texts: Sequence[str], *, mixed: bool
) -> list[tuple[str, str, float]]:
    """Return how like runs and tokens are, where they are."""
    if mixed:
        alike = compare_skeletons(
            [compute_bones(run) for run in runs], [compute_bones(text) for text in texts]
        )
    else:
        alike = cdist(
            runs,
            texts,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=_LEAST_RUN,
            dtype=np.float64,
        )
    places = (some.tolist() for some in (alike >= _LEAST_RUN).nonzero())
    return [
        (runs[i], texts[j], alike[i, j].item())
        for i, j in zip(*places, strict=True)
        # skeletons have no vowels, so the lengths of the words say nothing
        if mixed or abs(len(runs[i]) - len(texts[j])) <= _RUN_APART
    ]


def _has_join(runs: Runs, many: WeightedName, few: WeightedName) -> bool:
    for one, other in pairwise(many.tokens) if runs else ():
        alike = runs.get(one.text + other.text)
        if alike and any(token.text in alike for token in few.tokens):
            return True
    return False


def align_tokens(
    *,
    query: WeightedName,
    listed: WeightedName,
    likenesses: Likenesses,
    joins: TokenJoins | None = None,
) -> Alignment:
    """Pair the tokens of two names, the weightiest and likest first, each used once.

    Who compares a name with many gives the `joins` with all of them.
    """
    pairs = _pair_tokens(query.tokens, listed.tokens, likenesses)
    matches = pairs
    # if every token of both has its counterpart no join can be taken, and comparing runs is costly
    if not len(query.tokens) == len(pairs) == len(listed.tokens):
        joins = joins or build_token_joins(query, [listed])
        matches = _add_joins(query.tokens, listed.tokens, pairs, joins)
    query_used = {i for match in matches for i in match.query}
    listed_used = {j for match in matches for j in match.listed}
    return Alignment(
        query=query,
        listed=listed,
        matches=tuple(matches),
        query_left=tuple(i for i in range(len(query.tokens)) if i not in query_used),
        listed_left=tuple(j for j in range(len(listed.tokens)) if j not in listed_used),
    )


def _pair_tokens(
    q: Sequence[Token], c: Sequence[Token], likenesses: Likenesses
) -> list[TokenPairing]:
    offers = []
    for i, one in enumerate(q):
        for j, other in enumerate(c):
            found = likenesses.get((one.text, other.text))
            if found:
                worth = found.similarity * (one.weight + other.weight)
                offers.append((worth, -abs(i - j), i, j, found))
    # not by the whole tuple: equal offers keep the order of the words, and likenesses have none
    offers.sort(key=lambda offer: offer[:2], reverse=True)
    query_used: set[int] = set()
    listed_used: set[int] = set()
    matches = []
    for _worth, _apart, i, j, found in offers:
        if i not in query_used and j not in listed_used:
            query_used.add(i)
            listed_used.add(j)
            matches.append(TokenPairing((i,), (j,), found.similarity, found.kind))
    return matches


def _add_joins(
    q: Sequence[Token], c: Sequence[Token], matches: list[TokenPairing], joins: TokenJoins
) -> list[TokenPairing]:
    """Also match two neighbouring tokens with one that is the two run together."""
    of_query = {match.query[0]: match for match in matches}
    of_listed = {match.listed[0]: match for match in matches}
    found = [
        TokenPairing(pair, (one,), similarity, "joined")
        for pair, one, similarity in _find_joins(q, c, joins.query, of_query, of_listed)
    ]
    found += [
        TokenPairing((one,), pair, similarity, "joined")
        for pair, one, similarity in _find_joins(c, q, joins.listed, of_listed, of_query)
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


def _find_joins(
    many: Sequence[Token],
    few: Sequence[Token],
    runs: Runs,
    of_many: dict[int, TokenPairing],
    of_few: dict[int, TokenPairing],
) -> list[tuple[tuple[int, int], int, float]]:
    found: list[tuple[tuple[int, int], int, float]] = []
    free = -1
    for i in range(len(many) - 1) if runs else ():
        run = many[i].text + many[i + 1].text
        alike = runs.get(run)
        # a token joins at most once, and two that both agree by themselves are not one
        if not alike or i < free or (i in of_many and i + 1 in of_many):
            continue
        for j, one in enumerate(few):
            likeness = alike.get(one.text)
            if not likeness:
                continue
            held = of_few.get(j)
            # a token that agrees exactly, or by letters where the run has only consonants, is kept
            if held and (many[i].unvowelled != one.unvowelled or held.kind == "exact"):
                continue
            if run != one.text and min(len(many[i].text), len(many[i + 1].text)) < 2:
                continue  # an initial beside a name is not run together with it
            if not (held and held.similarity > likeness):
                found.append(((i, i + 1), j, likeness * _JOINED_WORTH))
                free = i + 2
                break
    return found
