"""The series that a run of the oracle reads, as they were known at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from apps.insight.stability.oracle.rules import layers
from apps.insight.stability.oracle.rules.measures import Facts, SeriesValues
from apps.reference.signals.points import Point
from apps.reference.signals.quality import SeriesInput, is_input_counted
from apps.reference.signals.selectors import series_values, silent_feeds

Points = Mapping[str, Point]
# length of histories: changes over a year, and the days by which a value may be older
BACK = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class SeriesSnapshot:
    """What was known at a moment: the newest points, as facts those that count, and as `last` all
    of them, however old.
    """

    points: Points
    facts: Facts
    last: Facts
    as_of: datetime


def load_series_snapshot(*, as_of: datetime) -> SeriesSnapshot:
    """Return the data of every series of the oracle, in at most four queries."""
    points = silent_feeds.expire_silent_points(
        series_values.load_latest_points(layers.list_oracle_series(), as_of=as_of), as_of=as_of
    )
    # old series and the sample end in the past, and their changes are measured from their own end
    oldest = min((point.day for point in points.values()), default=as_of.date())
    past = series_values.load_histories(points, as_of=as_of, since=oldest - BACK)
    last = {
        name: SeriesValues(point.day, point.value, past[name]) for name, point in points.items()
    }
    facts = {
        name: seen
        for name, seen in last.items()
        if is_input_counted(build_weighed_input(name, Decimal(1), points[name]), as_of=as_of)
    }
    return SeriesSnapshot(points, facts, last, as_of)


def build_weighed_input(
    name: str, weight: Decimal, point: Point | None, *, required: bool = False
) -> SeriesInput:
    return SeriesInput(name=name, weight=weight, point=point, required=required)
