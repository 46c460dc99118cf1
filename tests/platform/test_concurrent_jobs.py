"""Several runners, ticks and callers at once; and a real cluster, killed in the middle."""

import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django_q.models import OrmQ

from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Heartbeat, Job, JobAttempt, JobState, Periodic
from apps.platform.jobs.registry import JOBS
from tests.platform import job_handlers
from tests.platform.queue import MINUTE, Clock, add, nudges, state
from tests.platform.script_driver import driven

pytestmark = pytest.mark.usefixtures("own_jobs")


def at_once(count: int, work: Any) -> None:
    """Run a function in so many threads that start together, each with its own connection."""
    gate, broken = threading.Barrier(count), []

    def one() -> None:
        gate.wait()
        try:
            work()
        except Exception as error:
            broken.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert broken == []


@pytest.mark.django_db(transaction=True)
def test_runners_ticks_and_callers_at_once_do_everything_once(clock: Clock, noon: datetime) -> None:
    Periodic.objects.all().delete()
    Job.objects.all().delete()
    job = add()
    at_once(4, lambda: job_queue.run_job(job.pk))
    assert len(job_handlers.ran) == 1 and state(job) == ("DONE", 1, 0)
    assert JobAttempt.objects.count() == 1

    Job.objects.update(state=JobState.RUNNING, lease_until=noon)  # its runner died
    at_once(4, lambda: job_queue.run_job(job.pk))
    assert len(job_handlers.ran) == 2 and state(job)[:2] == ("DONE", 2)

    Periodic.objects.create(name="test.note", every_seconds=60, next_at=noon)
    at_once(4, lambda: job_queue.enqueue_due_schedules(now=noon))
    assert Job.objects.filter(state=JobState.PENDING).count() == 1

    at_once(4, lambda: job_queue.enqueue_job(job="test.note", key="same", now=noon))
    assert Job.objects.filter(key="same").count() == 1

    OrmQ.objects.all().delete()
    at_once(4, lambda: job_queue.resend_lost_jobs(now=noon + 5 * MINUTE))
    assert len(nudges()) == 2


@pytest.mark.django_db(transaction=True)
def test_a_run_that_was_joined_sees_what_the_joining_caller_wrote(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = add()
    seen: list[bool] = []

    def see(key: str, now: datetime) -> None:
        seen.append(Heartbeat.objects.filter(pk="b").exists())

    monkeypatch.setitem(JOBS, "test.note", replace(JOBS["test.note"], handler=see))

    def run() -> None:
        job_queue.run_job(job.pk)
        connection.close()

    runner = threading.Thread(target=run)
    with transaction.atomic():
        Heartbeat.objects.create(name="b", at=clock.at)
        # one is pending: it is joined
        job_queue.enqueue_job(job="test.note", key="k", now=clock.at)
        runner.start()
        runner.join(0.3)
        assert seen == []
    runner.join(30)
    assert seen == [True] and Job.objects.count() == 1


@pytest.mark.once  # on a file of its own
@pytest.mark.processes
def test_a_real_cluster_is_punctual_and_kill_9_loses_nothing(tmp_path: Path) -> None:
    found = driven("cluster_drive", tmp_path)
    once = {f"now{n}" for n in range(5)} | {f"eta{n}" for n in range(3)} | {"while-down"}
    assert found["noted"] == dict.fromkeys(once, 1) | {"killed": 2}
    assert found["running"] == ["killed"]
    assert found["attempts"] == dict.fromkeys(once, 1) | {"killed": 2}
    assert found["heartbeat"]
    print("late by", found["lateness"])
    assert all(-0.1 <= late < 5 for late in found["lateness"].values()), found["lateness"]
