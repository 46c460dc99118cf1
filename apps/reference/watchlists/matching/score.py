"""The score of two names: contradiction costs more than omission, thin evidence more than ample."""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from apps.reference.names.scripts.korean_chinese_syllables import is_syllabic_name
from apps.reference.names.words.word_classes import TRANSLATABLE_FORMS
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.alignment import (
    Alignment,
    WeightedName,
    align_tokens,
    build_weighted_name,
)
from apps.reference.watchlists.matching.name_normalization import group_of_schema
from apps.reference.watchlists.matching.score_ceilings import iter_ceilings, iter_match_weights
from apps.reference.watchlists.matching.scoring_profile import ScoringProfile, get_match_profile
from apps.reference.watchlists.matching.similarity import compare_tokens
from apps.reference.watchlists.matching.token_order import has_unnatural_order
from apps.reference.watchlists.matching.token_weights import TokenWeights

_SHORTEST_WHOLE = 8
_LEGAL_FORM_WORTH = 0.95


@dataclass(frozen=True, slots=True)
class ScoreJudgement:
    """The raw score, and each step from the plain share of agreement to it."""

    share: float
    steps: tuple[tuple[str, float], ...]
    raw: float


def score_pair(
    *, query: str, candidate: str, schema: Schema, weights: TokenWeights, profile: str = ""
) -> float:
    """Return how likely `candidate` names the party of `query`, in 0..1.

    From 0.70 it is a match, from 0.45 it goes to review. The profile is that of
    the weights unless another is named. Raises ValueError for an unknown one.
    """
    prices = get_match_profile(profile or weights.profile)
    group = group_of_schema(schema)
    weighted_name = build_weighted_name(name=query, group=group, weights=weights)
    right = build_weighted_name(name=candidate, group=group, weights=weights)
    pairs = compare_tokens(left=weighted_name.tokens, right=right.tokens, group=group)
    alignment = align_tokens(query=weighted_name, listed=right, likenesses=pairs)
    return prices.calibrated(judge_alignment(alignment, prices).raw)


def calibrate_score(*, raw: float, weak: bool, prices: ScoringProfile) -> float:
    """Return the calibrated score; an alias that the list itself calls weak is never a match."""
    score = prices.calibrated(raw)
    return min(score, prices.weak_alias_ceiling) if weak else score


def judge_alignment(alignment: Alignment, prices: ScoringProfile) -> ScoreJudgement:
    """Price an alignment: the share that agrees, then ceilings, then conflicts."""
    if not alignment.query.tokens or not alignment.listed.tokens:
        return ScoreJudgement(0.0, (), 0.0)
    share = raw = _compute_share(alignment, prices)
    steps = []
    # ceilings first, then the one floor, then costs: a conflict lowers whatever is left
    for why, ceiling in iter_ceilings(alignment, share, prices):
        if ceiling < raw:
            steps.append((why, ceiling - raw))
            raw = ceiling
    whole = score_run_together(alignment.query, alignment.listed)
    if whole > raw:
        steps.append(("run_together", whole - raw))
        raw = whole
    for why, cost in _iter_conflicts(alignment, prices):
        steps.append((why, -cost))
        raw -= cost
    return ScoreJudgement(share, tuple(steps), max(0.0, min(1.0, raw)))


def _compute_share(alignment: Alignment, prices: ScoringProfile) -> float:
    agreed = whole = evidence = 0.0
    for match, heft in iter_match_weights(alignment):
        worth = heft * match.similarity**prices.sharpness
        agreed += worth
        whole += heft
        # a short word resembles many others by chance
        if match.kind in ("exact", "sense"):
            certainty = 1.0
        else:
            letters = min(
                sum(len(tokens[i].text) for i in places)
                for tokens, places in (
                    (alignment.query.tokens, match.query),
                    (alignment.listed.tokens, match.listed),
                )
            )
            certainty = min(1.0, (letters - 1) / prices.sure_letters)
        evidence += worth * certainty
    missing, extra = _leftover_weights(alignment)
    return compute_agreed_share(
        agreed=agreed,
        whole=whole,
        missing=missing,
        extra=extra,
        prices=prices,
        evidence=evidence,
    ) * (
        _headless_factor(
            alignment.query, {i for m in alignment.matches for i in m.query}, prices.headless_query
        )
        * _headless_factor(
            alignment.listed,
            {j for m in alignment.matches for j in m.listed},
            prices.headless_listed,
        )
    )


def compute_agreed_share(
    *,
    agreed: float,
    whole: float,
    missing: float,
    extra: float,
    prices: ScoringProfile,
    evidence: float | None = None,
) -> float:
    """Return the share that agrees, its flaws weighing more the less evidence there is."""
    if not whole:
        return 0.0
    against = prices.missing * missing + prices.extra * extra
    against += prices.contradiction * min(missing, extra)
    flaw = 1 - agreed / (whole + against)
    # the less there is that agrees, the more each flaw weighs
    thin = max(0.0, 1 - (agreed if evidence is None else evidence) / prices.enough)
    return max(0.0, 1 - flaw * (1 + prices.thin * thin))


def _leftover_weights(alignment: Alignment) -> tuple[float, float]:
    q, c = alignment.query.tokens, alignment.listed.tokens
    missing = sum(q[i].weight for i in alignment.query_left)
    return missing, sum(c[j].weight for j in alignment.listed_left)


def _headless_factor(form: WeightedName, used: set[int], cost: float) -> float:
    heaviest = max(token.weight for token in form.tokens)
    matched = max((form.tokens[i].weight for i in used), default=0.0)
    return 1 - cost * (1 - matched / heaviest)


def score_run_together(query: WeightedName, listed: WeightedName) -> float:
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
    # one digit for another is another number, not a slip
    if any(token.text.isdigit() for token in (*q, *c)):
        return 0.0
    # as many words on both sides are spaced alike: a letter that differs is no matter of spaces
    if len(q) == len(c) and sorted(left) != sorted(right):
        return 0.0
    if query.group == "person" and is_syllabic_name(tuple(token.text for token in q)):
        return 0.0
    return 1 - 1.5 / shortest if OSA.distance(left, right, score_cutoff=1) <= 1 else 0.0


def _iter_conflicts(alignment: Alignment, prices: ScoringProfile) -> Iterator[tuple[str, float]]:
    query, listed = alignment.query, alignment.listed
    if query.group == "person":
        if has_unnatural_order(alignment):
            yield "order", prices.disorder
        return
    numbers = [{t.text for t in form.tokens if t.text.isdigit()} for form in (query, listed)]
    if numbers[0] != numbers[1]:
        yield "number", prices.numbers if all(numbers) else prices.number_missing
    # a form that one side leaves out says nothing: payments often do
    if query.legal and listed.legal and query.legal != listed.legal:
        forms = set(query.legal) | set(listed.legal)
        foreign = not set(query.legal) & set(listed.legal) and not forms <= TRANSLATABLE_FORMS
        yield "legal_form", prices.foreign_legal_form if foreign else prices.legal_form
    here = any(query.tokens[i].place for i in alignment.query_left)
    there = any(listed.tokens[j].place for j in alignment.listed_left)
    if here != there:
        yield "place", prices.place
