"""Health of background work, and the table of what each service needs beside it."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from apps.core.jobs import HEARTBEAT
from apps.core.models import Heartbeat, Job, JobState

logger = logging.getLogger(__name__)
QUIET_AFTER = timedelta(seconds=120)
LATE_AFTER = timedelta(seconds=30)

# service -> check -> dotted path of `check(now) -> {"status": ok|degraded|down, …}`
CHECKS: dict[str, dict[str, str]] = {
    "compliance": {"lists": "apps.watchlists.engine.health"},
}


def collect(*, service: str, now: datetime) -> dict[str, Any]:
    """Run the checks of a service; each is {"status", …}, and none raises."""
    try:
        connection.ensure_connection()
        found = {"database": {"status": "ok"}, "jobs": jobs(now)}
    except DatabaseError:
        logger.exception("health: the database does not answer")
        return {"database": {"status": "down"}}
    for name, check in CHECKS.get(service, {}).items():
        found[name] = _run(check, now)
    return found


def _run(check: str, now: datetime) -> dict[str, Any]:
    try:
        return dict(import_string(check)(now))
    except Exception:
        logger.exception("health: the check %s failed", check)
        return {"status": "degraded", "detail": "the check itself failed"}


def jobs(now: datetime) -> dict[str, Any]:
    """Judge the workers by a row that a task wrote and the oldest job that should have run.

    Liveness of processes proves nothing: a cluster can be alive and run no task. Three
    look-ups by index, however long the history is.
    """
    beat = Heartbeat.objects.filter(name=HEARTBEAT).first()
    oldest = (
        Job.objects.filter(state=JobState.PENDING, eta__lte=now - LATE_AFTER)
        .order_by("eta")
        .values_list("eta", flat=True)
        .first()
    )
    alive = beat is not None and now - beat.at < QUIET_AFTER
    return {
        "status": "ok" if alive and oldest is None else "degraded",
        "lastHeartbeatSeconds": int((now - beat.at).total_seconds()) if beat else None,
        "oldestDueSeconds": int((now - oldest).total_seconds()) if oldest else 0,
        "failed": Job.objects.filter(state=JobState.FAILED).count(),
    }
