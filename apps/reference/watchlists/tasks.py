"""What the background workers run."""

import logging
from datetime import datetime

from apps.platform.jobs import job_queue
from apps.reference.watchlists import locks
from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.choices import REFRESH
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import refresh_list

logger = logging.getLogger(__name__)


def refresh_lists(key: str, now: datetime) -> None:
    """Refresh the source named by `key`; without one, plan a job for each enabled source.

    So each has a lease and retries of its own, and one that drips or fails stops no other.
    """
    ensure_sources()
    if not key:
        for source in refresh_list.due_sources():
            job_queue.enqueue_job(job=REFRESH, key=source.slug, now=now)
        return
    for source in Source.objects.filter(slug=key):
        try:
            refresh_list.download_and_import(source=source, now=now)
        except locks.AlreadyRunning:
            logger.info("%s is being refreshed already", source)
