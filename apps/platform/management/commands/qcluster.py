"""manage.py qcluster: background workers of a lane, with the data that its jobs need preloaded.

A worker is replaced after some hundred jobs: data that is loaded before the first is forked is
shared by all, and no job waits for it.
"""

import logging
import os
import time
from typing import Any

from django.db import DatabaseError, connection, connections
from django.utils.module_loading import import_string
from django_q.management.commands import qcluster

from config.cluster import WARMED

WAIT_SECONDS = 1.0  # between two attempts to connect

logger = logging.getLogger(__name__)


class Command(qcluster.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Load the data for the lane's jobs, then run its workers."""
        lane = options.get("cluster_name") or os.environ.get("Q_CLUSTER_NAME", "")
        await_database(lane)
        warm_up_worker(lane)
        super().handle(*args, **options)


def await_database(lane: str) -> None:
    """Return once the database answers: without it django-q2 would end, and soon the host.

    A signal to stop is obeyed while waiting.
    """
    # reported once: an outage of an hour would otherwise fill the log
    was_reported = False
    while True:
        try:
            connection.ensure_connection()
        except DatabaseError as error:
            if not was_reported:
                logger.warning(
                    "workers of %s are waiting for the database: %s", lane or "jobs", error
                )
            was_reported = True
            time.sleep(WAIT_SECONDS)
        else:
            return


def warm_up_worker(lane: str) -> None:
    """Load what WARMED names for a lane; the code of its jobs is loaded, as apps register it.

    Without a database the workers load the rest themselves.
    """
    try:
        for name in WARMED.get(lane, ()):
            import_string(name)()
    except DatabaseError as error:
        logger.warning(
            "workers of %s start without a warm-up: %s", lane or "jobs", type(error).__name__
        )
    finally:
        connections.close_all()  # forked processes must not share a connection
