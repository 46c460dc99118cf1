"""Days and moments of the SAR log, written in the desk's time zone."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from apps.platform.desk.local_dates import local_date

__all__ = ["format_day_count", "format_days_left", "format_moment_in_zone", "local_date"]


def format_moment_in_zone(moment: datetime, *, zone: str) -> str:
    """Return a moment in the zone in which its days are counted, and in UTC if that differs."""
    local, universal = moment.astimezone(ZoneInfo(zone)), moment.astimezone(UTC)
    if zone == "UTC":
        return f"{universal:%d %b %Y %H:%M:%S} UTC"
    place = zone.replace("_", " ")
    return f"{local:%d %b %Y %H:%M:%S} {place} ({universal:%d %b %Y %H:%M:%S} UTC)"


def format_days_left(*, by: date, today: date) -> str:
    """Return in words how far away a last day is."""
    days = (by - today).days
    if days == 0:
        return "today"
    return f"{format_day_count(days)} left" if days > 0 else f"{format_day_count(-days)} late"


def format_day_count(number: int) -> str:
    """Return a number of days in words."""
    return f"{number} day" if number == 1 else f"{number} days"
