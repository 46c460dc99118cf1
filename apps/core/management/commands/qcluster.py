"""manage.py qcluster: background workers of a lane, which have at hand what its jobs need.

A worker is replaced after some hundred jobs: what is read before the first is forked is shared by
all, and no job waits for it.
"""

import logging
import os
from typing import Any

from django.db import DatabaseError, connections
from django.utils.module_loading import import_string
from django_q.management.commands import qcluster

from config.cluster import WARMED

logger = logging.getLogger(__name__)


class Command(qcluster.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Read what the jobs of the lane need, then run its workers."""
        lane = options.get("cluster_name") or os.environ.get("Q_CLUSTER_NAME", "")
        warm(lane)
        super().handle(*args, **options)


def warm(lane: str) -> None:
    """Do what WARMED names for a lane; without a database the workers read it themselves."""
    try:
        for name in WARMED.get(lane, ()):
            import_string(name)()
    except DatabaseError as error:
        logger.warning("workers of %s start cold: %s", lane, type(error).__name__)
    finally:
        connections.close_all()  # a connection is not to be shared by those that are forked
