"""Background work on signals."""

from datetime import datetime

from apps.platform.common import clock
from apps.reference.signals import feed_upkeep, services


def refresh_exchange_rates(key: str, now: datetime) -> None:
    """Fetch new exchange rates; running it twice adds nothing twice."""
    services.refresh_feeds(now=now, names=["ecb-rates"], clock=clock.now)


def refresh_due_feeds(key: str, now: datetime) -> None:
    """Fetch the files that are due by their own rhythm; running it twice adds nothing twice."""
    due = feed_upkeep.find_due_feeds(now=now)
    if due:
        services.refresh_feeds(now=now, names=due, alone=True, clock=clock.now)


def fetch_one_feed(key: str, now: datetime) -> None:
    """Fetch one file at an operator's request; a removed feed is skipped."""
    if any(feed.name == key for feed in services.list_feeds()):
        services.refresh_feeds(now=now, names=[key], clock=clock.now)


def remove_unused_files(key: str, now: datetime) -> None:
    """Remove raw files on which no newest value rests, and old notes of fetches."""
    feed_upkeep.remove_unused_files(now=now)
