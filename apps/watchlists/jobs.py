"""What the background workers run."""

import logging
from datetime import datetime

from apps.core.problems import DomainError
from apps.upstreams.http import UpstreamError
from apps.watchlists import locks, refresh
from apps.watchlists.catalog import ensure_sources
from apps.watchlists.models import Source

logger = logging.getLogger(__name__)


class RefreshFailed(Exception):
    """Some sources could not be refreshed; the others were. The job is tried again."""


def refresh_lists(key: str, now: datetime) -> None:
    """Refresh the source named by `key`, or all enabled ones; one that fails stops no other."""
    ensure_sources()
    sources = list(Source.objects.filter(slug=key)) if key else refresh.due_sources()
    failed = []
    for source in sources:
        try:
            refresh.refresh(source=source, now=now)
        except locks.Busy:
            logger.info("%s is being imported already", source)
        except (DomainError, UpstreamError) as error:
            logger.warning("%s was not refreshed: %s", source, error)
            failed.append(f"{source}: {error}")
    if failed:
        raise RefreshFailed("; ".join(failed)[:1000])
