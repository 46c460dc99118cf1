"""Convert days to spans of time, in UTC. Pure."""

from datetime import UTC, date, datetime, time

MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def start_of_day(day: date) -> datetime:
    """Return the first moment of a day, in UTC."""
    return datetime.combine(day, time(), UTC)


def month_number(day: date) -> int:
    """Return the running number of a day's month; the difference of two counts months."""
    return day.year * 12 + day.month
