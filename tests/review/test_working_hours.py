"""Working time. Feature 17 of the desk's feature list."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.review.desk_hours import load_working_hours
from apps.backoffice.review.rules.hours import DAY, WorkingHours, compute_due_time

LONDON = WorkingHours(zone=ZoneInfo("UTC"))
ZURICH = WorkingHours(zone=ZoneInfo("Europe/Zurich"), holidays=frozenset({date(2026, 12, 25)}))


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


@pytest.mark.parametrize(
    ("start", "hours", "due"),
    [
        ("2026-11-20T12:00", 4, "2026-11-20T16:00"),
        ("2026-11-20T14:00", 4, "2026-11-20T18:00"),  # the end of a day is still that day
        ("2026-11-20T14:01", 4, "2026-11-23T08:01"),  # Friday to Monday
        ("2026-11-20T18:00", 4, "2026-11-23T12:00"),
        ("2026-11-21T03:00", 4, "2026-11-23T12:00"),  # a Saturday
        ("2026-11-18T07:59", 4, "2026-11-18T12:00"),
        ("2026-11-18T00:00", 10, "2026-11-18T18:00"),
        ("2026-11-18T09:00", 10, "2026-11-19T09:00"),
        ("2026-11-18T09:00", 30, "2026-11-23T09:00"),
        ("2026-11-18T09:00", 0, "2026-11-18T09:00"),
    ],
)
def test_due_times_count_weekdays_from_eight_to_six(start: str, hours: int, due: str) -> None:
    assert compute_due_time(start=at(start), working=timedelta(hours=hours), hours=LONDON) == at(
        due
    )


@pytest.mark.parametrize(
    ("start", "due"),
    [
        ("2026-12-24T16:00", "2026-12-28T10:00"),  # Christmas is a Friday: on to Monday
        ("2026-03-27T16:00", "2026-03-30T09:00"),  # clocks go forward: 8 h is 06:00 UTC then
        ("2026-10-23T15:00", "2026-10-26T10:00"),  # and back: 07:00 UTC
    ],
)
def test_the_desk_opens_by_its_own_clock(start: str, due: str) -> None:
    assert compute_due_time(start=at(start), working=timedelta(hours=4), hours=ZURICH) == at(due)


def open_between(start: datetime, end: datetime, hours: WorkingHours) -> timedelta:
    """Return for how long the desk was open, day by day from the wall clock of its zone."""
    total, day = timedelta(), start.astimezone(hours.zone).date()
    while day <= end.astimezone(hours.zone).date():
        if hours.open_on(day):
            times = (datetime.combine(day, one, hours.zone) for one in (hours.opens, hours.closes))
            opened, closed = (moment.astimezone(UTC) for moment in times)
            total += max(min(closed, end) - max(opened, start), timedelta())
        day += DAY
    return total


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
    st.integers(1, 40),
)
def test_until_it_is_due_the_desk_was_open_for_exactly_so_long(start: datetime, hours: int) -> None:
    working = timedelta(hours=hours)
    due = compute_due_time(start=start, working=working, hours=ZURICH)
    assert open_between(start, due, ZURICH) == working
    local = due.astimezone(ZURICH.zone)
    assert ZURICH.open_on(local.date()) and time(8) <= local.time() <= time(18)


def test_zone_and_holidays_are_settings(settings: object) -> None:
    settings.DESK_TIME_ZONE = "Europe/Zurich"  # type: ignore[attr-defined]
    settings.DESK_HOLIDAYS = ["2026-12-25"]  # type: ignore[attr-defined]
    assert load_working_hours() == ZURICH


@pytest.mark.parametrize(
    ("country", "closed", "opened"),
    [
        ("CH-ZH", ("2026-01-01", "2027-05-01", "2031-12-25"), ("2026-01-06", "2027-12-24")),
        ("gb", ("2026-12-25", "2026-12-28"), ("2026-05-01",)),
        ("", (), ("2026-01-01", "2026-12-25")),
    ],
)
def test_public_holidays_of_a_country_close_the_desk_in_every_year(
    settings: Any, country: str, closed: tuple[str, ...], opened: tuple[str, ...]
) -> None:
    settings.DESK_HOLIDAYS_COUNTRY, settings.DESK_HOLIDAYS = country, ["2026-11-20"]
    hours = load_working_hours()
    found = {day: hours.open_on(date.fromisoformat(day)) for day in (*closed, *opened)}
    weekdays = {d for d in opened if date.fromisoformat(d).weekday() < 5}
    assert {day for day, is_open in found.items() if is_open} == weekdays
    assert not hours.open_on(date(2026, 11, 20))


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("DESK_TIME_ZONE", "Mars/Base", "DESK_TIME_ZONE"),
        ("DESK_HOLIDAYS", ["25.12."], "DESK_HOLIDAYS"),
        ("DESK_HOLIDAYS_COUNTRY", "Switzerland", "such as CH or CH-ZH"),
        ("DESK_HOLIDAYS_COUNTRY", "CH-XX", "such as CH or CH-ZH"),
    ],
)
def test_a_setting_that_is_none_says_how_to_write_it(
    settings: Any, name: str, value: Any, advice: str
) -> None:
    setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=advice):
        load_working_hours()
