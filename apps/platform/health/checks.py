"""Health of background work, and registry of the checks that apps add for their services."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Min, Q
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.platform.common.registry import Registry
from apps.platform.jobs.job_queue import HEARTBEAT
from apps.platform.jobs.models import Heartbeat, Job, JobState
from apps.platform.jobs.registry import JOBS
from config.services import SERVICES

logger = logging.getLogger(__name__)
QUIET_AFTER = timedelta(seconds=120)  # two ticks without a heartbeat
LATE_AFTER = timedelta(seconds=30)
OUTBOUND_LATE_AFTER = timedelta(hours=1)  # they wait for slow upstreams by nature
PROBE_SECONDS = 1.5  # the whole answer is there within two
Probe = Callable[[], None]

# Checks of apps by name: functions `(now) -> {"status": ok|degraded|down, …}`. Services name theirs
# (config/services.py).
HEALTH_CHECKS: Registry[Callable[[datetime], Mapping[str, Any]]] = Registry("health check")


def collect_health_checks(*, service: str, now: datetime) -> dict[str, Any]:
    """Run the checks of a service; each is {"status", …}, and none raises.

    The state of database and Redis is known within two seconds, even when they hang.
    """
    return collect_checks_by_service([service], now=now)[service]


def collect_checks_by_service(
    services: Iterable[str], *, now: datetime
) -> dict[str, dict[str, Any]]:
    """Run the checks of several services, by service; a shared check runs only once."""
    shared = _check_shared(now)
    well = shared["database"]["status"] == "ok"
    # the other checks need the database: without it each would only wait for its timeout
    names_by_service = {service: SERVICES[service].checks if well else () for service in services}
    names = dict.fromkeys(name for checks in names_by_service.values() for name in checks)
    results = {name: _run_check(name, now) for name in names}
    return {
        service: shared | {name: results[name] for name in checks}
        for service, checks in names_by_service.items()
    }


def _check_shared(now: datetime) -> dict[str, Any]:
    """Return the checks that every service depends on: the database, Redis and the workers."""
    probes: dict[str, Probe] = {"database": _probe_database}
    if settings.REDIS_URL:
        probes["redis"] = _probe_redis
    answering = _run_probes(PROBE_SECONDS, probes)
    shared: dict[str, Any] = {"database": {"status": "ok" if answering["database"] else "down"}}
    if "redis" in answering:  # without it, the database counts calls
        shared["redis"] = {"status": "ok" if answering["redis"] else "degraded"}
    if not answering["database"]:
        return shared
    try:
        return shared | {"jobs": check_jobs(now)}
    except DatabaseError:
        logger.exception("health: the database does not answer")
        return shared | {"database": {"status": "down"}}


def _run_probes(seconds: float, probes: Mapping[str, Probe]) -> dict[str, bool]:
    """Run probes in parallel; one that fails, or does not answer in time, is False."""
    answers: SimpleQueue[tuple[str, bool]] = SimpleQueue()

    def work(name: str, probe: Probe) -> None:
        try:
            probe()
        except Exception as error:
            logger.warning("health: %s does not answer: %s", name, type(error).__name__)
            answers.put((name, False))
        else:
            answers.put((name, True))

    # a hanging probe is left to its own timeouts: a slow name look-up, or a server that accepts and
    # then stays silent, would otherwise hold up the caller
    for name, probe in probes.items():
        threading.Thread(target=work, args=(name, probe), name="health", daemon=True).start()
    answered, ends = dict.fromkeys(probes, False), time.monotonic() + seconds
    with suppress(Empty):
        for _ in probes:
            name, good = answers.get(timeout=max(0.0, ends - time.monotonic()))
            answered[name] = good
    return answered


def _probe_database() -> None:
    """Query the database over a new connection."""
    # connections belong to threads, and this thread has just begun
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


def _probe_redis() -> None:
    limits = {"socket_connect_timeout": PROBE_SECONDS, "socket_timeout": PROBE_SECONDS}
    # no second try: the probe has its time only once
    with redis.Redis.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 0), **limits) as client:
        client.ping()


def _run_check(name: str, now: datetime) -> dict[str, Any]:
    try:
        return dict(HEALTH_CHECKS[name](now))
    except Exception:
        logger.exception("health: the check %s failed", name)
        return {"status": "degraded", "detail": "The check itself failed"}


def check_jobs(now: datetime) -> dict[str, Any]:
    """Judge the workers by their heartbeat row and by the oldest job that should have run.

    Jobs that call upstreams have another limit. Failed jobs that no later success made good need
    attention. Three look-ups by index, however long the history is.
    """
    # not by processes: a cluster can be alive and run no task
    beat = Heartbeat.objects.filter(name=HEARTBEAT).first()
    overdue = Job.objects.filter(state=JobState.PENDING, eta__lte=now - LATE_AFTER)
    outbound = Q(name__in=[name for name, work in JOBS.items() if work.upstream])
    oldest = overdue.aggregate(
        inside=Min("eta", filter=~outbound),
        outside=Min("eta", filter=outbound & Q(eta__lte=now - OUTBOUND_LATE_AFTER)),
    )
    late, late_outside = oldest["inside"], oldest["outside"]
    # a heartbeat in the future was written by a clock that has been set back: it proves nothing
    alive = beat is not None and abs(now - beat.at) < QUIET_AFTER
    failed = Job.objects.failing().count()
    well = alive and late is None and late_outside is None and not failed
    return {
        "status": "ok" if well else "degraded",
        "lastHeartbeatSeconds": int((now - beat.at).total_seconds()) if beat else None,
        "oldestDueSeconds": int((now - late).total_seconds()) if late else 0,
        "outboundOldestDueSeconds": int((now - late_outside).total_seconds())
        if late_outside
        else 0,
        "failed": failed,
    }
