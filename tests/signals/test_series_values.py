"""Series as they are read: newest points and histories, as they were known at a moment."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.signals import services
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import Reading
from tests import sampling
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
TODAY = NOON.date()
DAY = timedelta(days=1)


def keep(name: str, value: str, days: int = 0, source: str = "FED", ago: timedelta = DAY) -> None:
    reading = Reading(name, TODAY - days * DAY, Decimal(value))
    services.record_readings(readings=[reading], source=source, now=NOON - ago)


def test_a_point_says_where_it_is_from_and_how_old_it_is(django_assert_num_queries: Any) -> None:
    keep("us.dgs10", "4.12", 2)
    keep("us.dgs10", "4.10", 3)
    with django_assert_num_queries(1):
        point = series_values.load_latest_points(["us.dgs10"], as_of=NOON)["us.dgs10"]
    assert (point.value, point.day, point.unit) == (Decimal("4.12"), TODAY - 2 * DAY, "per cent")
    assert (point.source, point.kind, point.vintage) == ("FED", "observed", NOON - DAY)
    assert "public domain" in point.licence
    assert point.age_seconds(NOON) == 2 * 86400 + 12 * 3600
    assert not point.stale(NOON) and point.stale(NOON + 4 * DAY)


def test_what_was_never_observed_has_no_point() -> None:
    assert series_values.load_latest_points(["us.dgs10"], as_of=NOON) == {}
    assert list(series_values.load_history("us.dgs10", as_of=NOON)) == []


def test_a_series_of_no_row_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"us\.dgs99"):
        series_values.load_latest_points(["us.dgs99"], as_of=NOON)


def test_only_what_was_known_then_is_read() -> None:
    keep("us.dgs10", "4.10", 3, ago=2 * DAY)
    keep("us.dgs10", "4.11", 3, ago=DAY)
    keep("us.dgs10", "4.20", 2, ago=DAY)
    then = NOON - DAY - timedelta(seconds=1)
    assert series_values.load_latest_points(["us.dgs10"], as_of=then)["us.dgs10"].value == Decimal(
        "4.10"
    )
    assert list(series_values.load_history("us.dgs10", as_of=then)) == [
        (TODAY - 3 * DAY, Decimal("4.10"))
    ]
    assert list(series_values.load_history("us.dgs10", as_of=NOON)) == [
        (TODAY - 3 * DAY, Decimal("4.11")),
        (TODAY - 2 * DAY, Decimal("4.20")),
    ]
    assert len(series_values.load_history("us.dgs10", as_of=NOON, since=TODAY - 2 * DAY)) == 1


def test_a_derived_series_is_of_the_last_day_that_all_its_inputs_have() -> None:
    for days, ten, two in ((3, "4.10", "3.60"), (2, "4.20", "3.65")):
        keep("us.dgs10", ten, days)
        keep("us.dgs2", two, days)
    keep("us.dgs10", "9.99", 1)
    point = series_values.load_latest_points(["us.curve.10y2y"], as_of=NOON)["us.curve.10y2y"]
    assert (point.value, point.day, point.kind) == (Decimal("0.55"), TODAY - 2 * DAY, "derived")
    assert point.source == "FED" and "public domain" in point.licence
    assert series_values.load_history("us.curve.10y2y", as_of=NOON)[0][1] == Decimal("0.50")


def test_the_sample_serves_only_where_nothing_real_is_known(settings: Any) -> None:
    keep("us.dgs10", "4.00", 100, source="SAMPLE")
    keep("us.dgs2", "3.00", 100, source="SAMPLE")
    assert series_values.load_latest_points(["us.dgs10"], as_of=NOON)["us.dgs10"].sample
    assert series_values.load_latest_points(["us.curve.10y2y"], as_of=NOON)["us.curve.10y2y"].sample
    keep("us.dgs10", "4.10", 200)
    latest_points = series_values.load_latest_points(["us.dgs10", "us.dgs2"], as_of=NOON)
    assert (latest_points["us.dgs10"].sample, latest_points["us.dgs2"].sample) == (False, True)
    sampling.in_production(settings)
    assert list(series_values.load_latest_points(["us.dgs10", "us.dgs2"], as_of=NOON)) == [
        "us.dgs10"
    ]


def test_what_is_older_than_two_years_is_found_by_a_second_query(
    django_assert_num_queries: Any,
) -> None:
    keep("us.dgs10", "4.12", 2)
    keep("us.dgs2", "0.25", 2000)
    with django_assert_num_queries(2):
        latest_points = series_values.load_latest_points(["us.dgs10", "us.dgs2"], as_of=NOON)
    assert latest_points["us.dgs2"].day == date(2021, 5, 30)
    with django_assert_num_queries(1):
        series_values.load_history("us.dgs2", as_of=NOON)
