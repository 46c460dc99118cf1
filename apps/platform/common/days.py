"""Days as spans of time, in UTC. Pure."""

from datetime import UTC, date, datetime, time


def start_of_day(day: date) -> datetime:
    """Return the first moment of a day, in UTC."""
    return datetime.combine(day, time(), UTC)
