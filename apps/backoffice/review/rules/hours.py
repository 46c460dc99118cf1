"""Due times in hours of an open desk, and the lengths of claims and snoozes.

Feature 17 of the desk's feature list. Pure: the desk's hours come in as a value.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)
CLAIM_LASTS = timedelta(minutes=30)
LONGEST_SNOOZE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class WorkingHours:
    """When the desk is open: on weekdays (Monday is 0) that are no holidays, in its own zone.

    `holidays` are days that the desk names, `public` its country's, of all years.
    """

    zone: ZoneInfo
    opens: time = time(8)
    closes: time = time(18)
    weekdays: frozenset[int] = frozenset(range(5))
    holidays: Container[date] = frozenset()
    public: Container[date] = frozenset()

    def open_on(self, day: date) -> bool:
        """Tell whether anybody works on that day."""
        free = day in self.holidays or day in self.public
        return day.weekday() in self.weekdays and not free


def compute_due_time(*, start: datetime, working: timedelta, hours: WorkingHours) -> datetime:
    """Return the moment (UTC) by which the desk was open for `working` since `start`."""
    left = working
    for opened, closed in _iterate_open_times(start, hours):
        # `<=`: what ends with a day is due at its end and not the next morning
        if opened + left <= closed:
            return opened + left
        left -= closed - opened
    raise AssertionError("days never end")


def _iterate_open_times(
    start: datetime, hours: WorkingHours
) -> Iterator[tuple[datetime, datetime]]:
    """Yield the open times from `start` on, in UTC."""
    # differences of local times would be wrong by an hour where summer time begins or ends
    day = start.astimezone(hours.zone).date()
    while True:
        if hours.open_on(day):
            opened = datetime.combine(day, hours.opens, hours.zone).astimezone(UTC)
            closed = datetime.combine(day, hours.closes, hours.zone).astimezone(UTC)
            if closed > start:
                yield max(opened, start.astimezone(UTC)), closed
        day += DAY


def find_snooze_fault(*, until: datetime, now: datetime) -> str:
    """Return what is wrong with the end of a snooze, or an empty text."""
    if until <= now:
        return "Choose a time in the future."
    if until - now > LONGEST_SNOOZE:
        return f"Choose a time within {LONGEST_SNOOZE.days} days."
    return ""
