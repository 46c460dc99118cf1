"""Convert days to spans of time, in UTC. Pure."""

import re
from datetime import UTC, date, datetime, time

MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def start_of_day(day: date) -> datetime:
    """Return the first moment of a day, in UTC."""
    return datetime.combine(day, time(), UTC)


def month_number(day: date) -> int:
    """Return the running number of a day's month; the difference of two counts months."""
    return day.year * 12 + day.month


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_day(text: str) -> date | None:
    """Parse a day as forms and addresses write it (2026-11-20, ASCII, nothing else), or None."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
