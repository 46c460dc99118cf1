"""The one place that reads the clock; views, jobs and commands pass the moment on."""

from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings

SKEW = timedelta(minutes=1)  # by which clocks of two hosts may differ


def now() -> datetime:
    """Return the present moment, in UTC; a sandbox may be some hours ahead (CLOCK_AHEAD)."""
    ahead = getattr(settings, "CLOCK_AHEAD", 0)  # projects that take payments alone lack it
    return datetime.now(UTC) + timedelta(hours=ahead)


def start_of_day(day: date) -> datetime:
    """Return the first moment of a day, in UTC."""
    return datetime.combine(day, time(), UTC)
