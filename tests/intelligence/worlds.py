"""What was known of a made-up world: methods are computed of it without a database."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.reference.signals.composition import History
from apps.reference.signals.points import Point
from tests.conftest import NOON

Told = Mapping[str, Mapping[date, float | str | int]]


def world(told: Told) -> MethodInputs:
    """Return what is known where series have these values; none is ever too old."""
    past = {name: _history(days) for name, days in told.items()}
    points = {name: _point(name, days) for name, days in past.items() if days}
    return MethodInputs(as_of=NOON, points=points, past=past)


def yearly(first: int, values: list[float], month: int = 12) -> dict[date, float]:
    """Return values of years in a row, each dated by the end of a month of its year."""
    return {date(first + at, month, 28): value for at, value in enumerate(values)}


def _history(days: Mapping[date, float | str | int]) -> History:
    return [(day, Decimal(str(value))) for day, value in sorted(days.items())]


def _point(name: str, days: History) -> Point:
    day, value = days[-1]
    return Point(
        series=name,
        day=day,
        value=value,
        unit="unit",
        source="PUBLISHER",
        vintage=NOON,
        licence="free",
        kind="observed",
        max_age=timedelta(days=100_000),
    )
