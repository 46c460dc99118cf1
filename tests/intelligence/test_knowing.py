"""What a process reads for a product serves five minutes, unless anything new was observed."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.intelligence import knowing
from apps.intelligence.catalogue import product_of
from apps.signals import loading, reading
from apps.signals.series import Reading
from tests import sampling
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
PRODUCT = product_of("macro-stress")
assert PRODUCT is not None
NAME = "us.dgs10"


@pytest.fixture
def reads(monkeypatch: Any) -> list[Any]:
    sampling.load(files=("money", "stress"))
    real, found = reading.both, list[Any]()

    def counted(*args: Any, **named: Any) -> Any:
        found.append(named["as_of"])
        return real(*args, **named)

    monkeypatch.setattr("apps.signals.reading.both", counted)
    return found


@pytest.mark.parametrize(
    ("later", "count"),
    [
        (timedelta(0), 1),
        (timedelta(minutes=5) - SECOND, 1),
        (timedelta(minutes=5), 2),
        (-SECOND, 2),
        (DAY, 2),
    ],
)
def test_figures_are_read_once_in_five_minutes(
    reads: list[Any], later: timedelta, count: int
) -> None:
    first = knowing.known(PRODUCT, as_of=NOON)
    other = knowing.known(PRODUCT, as_of=NOON + later)
    assert len(reads) == count
    assert other.as_of == NOON + later
    assert other.points.keys() == first.points.keys() and other.points


def test_what_is_remembered_ends_with_the_day(reads: list[Any]) -> None:
    midnight = NOON.replace(hour=23, minute=59, second=59)
    for moment in (midnight, midnight + SECOND):
        knowing.known(PRODUCT, as_of=moment)
    assert len(reads) == 2


def test_a_new_observation_counts_at_once(reads: list[Any]) -> None:
    name = PRODUCT.series[0]
    before = knowing.known(PRODUCT, as_of=NOON)
    value = before.points[name].value + 1
    leaf = next(iter(reading.leaves_of([name])))
    assert leaf == name
    loading.record(readings=[Reading(name, NOON.date(), value)], source="TEST", now=NOON)
    after = knowing.known(PRODUCT, as_of=NOON + SECOND)
    assert after.points[name].value == value == after.past[name][-1][1]
    assert len(reads) == 2


def test_points_and_histories_are_those_that_are_read_apart(
    django_assert_max_num_queries: Any,
) -> None:
    sampling.load(files=("money", "stress", "oil"))
    loading.record(readings=[Reading(NAME, NOON.date(), Decimal("4.1"))], source="FED", now=NOON)
    old = NOON - timedelta(days=900)
    loading.record(readings=[Reading("ofr.fsi", old.date(), Decimal(2))], source="OFR", now=old)
    names = (NAME, "us.curve.10y2y", "ofr.fsi", "oil.brent", "us.epu")
    for since in (None, NOON.date() - 30 * DAY, NOON.date() - 4000 * DAY):
        with django_assert_max_num_queries(3):
            points, past = reading.both(names, as_of=NOON, since=since)
        assert points == reading.latest(names, as_of=NOON)
        assert past == reading.histories(names, as_of=NOON, since=since)
    assert not points["ofr.fsi"].sample
