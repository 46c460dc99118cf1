"""Moments, days and rhythms as people say them. Pure."""

import re
from datetime import UTC, date, datetime, timedelta

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
# a day within a text, and the moment of it that an address may have asked for
DAY = re.compile(r"(?<![\w/-])\d{4}-\d{2}-\d{2}(?![\w-])")
MOMENT = re.compile(r"(?<![\w/-])(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}):\d{2}(?:\.\d+)?\+00:00")


def format_span(seconds: int) -> str:
    """Return a span in its largest whole unit, rounded down: `3 hours`, `1 day`, `40 seconds`."""
    size, unit = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    number = max(0, seconds) // size
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def format_rhythm(seconds: int) -> str:
    """Return a rhythm exactly, in words: `every minute`, `every 6 hours`, `every 90 minutes`."""
    number, unit = split_rhythm(seconds)
    return f"every {unit}" if number == 1 else f"every {number:,} {unit}s"


def split_rhythm(seconds: int) -> tuple[int, str]:
    """Return a rhythm as a whole number of the largest unit that it is a multiple of."""
    size, unit = next(one for one in UNITS if seconds % one[0] == 0)
    return seconds // size, unit


def format_time_until(moment: datetime, now: datetime) -> str:
    """Return how far ahead or back a moment is: `in 3 hours`, `now`, `5 minutes ago`."""
    away = moment - now
    if abs(away) < timedelta(minutes=1):
        return "now"
    words = format_span(int(abs(away).total_seconds()))
    return f"in {words}" if away > timedelta() else f"{words} ago"


def format_moment(moment: datetime) -> str:
    """Return a moment to the minute, in UTC."""
    return f"{moment.astimezone(UTC):%d %b %Y %H:%M} UTC"


def format_day(text: str) -> str:
    """Return an ISO day as the desk writes days: `03 Dec 2025`; anything else stands as it is."""
    try:
        return f"{date.fromisoformat(text):%d %b %Y}" if DAY.fullmatch(text) else text
    except ValueError:
        return text


def format_days_in_text(text: str) -> str:
    """Return a text in which every ISO day, and moment of UTC, is written as the desk does."""
    told = MOMENT.sub(lambda found: f"{found[1]} {found[2]} UTC", text)
    return DAY.sub(lambda found: format_day(found[0]), told)
