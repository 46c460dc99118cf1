"""The one place that reads the clock; views, jobs and commands pass the moment on."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)
