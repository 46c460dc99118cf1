"""Background work on signals."""

from datetime import datetime

from apps.core import clock
from apps.signals import keeping, loading


def refresh_rates(key: str, now: datetime) -> None:
    """Fetch what is new of the rates of exchange; running it twice adds nothing twice."""
    loading.refresh(now=now, names=["ecb-rates"], clock=clock.now)


def refresh(key: str, now: datetime) -> None:
    """Fetch the files that are due by their own rhythm; running it twice adds nothing twice."""
    due = keeping.due(now=now)
    if due:
        loading.refresh(now=now, names=due, alone=True, clock=clock.now)


def fetch(key: str, now: datetime) -> None:
    """Fetch one file at once, as an operator asked; a file that has left is passed over."""
    if any(feed.name == key for feed in loading.feeds()):
        loading.refresh(now=now, names=[key], clock=clock.now)


def tidy(key: str, now: datetime) -> None:
    """Remove raw files on which no newest value rests, and old notes of fetches."""
    keeping.tidy(now=now)
