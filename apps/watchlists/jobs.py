"""What the background workers run."""

import logging
from datetime import datetime

from apps.core import jobs
from apps.watchlists import locks, refresh
from apps.watchlists.catalog import ensure_sources
from apps.watchlists.models import Source
from apps.watchlists.words import REFRESH

logger = logging.getLogger(__name__)


def refresh_lists(key: str, now: datetime) -> None:
    """Refresh the source named by `key`; without one, plan a job for each enabled source.

    So each has a lease and retries of its own, and one that drips or fails stops no other.
    """
    ensure_sources()
    if not key:
        for source in refresh.due_sources():
            jobs.enqueue(job=REFRESH, key=source.slug, now=now)
        return
    for source in Source.objects.filter(slug=key):
        try:
            refresh.refresh(source=source, now=now)
        except locks.Busy:
            logger.info("%s is being refreshed already", source)
