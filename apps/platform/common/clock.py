"""The one place that reads the clock; views, jobs and commands pass the moment on."""

from datetime import UTC, datetime, timedelta

from django.conf import settings

SKEW = timedelta(minutes=1)  # by which clocks of two hosts may differ


def now() -> datetime:
    """Return the present moment, in UTC; a sandbox may be some hours ahead (CLOCK_AHEAD)."""
    ahead = getattr(settings, "CLOCK_AHEAD", 0)  # projects that take payments alone lack it
    return datetime.now(UTC) + timedelta(hours=ahead)


def format_utc(moment: datetime) -> str:
    """Return a moment as ISO 8601 UTC with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
