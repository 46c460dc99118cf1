"""The only module that reads the clock; views, jobs and commands pass the moment on."""

from datetime import UTC, datetime, timedelta

from django.conf import settings

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SKEW = timedelta(minutes=1)  # how far the clocks of two hosts may differ


def now() -> datetime:
    """Return the present moment in UTC; a sandbox may be some hours ahead (CLOCK_AHEAD)."""
    ahead = getattr(settings, "CLOCK_AHEAD", 0)  # projects that only take payments lack the setting
    return datetime.now(UTC) + timedelta(hours=ahead)


def assume_utc(moment: datetime) -> datetime:
    """Return a moment with a time zone; one without is taken as UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_moment(text: str) -> datetime:
    """Parse an ISO date or time; a day without a time means its beginning, in UTC."""
    return assume_utc(datetime.fromisoformat(text))


def format_utc(moment: datetime) -> str:
    """Return a moment as ISO 8601 UTC with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_epoch_seconds(moment: datetime) -> int:
    """Return a moment as whole Unix seconds."""
    return int(moment.timestamp())
