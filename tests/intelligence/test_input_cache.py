"""What a process reads for a product serves five minutes, unless anything new was observed."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.selectors import product_inputs
from apps.reference.signals import services
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import Reading
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
    real, found = series_values.load_points_and_histories, list[Any]()

    def counted(*args: Any, **named: Any) -> Any:
        found.append(named["as_of"])
        return real(*args, **named)

    monkeypatch.setattr(
        "apps.reference.signals.selectors.series_values.load_points_and_histories", counted
    )
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
    first = product_inputs.load_method_inputs(PRODUCT, as_of=NOON)
    other = product_inputs.load_method_inputs(PRODUCT, as_of=NOON + later)
    assert len(reads) == count
    assert other.as_of == NOON + later
    assert other.points.keys() == first.points.keys() and other.points


def test_what_is_remembered_ends_with_the_day(reads: list[Any]) -> None:
    midnight = NOON.replace(hour=23, minute=59, second=59)
    for moment in (midnight, midnight + SECOND):
        product_inputs.load_method_inputs(PRODUCT, as_of=moment)
    assert len(reads) == 2


def test_a_new_observation_counts_at_once(reads: list[Any]) -> None:
    name = PRODUCT.series[0]
    before = product_inputs.load_method_inputs(PRODUCT, as_of=NOON)
    value = before.points[name].value + 1
    leaf = next(iter(series_values.list_stored_series([name])))
    assert leaf == name
    services.record_readings(readings=[Reading(name, NOON.date(), value)], source="TEST", now=NOON)
    after = product_inputs.load_method_inputs(PRODUCT, as_of=NOON + SECOND)
    assert after.points[name].value == value == after.past[name][-1][1]
    assert len(reads) == 2


def test_points_and_histories_are_those_that_are_read_apart(
    django_assert_max_num_queries: Any,
) -> None:
    sampling.load(files=("money", "stress", "oil"))
    services.record_readings(
        readings=[Reading(NAME, NOON.date(), Decimal("4.1"))], source="FED", now=NOON
    )
    old = NOON - timedelta(days=900)
    services.record_readings(
        readings=[Reading("ofr.fsi", old.date(), Decimal(2))], source="OFR", now=old
    )
    names = (NAME, "us.curve.10y2y", "ofr.fsi", "oil.brent", "us.epu.30d")
    for since in (None, NOON.date() - 30 * DAY, NOON.date() - 4000 * DAY):
        with django_assert_max_num_queries(3):
            points, past = series_values.load_points_and_histories(names, as_of=NOON, since=since)
        assert points == series_values.load_latest_points(names, as_of=NOON)
        assert past == series_values.load_histories(names, as_of=NOON, since=since)
    assert not points["ofr.fsi"].sample
