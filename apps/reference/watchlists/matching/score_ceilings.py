"""Ceilings of a score, however much agrees: contradictions, and evidence of one word."""

from collections.abc import Iterator
from itertools import accumulate

from apps.reference.names.words.word_classes import KIND_WORDS
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.name_normalization import Group
from apps.reference.watchlists.matching.person_conflicts import iter_person_conflicts
from apps.reference.watchlists.matching.scoring_profile import ScoringProfile
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_weights import INITIAL_SHARE

SOLID = 0.7
USUAL_SHARE = 0.72
_HARDLY, _TELLING = 0.15, 0.75  # weights beside a shared word
KIND_SHARE = 0.25


def iter_ceilings(
    alignment: Alignment, share: float, prices: ScoringProfile
) -> Iterator[tuple[str, float]]:
    query, listed = alignment.query, alignment.listed
    sum_similarity_shortfall = sum(
        heft * (prices.doubtful - match.similarity) / prices.doubtful
        for match, heft in iter_match_weights(alignment)
        if match.similarity < prices.doubtful
    )
    against = _sum_contradiction(alignment) + sum_similarity_shortfall
    if against > prices.contradicted:
        replaced = min(1.0, _sum_replaced(alignment) / against)
        yield (
            "contradiction",
            prices.contradicted_ceiling
            + prices.contradicted_slope * (share - USUAL_SHARE)
            - prices.replaced * replaced,
        )
    if query.ideographs and listed.ideographs and query.ideographs != listed.ideographs:
        yield "other_characters", prices.lone_ceiling
    if listed.ideographs and not query.ideographs and alignment.listed_left:
        # each character is read: one that is not heard belongs to another name
        yield "other_reading", prices.contradicted_ceiling
    if query.group == "person":
        yield from ((why, prices.kin_ceiling) for why in iter_person_conflicts(alignment))
    telling = [
        match
        for match in alignment.matches
        if match.similarity >= SOLID
        and any(is_distinctive_token(query.tokens[i], query.group) for i in match.query)
    ]
    solid = sum(len(match.query) for match in telling)
    most = max(
        sum(is_distinctive_token(token, form.group) for token in form.tokens)
        for form in (query, listed)
    )
    # names with one word each are whole names: they are not limited
    if query.group == "person" and solid < 2 and most > 1:
        lone = prices.lone_ceiling - prices.lone_slope * min(1.0, against)
        yield "single_shared_name", max(lone, _ceiling_of_initials(alignment, prices))
    elif not solid:
        yield "no_telling_token", prices.hollow_ceiling
    elif query.group == "thing" and solid < 2 and most > 1:
        yield "single_shared_word", _ceiling_of_single_word(alignment, telling[0], prices)


def _ceiling_of_single_word(
    alignment: Alignment, match: TokenPairing, prices: ScoringProfile
) -> float:
    """Return the ceiling if two non-persons share one word and have further ones.

    A word that is only like it tells less, and one that is a name of persons hardly anything: many
    people and companies are called by it.
    """
    query, listed = alignment.query, alignment.listed
    beside = max(
        _sum_distinctive_weight(query, alignment.query_left),
        _sum_distinctive_weight(listed, alignment.listed_left),
    )
    if beside <= _HARDLY:
        return 1.0
    ceiling = prices.sole_ceiling * match.similarity - prices.sole_slope * beside
    if beside > _TELLING and any(listed.tokens[j].personal for j in match.listed):
        return min(ceiling, prices.lone_ceiling)
    return ceiling


def _ceiling_of_initials(alignment: Alignment, prices: ScoringProfile) -> float:
    """Return the ceiling where initials stand for all but one name (`F. Last`): by its weight."""
    if "initial" not in [match.kind for match in alignment.matches] or _has_unanswered_names(
        alignment
    ):
        return 0.0
    shared = max(
        (heft for match, heft in iter_match_weights(alignment) if match.similarity >= SOLID),
        default=0.0,
    )
    return prices.initial_ceiling * (1 - INITIAL_SHARE * (1 - shared))


def _has_unanswered_names(alignment: Alignment) -> bool:
    """Return whether the query says what speaks against the listed name (`F. Last`).

    An initial behind one that agrees is of a further name, which a list may leave out: that of a
    father, most of all. One in front is of another given name.
    """
    query, left = alignment.query.tokens, alignment.query_left
    if not left:
        return False
    initials = [token.text for token in query if len(token.text) == 1]
    agreed = [query[i].text for m in alignment.matches if m.kind == "initial" for i in m.query]
    further = any(not alignment.listed.tokens[j].particle for j in alignment.listed_left)
    named = any(len(query[i].text) > 1 and not query[i].particle for i in left)
    return further or named or not set(initials[:1]) <= set(agreed)


def _sum_contradiction(alignment: Alignment) -> float:
    """Return what both names hold against each other."""
    return min(
        sum(contradiction_weight(form.tokens[i]) for i in left)
        for form, left in (
            (alignment.query, alignment.query_left),
            (alignment.listed, alignment.listed_left),
        )
    )


def contradiction_weight(token: Token) -> float:
    """Return the weight of a token without counterpart against a name.

    An initial counts as a whole name; words for the type of organisation vary between lists and
    payers (`Center`, `Company`).
    """
    if token.text in KIND_WORDS:
        return token.weight * KIND_SHARE
    return token.weight / (INITIAL_SHARE if len(token.text) == 1 else 1)


def _sum_replaced(alignment: Alignment) -> float:
    """Return the weight of words in one name that the other has replaced.

    A word in the place of another makes a sibling (`… Trading`, `… Logistics`); words left out
    here and put in there may still be one party.
    """
    here = _weigh_gaps(alignment.query, alignment.query_left, [m.query for m in alignment.matches])
    there = _weigh_gaps(
        alignment.listed, alignment.listed_left, [m.listed for m in alignment.matches]
    )
    return sum(min(heft, there[gap]) for gap, heft in here.items() if gap in there)


def _weigh_gaps(
    form: WeightedName, left: tuple[int, ...], matched: list[tuple[int, ...]]
) -> dict[tuple[int, int], float]:
    """Return what is left over by the numbers of the matches before and after it, -1 for none."""
    number = {place: at for at, places in enumerate(matched) for place in places}
    before = list(
        accumulate(range(len(form.tokens)), lambda last, i: number.get(i, last), initial=-1)
    )
    after = list(
        accumulate(
            reversed(range(len(form.tokens))), lambda last, i: number.get(i, last), initial=-1
        )
    )[::-1]
    gaps: dict[tuple[int, int], float] = {}
    for i in left:
        if not form.tokens[i].particle:
            gap = before[i + 1], after[i]
            gaps[gap] = gaps.get(gap, 0.0) + contradiction_weight(form.tokens[i])
    return gaps


def _sum_distinctive_weight(form: WeightedName, left: tuple[int, ...]) -> float:
    """Return the weight of the words left over that say more than what kind of body it is."""
    return sum(
        form.tokens[i].weight
        for i in left
        if is_distinctive_token(form.tokens[i], form.group) and not form.tokens[i].place
    )


def is_distinctive_token(token: Token, group: Group) -> bool:
    """Whether the token says who it is, and not only what kind of body (`Holding`)."""
    if token.particle or len(token.text) < 2:
        return False
    return group == "person" or token.text not in KIND_WORDS


def iter_match_weights(alignment: Alignment) -> Iterator[tuple[TokenPairing, float]]:
    q, c = alignment.query.tokens, alignment.listed.tokens
    for match in alignment.matches:
        heft = sum(q[i].weight for i in match.query) + sum(c[j].weight for j in match.listed)
        yield match, heft / 2
