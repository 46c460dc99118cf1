"""The number of a feed, read from where its row says; raises Unavailable where there is none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import singledispatch
from typing import Any

from apps.core.chain import proven
from apps.intelligence import knowing
from apps.intelligence.catalogue import product_of
from apps.intelligence.catalogue.shape import EARLIEST
from apps.intelligence.feeds.table import (
    Feed,
    OfComposite,
    OfProduct,
    OfSeries,
    OfStability,
    Source,
)
from apps.intelligence.known import Known
from apps.signals import keeping, reading
from apps.signals.composing import place
from apps.signals.points import Point
from apps.signals.quality import Unavailable
from apps.stability.models import StabilityRun
from apps.stability.oracle.rules.decision import too_old

FULL = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A number: of when its oldest required input is, how good it is, and what it rests on.

    `by` is what its word is found by, where that is not the number itself.
    """

    value: Decimal
    as_of: datetime
    quality: str
    points: tuple[Point, ...] = field(default=())
    by: Decimal | None = None


def read(feed: Feed, *, now: datetime) -> Read:
    """Return the number of a feed at a moment; raises Unavailable where too little is known."""
    source = next(one for one in feed.sources if _there(one))
    return read_one(source, now)


def _there(source: Source) -> bool:
    return not isinstance(source, OfProduct) or product_of(source.product) is not None


@singledispatch
def read_one(source: Any, now: datetime) -> Read:
    """Return the number of one source at a moment; raises Unavailable where too little is known."""
    raise TypeError(f"{type(source).__name__} is no source")


@read_one.register
def _of_product(source: OfProduct, now: datetime) -> Read:
    product = product_of(source.product)
    assert product is not None
    known = knowing.known(product, as_of=now)
    made = product.compute(known)
    value: Any = made.body
    for name in source.path.split("."):
        value = value[name]
    if value is None:
        raise Unavailable(f"Too little is known for the headline of {source.product}.")
    points = [point for name in product.series if (point := known.point(name))]
    return Read(
        value=Decimal(value),
        as_of=made.quality.as_of,
        quality=made.quality.label,
        points=tuple(points),
    )


@read_one.register
def _of_composite(source: OfComposite, now: datetime) -> Read:
    names = [part.series for part in source.row.parts]
    made = _known(names, since=source.row.start, now=now).compose(source.row)
    return Read(
        value=FULL - made.score if source.mirrored else made.score,
        as_of=made.quality.as_of,
        quality=made.quality.label,
        points=tuple(one.point for one in made.contributions),
    )


@read_one.register
def _of_series(source: OfSeries, now: datetime) -> Read:
    names = [source.name, *([source.placed] if source.placed else [])]
    known = _known(names, since=EARLIEST if source.placed else now.date(), now=now)
    quality = known.judge([known.input(name, required=True) for name in names])
    points = [point for name in names if (point := known.point(name))]
    return Read(
        value=points[0].value,
        as_of=quality.as_of,
        quality=quality.label,
        points=tuple(points),
        by=_place(source, known) if source.placed else None,
    )


def _place(source: OfSeries, known: Known) -> Decimal:
    values = sorted(value for _, value in known.history(source.placed))
    return place(known.points[source.placed].value, values, source.direction)


@read_one.register
def _of_stability(source: OfStability, now: datetime) -> Read:
    newest = StabilityRun.objects.filter(recorded_at__lte=now).order_by("-slot")[:1]
    run = next(iter(proven(newest)), None)
    if run is None or run.points is None or too_old(now - run.recorded_at):
        raise Unavailable("The stability oracle has no score that is young enough.")
    return Read(value=run.points, as_of=run.recorded_at, quality=run.quality)


def _known(names: Iterable[str], *, since: date, now: datetime) -> Known:
    listed = list(names)
    points: Mapping[str, Point] = reading.latest(listed, as_of=now)
    past = reading.histories(listed, as_of=now, since=since)
    return Known(as_of=now, points=keeping.heard_of(points, as_of=now), past=past)
