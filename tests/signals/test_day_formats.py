"""Days as publishers write them, where a time behind one may make it another."""

from datetime import date, timedelta

import pytest

from apps.reference.signals.format_drift import accept_rows
from apps.reference.signals.readers import Malformed, find_reader
from apps.reference.signals.readers.day_formats import parse_day
from tests.conftest import NOON
from tests.signals.fake_publisher import feed, rows


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", "2026-11-20"),
        ("2026-11-20 23:30:00", "2026-11-20"),
        ("2026-11-20T23:30:00", "2026-11-20"),
        ("2026-11-20T00:59:00+01:00", "2026-11-19"),
        ("2026-11-20T01:00:00+01:00", "2026-11-20"),
        ("2026-11-20T17:59:59-06:00", "2026-11-20"),
        ("2026-11-20T18:00:00-06:00", "2026-11-21"),
        ("2026-11-20T23:59:59.999Z", "2026-11-20"),
    ],
)
def test_a_time_that_names_its_zone_is_of_its_day_in_utc(text: str, day: str) -> None:
    assert parse_day(text, "iso") == date.fromisoformat(day)


@pytest.mark.parametrize("text", ["2026-11-20T25:00:00+01:00", "TZ", "0001-01-01T00:00:00+01:00"])
def test_what_is_no_moment_is_no_day(text: str) -> None:
    with pytest.raises(Malformed):
        parse_day(text, "iso")


def test_a_reading_of_after_midnight_in_the_east_is_none_of_the_future() -> None:
    """The gauge at Kaub tells its own time: each night its file was refused for an hour or two."""
    told, today = f"{NOON.date() + timedelta(days=1)}T00:15:00+01:00", NOON.date()
    body = f'{{"timestamp": "{told}", "value": 104.0}}'.encode()
    one, wanted = feed("rhine-kaub"), rows("rhine-kaub")
    readings = accept_rows(
        find_reader(one)(body, one, wanted), feed=one, wanted=wanted, today=today
    )
    assert [(row.day, int(row.value or 0)) for row in readings] == [(today, 104)]
