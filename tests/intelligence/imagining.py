"""What a method is given, out of the bundled sample's files and without a database."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from apps.intelligence.catalogue import product_of
from apps.intelligence.known import Known, Made
from apps.signals import reading, samples
from apps.signals.points import Point
from apps.signals.tables import Held, Table
from tests.conftest import NOON

SAMPLE = "SAMPLE"


@cache
def _rows() -> tuple[Any, ...]:
    return tuple(samples.rows(now=NOON))


def sample(names: tuple[str, ...], day: str = "2026-11-20", **asked: Any) -> Known:
    """Return what the sample lets be known of some series at noon of a day."""
    now = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
    leaves = reading.leaves_of(names)
    read: dict[str, dict[Any, Held]] = {}
    for one in _rows():
        if one.series in leaves and one.vintage <= now:
            held = Held(one.value, SAMPLE, one.vintage)
            read.setdefault(one.series, {})[one.observed_on] = held
    table = Table(read)
    points = {name: reading._point(name, table) for name in names}
    past = {
        name: [(day, held.value) for day, held in sorted(reading._days(name, table).items())]
        for name in names
    }
    found: Mapping[str, Point] = {name: one for name, one in points.items() if one}
    return Known(as_of=now, points=found, past=past, asked=asked)


def at_sample(product: str, day: str = "2026-11-20", **asked: Any) -> Made:
    """Return what a product comes to of the sample, as it was known at noon of a day."""
    row = product_of(product)
    assert row is not None
    return row.compute(sample(row.series, day, **asked))
