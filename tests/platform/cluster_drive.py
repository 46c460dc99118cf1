"""Drives a real cluster through its day and prints what happened, as JSON; run as a process.

Jobs at once and jobs with an eta; then kill -9 of everything in the middle of a job, and a new
cluster that must bring all to its end.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from apps.platform.common.clock import now  # noqa: E402
from apps.platform.jobs import job_queue  # noqa: E402
from apps.platform.jobs.models import Heartbeat, Job, JobState  # noqa: E402
from tests.platform.job_handlers import notes  # noqa: E402

PATIENCE = 60.0


def start() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "manage.py", "qcluster"]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)


def kill(cluster: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(cluster.pid, signal.SIGKILL)
    cluster.wait()


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > ends:
            raise SystemExit(f"waited in vain; noted: {lines()}")
        time.sleep(0.05)


def lines() -> list[list[str]]:
    text = notes().read_text() if notes().exists() else ""
    return [line.split() for line in text.splitlines()]


def noted(key: str) -> list[float]:
    return [float(at) for name, at in lines() if name == key]


def work_normally() -> dict[str, float]:
    """Return by how many seconds jobs with an eta were late."""
    with suppress(ZeroDivisionError), transaction.atomic():
        job_queue.enqueue_job(job="test.note", key="rolled-back", now=now())
        raise ZeroDivisionError
    for number in range(5):
        job_queue.enqueue_job(job="test.note", key=f"now{number}", now=now())
    until(lambda: len(lines()) == 5)
    etas = {f"eta{n}": now() + timedelta(seconds=1 + n / 2) for n in range(3)}
    for key, eta in etas.items():
        job_queue.enqueue_job(job="test.note", key=key, now=now(), eta=eta)
    until(lambda: len(lines()) == 8)
    return {key: noted(key)[0] - eta.timestamp() for key, eta in etas.items()}


def main() -> None:
    call_command("migrate", verbosity=0)
    block = settings.VAR_DIR / "block"
    block.touch()
    cluster = start()
    try:
        lateness = work_normally()
        job_queue.enqueue_job(job="test.block", key="killed", now=now())
        until(lambda: bool(noted("killed")))
        kill(cluster)
        job_queue.enqueue_job(job="test.note", key="while-down", now=now())
        running = list(Job.objects.filter(state=JobState.RUNNING).values_list("key", flat=True))
        block.unlink()
        # the lease ends in an hour and the sweeper looks after a minute; the test has neither
        Job.objects.filter(key="killed").update(lease_until=now() - timedelta(minutes=2))
        Job.objects.update(nudged_at=now() - timedelta(minutes=2))
        cluster = start()
        job_queue.run_tick()
        mine = Job.objects.filter(name__startswith="test.")
        until(lambda: not mine.exclude(state=JobState.DONE).exists())
    finally:
        kill(cluster)
    outcome = {
        "lateness": lateness,
        "running": running,
        "noted": {key: len(noted(key)) for key, _ in lines()},
        "attempts": dict(mine.values_list("key", "attempts")),
        "heartbeat": Heartbeat.objects.filter(name=job_queue.HEARTBEAT).exists(),
    }
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
