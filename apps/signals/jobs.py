"""Background work on signals."""

from datetime import datetime

from apps.signals import loading


def refresh_rates(key: str, now: datetime) -> None:
    """Fetch what is new of every series; running it twice adds nothing twice."""
    loading.refresh(now=now)
