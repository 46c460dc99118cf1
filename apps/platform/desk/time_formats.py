"""Format moments, days and intervals for people. Pure."""

import re
from datetime import UTC, date, datetime, timedelta

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
# a day within a text, optionally with the time of day from an address
DAY = re.compile(r"(?<![\w/-])\d{4}-\d{2}-\d{2}(?![\w-])")
MOMENT = re.compile(r"(?<![\w/-])(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}):\d{2}(?:\.\d+)?\+00:00")


def format_span(seconds: int) -> str:
    """Return a span in its largest whole unit, rounded down: `3 hours`, `1 day`, `40 seconds`."""
    size, unit = next((unit_row for unit_row in UNITS if seconds >= unit_row[0]), UNITS[-1])
    number = max(0, seconds) // size
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def format_rhythm(seconds: int) -> str:
    """Format an interval exactly: `every minute`, `every 6 hours`, `every 90 minutes`."""
    number, unit = split_rhythm(seconds)
    return f"every {unit}" if number == 1 else f"every {number:,} {unit}s"


def split_rhythm(seconds: int) -> tuple[int, str]:
    """Return an interval as a whole number of the largest unit that divides it."""
    size, unit = next(unit_row for unit_row in UNITS if seconds % unit_row[0] == 0)
    return seconds // size, unit


def format_time_until(moment: datetime, now: datetime) -> str:
    """Format how far ahead or back a moment is: `in 3 hours`, `now`, `5 minutes ago`."""
    away = moment - now
    if abs(away) < timedelta(minutes=1):
        return "now"
    words = format_span(int(abs(away).total_seconds()))
    return f"in {words}" if away > timedelta() else f"{words} ago"


def format_moment(moment: datetime) -> str:
    """Format a moment to the minute, in UTC."""
    return f"{moment.astimezone(UTC):%d %b %Y %H:%M} UTC"


def format_day(text: str) -> str:
    """Format an ISO day as the desk writes days: `03 Dec 2025`; any other text is unchanged."""
    try:
        return f"{date.fromisoformat(text):%d %b %Y}" if DAY.fullmatch(text) else text
    except ValueError:
        return text


def format_days_in_text(text: str) -> str:
    """Rewrite every ISO day and UTC moment in a text as the desk writes them."""
    rewritten = MOMENT.sub(lambda match: f"{match[1]} {match[2]} UTC", text)
    return DAY.sub(lambda match: format_day(match[0]), rewritten)
