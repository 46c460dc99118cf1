"""manage.py qcluster: background workers of a lane, which have at hand what its jobs need.

A worker is replaced after some hundred jobs: what is read before the first is forked is shared by
all, and no job waits for it.
"""

import logging
import os
import time
from typing import Any

from django.db import DatabaseError, connection, connections
from django.utils.module_loading import import_string
from django_q.management.commands import qcluster

from config.cluster import WARMED

WAIT_SECONDS = 1.0

logger = logging.getLogger(__name__)


class Command(qcluster.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Read what the jobs of the lane need, then run its workers."""
        lane = options.get("cluster_name") or os.environ.get("Q_CLUSTER_NAME", "")
        await_database(lane)
        warm_up_worker(lane)
        super().handle(*args, **options)


def await_database(lane: str) -> None:
    """Return once the database answers: started without it django-q2 ends, and soon the host.

    Who asks this process to end is obeyed meanwhile.
    """
    told = False
    while True:
        try:
            connection.ensure_connection()
        except DatabaseError as error:
            if not told:
                logger.warning("workers of %s wait for the database: %s", lane or "jobs", error)
            told = True
            time.sleep(WAIT_SECONDS)
        else:
            return


def warm_up_worker(lane: str) -> None:
    """Do what WARMED names for a lane; the code of its jobs is there, as apps register it.

    Without a database the workers read the rest themselves.
    """
    try:
        for name in WARMED.get(lane, ()):
            import_string(name)()
    except DatabaseError as error:
        logger.warning("workers of %s start cold: %s", lane or "jobs", type(error).__name__)
    finally:
        connections.close_all()  # a connection is not to be shared by those that are forked
