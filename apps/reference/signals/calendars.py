"""The working days of each calendar, and when a series' next value is due. Pure.

A calendar decides which days have a value; how old a value may be is counted in plain time, from
its day (`max_age`), and long enough for the longest closing of the calendar.
"""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta

from apps.platform.common.days import start_of_day
from apps.reference.signals.series.definitions import DAY, Feed

SATURDAY = 5


def easter_sunday(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    leaps, lag = divmod(century, 4)
    moon = (19 * golden + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * lag + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def target_holidays(year: int) -> set[date]:
    """Return the days on which the European Central Bank's TARGET is closed."""
    sunday = easter_sunday(year)
    # New Year, Labour Day, Christmas and Boxing Day; Good Friday and Easter Monday move
    fixed = {date(year, month, day) for month, day in ((1, 1), (5, 1), (12, 25), (12, 26))}
    return fixed | {sunday - 2 * DAY, sunday + DAY}


def federal_reserve_holidays(year: int) -> set[date]:
    """Return the holidays of the Federal Reserve: one on a Sunday is kept on the Monday."""
    fixed = [date(year, month, day) for month, day in ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))]
    # one on a Saturday is not moved: the banks are open on the Friday
    moved = {day + DAY if day.weekday() == 6 else day for day in fixed}
    return moved | {
        _nth_weekday(year, 1, 0, 3),  # Martin Luther King
        _nth_weekday(year, 2, 0, 3),  # Washington
        _nth_weekday(year, 6, 0, 1) - 7 * DAY,  # Memorial Day, the last Monday of May
        _nth_weekday(year, 9, 0, 1),  # Labor Day
        _nth_weekday(year, 10, 0, 2),  # Columbus Day
        _nth_weekday(year, 11, 3, 4),  # Thanksgiving
    }


def us_market_holidays(year: int) -> set[date]:
    """Return the holidays of the US stock exchanges.

    They are open on Columbus Day and on Veterans Day, closed on Good Friday; a holiday on a
    Saturday is kept on the Friday, but for New Year.
    """
    # 11 November, or the 12th if that is the Monday after a Sunday
    open_on = {_nth_weekday(year, 10, 0, 2), date(year, 11, 11), date(year, 11, 12)}
    closed = (federal_reserve_holidays(year) - open_on) | {easter_sunday(year) - 2 * DAY}
    early = {day - DAY for day in closed if day.weekday() == SATURDAY and day.month > 1}
    return closed | early


def _nth_weekday(year: int, month: int, weekday: int, count: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1))


def no_holidays(_: int) -> set[date]:
    """Return no holiday: of those who name no calendar, only weekends are closed."""
    return set()


CALENDARS: dict[str, Callable[[int], set[date]]] = {
    "": no_holidays,
    "TARGET": target_holidays,
    "US_FED": federal_reserve_holidays,
    "US_MARKETS": us_market_holidays,
}


def is_working_day(day: date, calendar: str) -> bool:
    """Return whether a day is a working day of a calendar."""
    return day.weekday() < SATURDAY and day not in CALENDARS[calendar](day.year)


def next_value_day(day: date, feed: Feed) -> date:
    """Return the day that the next value of a file is of, after one of a day."""
    if feed.cadence == "business_day":
        return _add_working_days(day, 1, feed.calendar)
    # figures of a period are dated by its last day
    if feed.cadence in ("month", "quarter"):
        months = day.year * 12 + day.month + (0 if feed.cadence == "month" else 2)
        year, month = divmod(months, 12)
        return date(year, month + 1, monthrange(year, month + 1)[1])
    if feed.cadence == "year":
        return date(day.year + 1, 12, 31)
    return day + (7 * DAY if feed.cadence == "week" else DAY)


def next_value_expected_at(day: date, feed: Feed) -> datetime | None:
    """Return when the next value after that of a day is due.

    A lag of whole days is counted in working days for files with a value for each of them. None for
    values by the minute: such a file is fetched at intervals.
    """
    if feed.cadence == "minutes":
        return None
    after = next_value_day(day, feed)
    if feed.cadence == "business_day":
        whole = _add_working_days(after, feed.lag.days, feed.calendar)
        return start_of_day(whole) + (feed.lag - feed.lag.days * DAY)
    return start_of_day(after) + feed.lag


def _add_working_days(day: date, count: int, calendar: str) -> date:
    while count > 0:
        day += DAY
        # a boolean counts as 1 or 0
        count -= is_working_day(day, calendar)
    return day
