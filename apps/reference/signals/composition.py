"""Compute a composite: its inputs' places in their histories, their contributions, its quality."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composites import Composite, Part
from apps.reference.signals.points import Point
from apps.reference.signals.quality import (
    Quality,
    SeriesInput,
    TooFewInputs,
    count_months,
    describe_short_history,
    is_input_counted,
    judge_quality,
)
from apps.reference.signals.selectors import series_values

SCORE_STEP = Decimal("0.0001")  # points of 100
YEARS = 10  # DESIGN section 5, Signals: a short window makes any March a crisis
LONG_ENOUGH = timedelta(days=3652)  # ten years, less a day of leap years: what the window must span
History = Sequence[tuple[date, Decimal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one input adds: `score` is its place in its own history, `share` its part of the sum.

    The window begins with `first`, ends with `last` and has `values` values.
    """

    series: str
    weight: Decimal
    direction: int
    score: Decimal
    share: Decimal
    point: Point
    first: date
    last: date
    values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedScore:
    """A composite at a moment: its shares sum to the score, exactly."""

    name: str
    score: Decimal
    band: str
    contributions: tuple[Contribution, ...]
    quality: Quality
    version: str


def compute_composite(row: Composite, *, as_of: datetime) -> ComposedScore:
    """Return a composite as known at a time; at most three queries.

    Weights of inputs that do not count go to the others; one that has grown too old is carried
    forward if it is more strained than these (signals/carried_forward_inputs.py). Raises
    TooFewInputs if too little counts (signals/quality.py). An input whose history is shorter than
    ten years does not count.
    """
    names = [part.series for part in row.parts]
    points = series_values.load_latest_points(names, as_of=as_of)
    past = series_values.load_histories(names, as_of=as_of, since=row.start)
    return compose_score(row, points=points, histories=past, as_of=as_of)


def compose_score(
    row: Composite,
    *,
    points: Mapping[str, Point],
    histories: Mapping[str, History],
    as_of: datetime,
) -> ComposedScore:
    """Return a composite of points and histories. Pure; see `compute_composite`."""
    # which inputs count, and whether they are enough for a number
    inputs = [_build_input(part, points.get(part.series), histories) for part in row.parts]
    quality = judge_quality(inputs, as_of=as_of)
    if quality.coverage < row.coverage:
        raise TooFewInputs("Too few of the series behind this are recent enough.")
    # the place of each input in its own history, also of those that are too old
    there = {input_.name for input_ in inputs if input_.point is not None}
    scores = {
        part.series: _score_input(part, points[part.series], histories[part.series])
        for part in row.parts
        if part.series in there
    }
    lapsed = [
        input_.name
        for input_ in inputs
        if input_.name in there and not is_input_counted(input_, as_of=as_of)
    ]
    rated = {part.series: (part.weight, scores[part.series]) for part in row.parts
             if part.series in scores}  # fmt: skip
    # what is too old counts only where it is more strained than what is in age
    old = {name: rated.pop(name) for name in lapsed}
    held_names = choose_carried_forward_inputs(rated.values(), old)
    parts = [
        part for part in row.parts if part.series in there.difference(lapsed).union(held_names)
    ]
    # the weights of what counts sum to 1 again
    held_weight = sum((part.weight for part in parts), Decimal(0))
    weighed = [part.weight * scores[part.series] for part in parts]
    shares = tuple(
        _build_contribution(
            part, points[part.series], histories[part.series], scores[part.series], share
        )
        for part, share in zip(parts, split_score(weighed, held=held_weight), strict=True)
    )
    score = sum((share.share for share in shares), Decimal(0))
    whole = sum((share.weight for share in shares), Decimal(0))
    return ComposedScore(
        name=row.name,
        score=score,
        band=row.band(score),
        contributions=shares,
        quality=carried_forward_labels.label_carried_forward_inputs(
            quality,
            held_names,
            share=sum((share.weight for share in shares if share.series in held_names), Decimal(0))
            / whole,
        ),
        version=row.version,
    )


def rank_in_history(value: Decimal, values: Sequence[Decimal], direction: int) -> Decimal:
    """Return the place of a value among sorted values, 0 to 100.

    It is the share of values that are not above it or, where a low value is strain, not below it.
    """
    if direction > 0:
        rank = bisect_right(values, value)
    else:
        rank = len(values) - bisect_left(values, value)
    return (Decimal(100) * rank / len(values)).quantize(SCORE_STEP, ROUND_HALF_EVEN)


def _build_input(part: Part, point: Point | None, histories: Mapping[str, History]) -> SeriesInput:
    past = histories.get(part.series, ())
    short = find_history_fault(past) if point is not None else ""
    return SeriesInput(
        name=part.series,
        weight=part.weight,
        point=None if short else point,
        required=part.required,
        short=short,
    )


def find_history_fault(past: History) -> str:
    """Return why a history is too short for a place in it; an empty text for ten years."""
    if past and past[-1][0] - past[0][0] >= LONG_ENOUGH:
        return ""
    return describe_short_history(min(count_months(past), YEARS * 12 - 1), of=YEARS * 12)


def split_score(weighed: Sequence[Decimal], *, held: Decimal) -> list[Decimal]:
    """Return each number divided by `held`, in steps of 0.0001, so that they sum to the score.

    The score is the rounded sum over `held`; what rounding down leaves over goes to the largest
    remainders. Rounded each by itself, inputs that are all at 100 would sum to more.
    """
    whole = (sum(weighed, Decimal(0)) / held).quantize(SCORE_STEP, ROUND_HALF_EVEN)
    shares = [(share / held).quantize(SCORE_STEP, ROUND_DOWN) for share in weighed]
    left = int((whole - sum(shares)) / SCORE_STEP)
    # the largest remainders first (Hare's method)
    rests = sorted(range(len(shares)), key=lambda at: shares[at] - weighed[at] / held)
    for at in rests[:left]:
        shares[at] += SCORE_STEP
    return shares


def _score_input(part: Part, point: Point, past: History) -> Decimal:
    return rank_in_history(point.value, sorted(value for _, value in past), part.direction)


def _build_contribution(
    part: Part, point: Point, past: History, score: Decimal, share: Decimal
) -> Contribution:
    return Contribution(
        series=part.series,
        weight=part.weight,
        direction=part.direction,
        score=score,
        share=share,
        point=point,
        first=past[0][0],
        last=past[-1][0],
        values=len(past),
    )
