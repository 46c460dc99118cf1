"""The score of two names: contradiction costs more than omission, thin evidence more than ample."""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from apps.names.scripts.syllables import is_syllabic
from apps.names.words.general import TRANSLATABLE_FORMS
from apps.watchlists.matching.alignment import Alignment, Form, Match, align, form_of
from apps.watchlists.matching.ceilings import ceilings, hefts
from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.matching.names import group_of
from apps.watchlists.matching.profile import Profile, profile_of
from apps.watchlists.matching.similarity import likenesses
from apps.watchlists.values import Schema

_SHORTEST_WHOLE = 8
_LEGAL_FORM_WORTH = 0.95


@dataclass(frozen=True, slots=True)
class Judgement:
    """The raw score, and each step from the plain share of agreement to it."""

    share: float
    steps: tuple[tuple[str, float], ...]
    raw: float


def score_pair(
    *, query: str, candidate: str, schema: Schema, weights: TokenWeights, profile: str = ""
) -> float:
    """Return how likely `candidate` names the party of `query`, in 0..1.

    From 0.70 it is a match, from 0.45 a human looks. The profile is that of
    the weights unless another is named. Raises ValueError for an unknown one.
    """
    prices = profile_of(profile or weights.profile)
    group = group_of(schema)
    left = form_of(name=query, group=group, weights=weights)
    right = form_of(name=candidate, group=group, weights=weights)
    pairs = likenesses(left=left.tokens, right=right.tokens, group=group)
    alignment = align(query=left, listed=right, likenesses=pairs)
    return prices.calibrated(judge(alignment, prices).raw)


def score_of(*, raw: float, weak: bool, prices: Profile) -> float:
    """Return the calibrated score; an alias that the list itself calls weak is never a match."""
    score = prices.calibrated(raw)
    return min(score, prices.weak_alias_ceiling) if weak else score


def judge(alignment: Alignment, prices: Profile) -> Judgement:
    """Price an alignment: the share that agrees, then ceilings, then conflicts."""
    if not alignment.query.tokens or not alignment.listed.tokens:
        return Judgement(0.0, (), 0.0)
    share = raw = _share(alignment, prices)
    steps = []
    for why, ceiling in ceilings(alignment, share, prices):
        if ceiling < raw:
            steps.append((why, ceiling - raw))
            raw = ceiling
    whole = _run_together(alignment.query, alignment.listed)
    if whole > raw:
        steps.append(("run_together", whole - raw))
        raw = whole
    for why, cost in _conflicts(alignment, prices):
        steps.append((why, -cost))
        raw -= cost
    return Judgement(share, tuple(steps), max(0.0, min(1.0, raw)))


def _share(alignment: Alignment, prices: Profile) -> float:
    agreed = whole = evidence = 0.0
    for match, heft in hefts(alignment):
        worth = heft * match.similarity**prices.sharpness
        agreed += worth
        whole += heft
        evidence += worth * _sureness(alignment, match, prices)
    missing, extra = _left_over(alignment)
    return share_of(
        agreed=agreed,
        whole=whole,
        missing=missing,
        extra=extra,
        prices=prices,
        evidence=evidence,
    ) * (
        _headed(
            alignment.query, {i for m in alignment.matches for i in m.query}, prices.headless_query
        )
        * _headed(
            alignment.listed,
            {j for m in alignment.matches for j in m.listed},
            prices.headless_listed,
        )
    )


def _sureness(alignment: Alignment, match: Match, prices: Profile) -> float:
    """Return how much of the agreement is information: many other words are like a short one."""
    if match.kind in ("exact", "sense"):
        return 1.0
    letters = min(
        sum(len(tokens[i].text) for i in places)
        for tokens, places in (
            (alignment.query.tokens, match.query),
            (alignment.listed.tokens, match.listed),
        )
    )
    return min(1.0, (letters - 1) / prices.sure_letters)


def share_of(
    *,
    agreed: float,
    whole: float,
    missing: float,
    extra: float,
    prices: Profile,
    evidence: float | None = None,
) -> float:
    """Return the share that agrees, its flaws weighing more the less evidence there is."""
    if not whole:
        return 0.0
    against = prices.missing * missing + prices.extra * extra
    against += prices.contradiction * min(missing, extra)
    flaw = 1 - agreed / (whole + against)
    thin = max(0.0, 1 - (agreed if evidence is None else evidence) / prices.enough)
    return max(0.0, 1 - flaw * (1 + prices.thin * thin))


def _left_over(alignment: Alignment) -> tuple[float, float]:
    q, c = alignment.query.tokens, alignment.listed.tokens
    missing = sum(q[i].weight for i in alignment.query_left)
    return missing, sum(c[j].weight for j in alignment.listed_left)


def _headed(form: Form, used: set[int], cost: float) -> float:
    heaviest = max(token.weight for token in form.tokens)
    matched = max((form.tokens[i].weight for i in used), default=0.0)
    return 1 - cost * (1 - matched / heaviest)


def _run_together(query: Form, listed: Form) -> float:
    """Return the score of whole names that differ by at most a slip once spaces are left out."""
    q, c = query.tokens, listed.tokens
    left, right = "".join(t.text for t in q), "".join(t.text for t in c)
    if query.ideographs and listed.ideographs and query.ideographs != listed.ideographs:
        return 0.0
    if left == right:
        return 1.0
    if left + "".join(query.legal) == right + "".join(listed.legal):
        return _LEGAL_FORM_WORTH
    shortest = min(len(left), len(right))
    if len(q) == len(c) == 1 or shortest < _SHORTEST_WHOLE or abs(len(left) - len(right)) > 1:
        return 0.0
    if any(token.text.isdigit() for token in (*q, *c)):
        return 0.0
    if len(q) == len(c) and sorted(left) != sorted(right):
        return 0.0
    if query.group == "person" and is_syllabic(tuple(token.text for token in q)):
        return 0.0
    return 1 - 1.5 / shortest if OSA.distance(left, right, score_cutoff=1) <= 1 else 0.0


def _conflicts(alignment: Alignment, prices: Profile) -> Iterator[tuple[str, float]]:
    query, listed = alignment.query, alignment.listed
    if query.group == "person":
        if _disordered(alignment):
            yield "order", prices.disorder
        return
    numbers = [{t.text for t in form.tokens if t.text.isdigit()} for form in (query, listed)]
    if numbers[0] != numbers[1]:
        yield "number", prices.numbers if all(numbers) else prices.number_missing
    if query.legal and listed.legal and query.legal != listed.legal:
        forms = set(query.legal) | set(listed.legal)
        foreign = not set(query.legal) & set(listed.legal) and not forms <= TRANSLATABLE_FORMS
        yield "legal_form", prices.foreign_legal_form if foreign else prices.legal_form
    here = any(query.tokens[i].place for i in alignment.query_left)
    there = any(listed.tokens[j].place for j in alignment.listed_left)
    if here != there:
        yield "place", prices.place


def _disordered(alignment: Alignment) -> bool:
    """Whether the tokens of one name come in an order that no rotation of the other gives."""
    tokens = alignment.query.tokens
    matches = [m for m in alignment.matches if not tokens[m.query[0]].particle]
    places = [match.listed[0] for match in sorted(matches, key=lambda match: match.query)]
    falls = sum(one > other for one, other in zip(places, places[1:] + places[:1], strict=True))
    return len(places) > 2 and falls > 1
