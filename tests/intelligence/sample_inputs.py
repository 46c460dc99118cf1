"""What a method is given, out of the bundled sample's files and without a database."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.reference.signals import sample_data
from apps.reference.signals.points import Point
from apps.reference.signals.selectors import series_values
from apps.reference.signals.stored_values import SeriesTable, StoredValue
from tests.conftest import NOON

SAMPLE = "SAMPLE"


@cache
def _rows() -> tuple[Any, ...]:
    return tuple(sample_data.iter_sample_rows(now=NOON))


def sample(names: tuple[str, ...], day: str = "2026-11-20", **asked: Any) -> MethodInputs:
    """Return what the sample lets be known of some series at noon of a day."""
    now = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
    leaves = series_values.list_stored_series(names)
    read: dict[str, dict[Any, StoredValue]] = {}
    for row in _rows():
        if row.series in leaves and row.vintage <= now:
            stored_value = StoredValue(row.value, SAMPLE, row.vintage)
            read.setdefault(row.series, {})[row.observed_on] = stored_value
    table = SeriesTable(read)
    points = {name: series_values._build_point(name, table) for name in names}
    past = {
        name: [
            (day, held.value)
            for day, held in sorted(series_values._values_by_day(name, table).items())
        ]
        for name in names
    }
    found: Mapping[str, Point] = {name: one for name, one in points.items() if one}
    return MethodInputs(as_of=now, points=found, past=past, asked=asked)


def at_sample(product: str, day: str = "2026-11-20", **asked: Any) -> MethodResult:
    """Return what a product comes to of the sample, as it was known at noon of a day."""
    row = product_of(product)
    assert row is not None
    return row.compute(sample(row.series, day, **asked))
