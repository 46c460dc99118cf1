"""A composite as it is computed: transformed inputs, their contributions, and how good it is."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from apps.signals import holding, reading
from apps.signals.composites import Composite, Part
from apps.signals.points import Point
from apps.signals.quality import Input, Quality, Unavailable, counts, judge

FINE = Decimal("0.0001")
LONG = timedelta(days=3652)  # ten years, less a day of leap years: what the window must span
History = Sequence[tuple[date, Decimal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
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
class Composed:
    """A composite at a moment: its shares sum to the score, exactly."""

    name: str
    score: Decimal
    band: str
    contributions: tuple[Share, ...]
    quality: Quality
    version: str


def compose(row: Composite, *, as_of: datetime) -> Composed:
    """Return a composite as it was known at a moment; in at most three queries.

    Weights of inputs that do not count go to the others; one that has grown too old is held where
    it is more strained than these (apps/signals/holding.py). Raises Unavailable where too little
    counts (apps/signals/quality.py). An input whose history is shorter than ten years is none.
    """
    names = [part.series for part in row.parts]
    points = reading.latest(names, as_of=as_of)
    past = reading.histories(names, as_of=as_of, since=row.start)
    return composed(row, points=points, histories=past, as_of=as_of)


def composed(
    row: Composite,
    *,
    points: Mapping[str, Point],
    histories: Mapping[str, History],
    as_of: datetime,
) -> Composed:
    """Return a composite of points and histories. Pure; see `compose`."""
    inputs = [_input(part, points.get(part.series), histories) for part in row.parts]
    quality = judge(inputs, as_of=as_of)
    if quality.coverage < row.coverage:
        raise Unavailable("Too few of the series that this rests on are in age.")
    there = {one.name for one in inputs if one.point is not None}
    scores = {
        part.series: _score(part, points[part.series], histories[part.series])
        for part in row.parts
        if part.series in there
    }
    lapsed = [one.name for one in inputs if one.name in there and not counts(one, as_of=as_of)]
    kept = _held(row, scores, lapsed)
    parts = [part for part in row.parts if part.series in there.difference(lapsed).union(kept)]
    shares = _shares(parts, scores, points, histories)
    score = sum((one.share for one in shares), Decimal(0))
    return Composed(
        name=row.name,
        score=score,
        band=row.band(score),
        contributions=shares,
        quality=holding.told(quality, kept, share=_weight(shares, kept)),
        version=row.version,
    )


def place(value: Decimal, values: Sequence[Decimal], direction: int) -> Decimal:
    """Return the place of a value among sorted values, 0 to 100: the share that is not above it,
    or, where a low value is strain, not below it.
    """
    if direction > 0:
        rank = bisect_right(values, value)
    else:
        rank = len(values) - bisect_left(values, value)
    return (Decimal(100) * rank / len(values)).quantize(FINE, ROUND_HALF_EVEN)


def _input(part: Part, point: Point | None, histories: Mapping[str, History]) -> Input:
    past = histories.get(part.series, ())
    long = bool(past) and past[-1][0] - past[0][0] >= LONG
    return Input(
        name=part.series,
        weight=part.weight,
        point=point if long else None,
        required=part.required,
    )


def _held(row: Composite, scores: Mapping[str, Decimal], lapsed: Sequence[str]) -> list[str]:
    """Return the inputs that are held though they are too old."""
    rated = {part.series: (part.weight, scores[part.series]) for part in row.parts
             if part.series in scores}  # fmt: skip
    old = {name: rated.pop(name) for name in lapsed}
    return holding.held(rated.values(), old)


def _weight(shares: Sequence[Share], names: Sequence[str]) -> Decimal:
    """Return which part of the weight these inputs have, 0 to 1."""
    whole = sum((one.weight for one in shares), Decimal(0))
    return sum((one.weight for one in shares if one.series in names), Decimal(0)) / whole


def _shares(
    parts: Sequence[Part],
    scores: Mapping[str, Decimal],
    points: Mapping[str, Point],
    histories: Mapping[str, History],
) -> tuple[Share, ...]:
    """Return what each input adds where these count, and their weights are the whole."""
    held = sum((part.weight for part in parts), Decimal(0))
    weighed = [part.weight * scores[part.series] for part in parts]
    return tuple(
        _share(part, points[part.series], histories[part.series], scores[part.series], share)
        for part, share in zip(parts, split(weighed, held=held), strict=True)
    )


def split(weighed: Sequence[Decimal], *, held: Decimal) -> list[Decimal]:
    """Return numbers over `held` in steps of 0.0001, which sum to their sum over it so rounded.

    What is left over goes to the largest remainders. Rounded each by itself, inputs that are all
    at 100 would sum to more.
    """
    whole = (sum(weighed, Decimal(0)) / held).quantize(FINE, ROUND_HALF_EVEN)
    found = [(one / held).quantize(FINE, ROUND_DOWN) for one in weighed]
    left = int((whole - sum(found)) / FINE)
    rests = sorted(range(len(found)), key=lambda at: found[at] - weighed[at] / held)
    for at in rests[:left]:
        found[at] += FINE
    return found


def _score(part: Part, point: Point, past: History) -> Decimal:
    return place(point.value, sorted(value for _, value in past), part.direction)


def _share(part: Part, point: Point, past: History, score: Decimal, share: Decimal) -> Share:
    return Share(
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


def standard(made: Composed, histories: Mapping[str, History]) -> Decimal:
    """Return the weighted mean of how many standard deviations each input is from its mean.

    It has no bounds, and so tells a crisis from a worse one, as published stress indexes do.
    """
    total = sum((one.weight for one in made.contributions), Decimal(0))
    return (
        sum(
            (
                one.direction * one.weight * _deviation(one, histories[one.series])
                for one in made.contributions
            ),
            Decimal(0),
        )
        / total
    )


def _deviation(one: Share, past: History) -> Decimal:
    values = [value for _, value in past]
    mean = sum(values, Decimal(0)) / len(values)
    spread = (sum(((value - mean) ** 2 for value in values), Decimal(0)) / len(values)).sqrt()
    return (one.point.value - mean) / spread if spread else Decimal(0)
