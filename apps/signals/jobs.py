"""Background work on signals."""

from datetime import datetime

from apps.signals import rates


def refresh_rates(key: str, now: datetime) -> None:
    """Fetch new reference rates; running it twice adds nothing twice."""
    rates.refresh(now=now)
