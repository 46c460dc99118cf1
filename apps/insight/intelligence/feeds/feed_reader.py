"""Read a feed's number from the source in its row; raises TooFewInputs if there is none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import singledispatch
from typing import Any

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.catalogue.product import EARLIEST
from apps.insight.intelligence.feeds.catalogue import (
    CompositeSource,
    Feed,
    FeedSource,
    ProductSource,
    SeriesSource,
    StabilitySource,
)
from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.selectors import product_inputs
from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle.rules.decision import is_too_old
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.composition import rank_in_history
from apps.reference.signals.points import Point
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.selectors import series_values, silent_feeds

FULL_SCORE = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReading:
    """A feed's number, with the time of its oldest required input, its quality and its inputs.

    `by` is the value that its signal follows from, if that is not the number itself.
    """

    value: Decimal
    as_of: datetime
    quality: str
    points: tuple[Point, ...] = field(default=())
    by: Decimal | None = None


def read_feed(feed: Feed, *, now: datetime) -> FeedReading:
    """Return the number of a feed at a moment; raises TooFewInputs where too little is known."""
    source = next(feed_source for feed_source in feed.sources if _is_source_available(feed_source))
    return read_feed_source(source, now)


def _is_source_available(source: FeedSource) -> bool:
    return not isinstance(source, ProductSource) or product_of(source.product) is not None


@singledispatch
def read_feed_source(source: Any, now: datetime) -> FeedReading:
    """Return the number of one source at a moment; raises TooFewInputs where too little is
    known.
    """
    raise TypeError(f"{type(source).__name__} is no source")


@read_feed_source.register
def _read_product_source(source: ProductSource, now: datetime) -> FeedReading:
    product = product_of(source.product)
    assert product is not None
    method_inputs = product_inputs.load_method_inputs(product, as_of=now)
    answer = product.compute(method_inputs)
    value: Any = answer.body
    for name in source.path.split("."):
        value = value[name]
    if value is None:
        raise TooFewInputs(f"Too few inputs are known to compute {source.product}.")
    points = [point for name in product.series if (point := method_inputs.point(name))]
    return FeedReading(
        value=Decimal(value),
        as_of=answer.quality.as_of,
        quality=answer.quality.label,
        points=tuple(points),
    )


@read_feed_source.register
def _read_composite_source(source: CompositeSource, now: datetime) -> FeedReading:
    names = [part.series for part in source.row.parts]
    score = _load_series_inputs(names, since=source.row.start, now=now).compose(source.row)
    return FeedReading(
        value=FULL_SCORE - score.score if source.mirrored else score.score,
        as_of=score.quality.as_of,
        quality=score.quality.label,
        points=tuple(contribution.point for contribution in score.contributions),
    )


@read_feed_source.register
def _read_series_source(source: SeriesSource, now: datetime) -> FeedReading:
    names = [source.name, *([source.placed] if source.placed else [])]
    series_inputs = _load_series_inputs(
        # a percentile needs the whole history, a newest value none of it
        names,
        since=EARLIEST if source.placed else now.date(),
        now=now,
    )
    quality = series_inputs.judge([series_inputs.input(name, required=True) for name in names])
    points = [point for name in names if (point := series_inputs.point(name))]
    return FeedReading(
        value=points[0].value,
        as_of=quality.as_of,
        quality=quality.label,
        points=tuple(points),
        by=_place_in_history(source, series_inputs) if source.placed else None,
    )


def _place_in_history(source: SeriesSource, method_inputs: MethodInputs) -> Decimal:
    values = sorted(value for _, value in method_inputs.history(source.placed))
    return rank_in_history(method_inputs.points[source.placed].value, values, source.direction)


@read_feed_source.register
def _read_stability_source(source: StabilitySource, now: datetime) -> FeedReading:
    newest = StabilityRun.objects.filter(recorded_at__lte=now).order_by("-slot")[:1]
    run = next(iter(filter_verified_records(newest)), None)
    if run is None or run.points is None or is_too_old(now - run.recorded_at):
        raise TooFewInputs("The stability oracle has no current score.")
    return FeedReading(value=run.points, as_of=run.recorded_at, quality=run.quality)


def _load_series_inputs(names: Iterable[str], *, since: date, now: datetime) -> MethodInputs:
    listed = list(names)
    points: Mapping[str, Point] = series_values.load_latest_points(listed, as_of=now)
    past = series_values.load_histories(listed, as_of=now, since=since)
    return MethodInputs(
        as_of=now, points=silent_feeds.expire_silent_points(points, as_of=now), past=past
    )
