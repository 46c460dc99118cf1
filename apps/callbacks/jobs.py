"""Background work on callbacks."""

from datetime import datetime


def send(key: str, now: datetime) -> None:
    """Send what is due (built next)."""
