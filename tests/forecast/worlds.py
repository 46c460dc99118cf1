"""What was known of a made-up world: markets are computed of it without a database."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from apps.insight.forecast import computation
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals.points import Point
from tests.conftest import NOON

Past = list[tuple[date, Decimal]]
YEARS = 11


def months(last: Decimal) -> Past:
    """Return eleven years of months, each of another value between 0 and 6, and the last."""
    end = date(2026, 10, 31)
    days = [end - timedelta(days=30 * n) for n in range(12 * YEARS, 0, -1)]
    return [*((day, Decimal(37 * at % 132) / 22) for at, day in enumerate(days)), (end, last)]


def prices(last: Decimal) -> Past:
    """Return prices of months between 100 and 112, and the last."""
    return [(day, 100 + 2 * value) for day, value in months(Decimal(0))[:-1]] + [
        (date(2026, 10, 31), last)
    ]


def world(
    changed: Mapping[str, Decimal], *, left_out: frozenset[str] = frozenset()
) -> SeriesSnapshot:
    """Return a world in which nothing is unusual but the newest values of some series."""
    past = {
        name: _history(name, changed.get(name))
        for name in computation.list_forecast_series()
        if name not in left_out
    }
    return SeriesSnapshot(
        as_of=NOON, points={name: _point(name, held) for name, held in past.items()}, past=past
    )


def _history(name: str, last: Decimal | None) -> Past:
    if name.startswith(("grow.heat.", "grow.rain.")):
        return months(Decimal(3) if last is None else last)
    if name.startswith(("grow.", "drought.")):
        days = [date(2026, 8, 1), NOON.date()]
        return [(days[0], Decimal(0)), (days[1], Decimal(0) if last is None else last)]
    return prices(Decimal(106) if last is None else last)


def _point(name: str, past: Past, **more: Any) -> Point:
    day, value = past[-1]
    told: dict[str, Any] = {
        "source": "TEST", "kind": "observed", "max_age": timedelta(days=120), "unit": "index",
        "vintage": NOON, "licence": "public domain",
    }  # fmt: skip
    return Point(series=name, day=day, value=value, **told | more)
