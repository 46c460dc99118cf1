"""Calendars decide which days have a value, and by when the next one should be there."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals import services
from apps.reference.signals.calendars import (
    easter_sunday,
    is_working_day,
    next_value_day,
    next_value_expected_at,
)
from apps.reference.signals.selectors import series_board, series_values
from apps.reference.signals.series import FEEDS, SERIES, Reading, find_feed
from tests.signals.fake_publisher import feed

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(2000, 4, 23), (2008, 3, 23), (2011, 4, 24), (2024, 3, 31), (2025, 4, 20), (2026, 4, 5),
     (2027, 3, 28), (2038, 4, 25), (1954, 4, 18), (1981, 4, 19)],
)  # fmt: skip
def test_easter(year: int, month: int, day: int) -> None:
    assert easter_sunday(year) == date(year, month, day)


@pytest.mark.parametrize(
    ("calendar", "closed", "open_on"),
    [
        ("TARGET", ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25"],
         ["2026-04-02", "2026-04-07", "2026-05-25", "2026-11-26", "2026-12-24"]),
        ("US_FED", ["2026-01-01", "2026-01-19", "2026-02-16", "2026-05-25", "2026-06-19",
                    "2026-09-07", "2026-10-12", "2026-11-11", "2026-11-26", "2026-12-25",
                    "2027-07-05", "2022-12-26"],
         ["2026-04-03", "2026-05-01", "2026-07-03", "2026-11-27", "2027-07-06"]),
        ("US_MARKETS", ["2026-04-03", "2026-07-03", "2026-11-26", "2021-12-24", "2023-01-02"],
         ["2026-10-12", "2026-11-11", "2026-04-06", "2021-12-31"]),
        ("", ["2026-11-21", "2026-11-22"], ["2026-12-25", "2026-01-01"]),
    ],
)  # fmt: skip
def test_days_on_which_it_is_closed_and_those_beside_them(
    calendar: str, closed: list[str], open_on: list[str]
) -> None:
    assert not any(is_working_day(date.fromisoformat(one), calendar) for one in closed)
    assert all(is_working_day(date.fromisoformat(one), calendar) for one in open_on)


@pytest.mark.parametrize(
    ("name", "day", "after", "by"),
    [
        # Maundy Thursday: the next rate is of the Tuesday after Easter
        ("ecb-rates", "2026-04-02", "2026-04-07", "2026-04-08"),
        ("ecb-rates", "2026-11-19", "2026-11-20", "2026-11-23"),
        # the day before Thanksgiving
        ("fed-h15", "2026-11-25", "2026-11-27", "2026-12-01"),
        ("ofr-fsi", "2026-11-18", "2026-11-19", "2026-11-24"),
        ("chicago-nfci", "2026-11-13", "2026-11-20", "2026-11-26"),
        ("nsidc-ice-north", "2026-11-20", "2026-11-21", "2026-11-23"),
        ("pink-sheet", "2026-11-30", "2026-12-31", "2027-01-06"),
        ("pink-sheet", "2026-12-31", "2027-01-31", "2027-02-06"),
        ("pink-sheet", "2027-01-31", "2027-02-28", "2027-03-06"),
        ("owid-energy", "2025-12-31", "2026-12-31", "2027-06-29"),
    ],
)
def test_the_next_value_is_of_a_day_and_comes_by_another(
    name: str, day: str, after: str, by: str
) -> None:
    one, of = feed(name), date.fromisoformat(day)
    assert next_value_day(of, one) == date.fromisoformat(after)
    assert next_value_expected_at(of, one) == datetime.fromisoformat(by).replace(tzinfo=UTC)


def test_what_comes_by_the_minute_is_expected_at_no_day() -> None:
    assert next_value_expected_at(date(2026, 11, 20), feed("rhine-kaub")) is None


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.sampled_from(FEEDS))
def test_the_next_value_is_later_and_on_an_open_day(day: date, one: object) -> None:
    after = next_value_day(day, one)  # type: ignore[arg-type]
    assert after > day
    if one.cadence == "business_day":  # type: ignore[attr-defined]
        assert is_working_day(after, one.calendar)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [one.name for one in FEEDS if one.cadence == "business_day"])
def test_a_publisher_who_keeps_its_lag_is_never_too_old(name: str) -> None:
    """Over forty years: the longest closing of its calendar is within the age it may have."""
    new_feed = feed(name)
    limits = [
        series_values.series_max_age(row.leader or row.name) for row in SERIES if row.feed == name
    ]
    longest = timedelta(0)
    for n in range(40 * 365):
        day = date(2000, 1, 3) + n * DAY
        if is_working_day(day, new_feed.calendar):
            due = next_value_expected_at(day, new_feed)
            assert due is not None
            longest = max(longest, due - datetime(day.year, day.month, day.day, tzinfo=UTC))
    assert longest <= min(limits), (longest, limits)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("hours", "standing"), [(0, "In age"), (1, "In age, next one late"), (999, "Too old")]
)
def test_the_board_tells_when_the_next_value_is_due_and_late(hours: int, standing: str) -> None:
    day = date(2026, 11, 18)
    due = datetime(2026, 11, 23, tzinfo=UTC)
    one = [Reading("us.dgs10", day, Decimal("4.1")), Reading("us.dgs2", day, Decimal("3.5"))]
    services.record_readings(readings=one, source="FED", now=due - 3 * DAY)
    lines = {
        board_line.name: board_line
        for board_line in series_board.list_board_lines(now=due + timedelta(hours=hours))
    }
    for name in ("us.dgs10", "us.curve.10y2y"):
        assert (lines[name].standing, lines[name].due) == (standing, due)


def test_every_business_day_series_of_a_public_calendar_names_it() -> None:
    for row in SERIES:
        one = find_feed(row)
        if one is not None and one.cadence == "business_day":
            assert one.calendar, one.name
