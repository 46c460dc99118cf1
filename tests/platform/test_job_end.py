"""A handler may record the end of its run with what it writes last: both stand, or neither."""

from datetime import datetime
from typing import Any

import pytest
from django.db import transaction

from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Heartbeat, Job, JobAttempt, JobState
from apps.platform.jobs.registry import JOBS, JobSpec

pytestmark = pytest.mark.django_db(transaction=True)
SEEN: list[str] = []


def ending(key: str, now: datetime) -> None:
    """Write something, and the end of the run with it."""
    with transaction.atomic():
        Heartbeat.objects.create(name=f"ended-{key}", at=now)
        job_queue.record_run_done()
    SEEN.append(Job.objects.get().state)
    if key == "late":
        raise RuntimeError("after its end")


def undone(key: str, now: datetime) -> None:
    """Lose what was written, and the end of the run with it."""
    with transaction.atomic():
        Heartbeat.objects.create(name="undone", at=now)
        job_queue.record_run_done()
        transaction.set_rollback(True)
    SEEN.append(Job.objects.get().state)


@pytest.fixture
def ran(monkeypatch: Any, noon: datetime) -> Any:
    SEEN.clear()

    def call(handler: Any, key: str = "") -> Job:
        work = JobSpec(handler=handler, title="A test", retries=())
        monkeypatch.setitem(JOBS, "test.ends", work)
        job_queue.enqueue_job(job="test.ends", key=key, now=noon)
        job_queue.run_job(Job.objects.get().pk)
        return Job.objects.get()

    return call


def test_the_end_stands_with_what_was_written(ran: Any) -> None:
    job = ran(ending)
    assert SEEN == ["DONE"] and job.state == JobState.DONE and job.finished_at
    assert JobAttempt.objects.get().finished_at and Heartbeat.objects.exists()


def test_an_end_that_was_rolled_back_is_none_and_the_run_ends_by_itself(ran: Any) -> None:
    job = ran(undone)
    assert SEEN == ["RUNNING"] and job.state == JobState.DONE
    assert JobAttempt.objects.get().finished_at and not Heartbeat.objects.exists()


def test_what_goes_wrong_after_the_end_starts_no_other_run(ran: Any) -> None:
    job = ran(ending, "late")
    assert job.state == JobState.DONE and job.attempts == 1
    assert "after its end" in JobAttempt.objects.get().error


def test_outside_a_run_there_is_nothing_to_end(noon: datetime) -> None:
    job_queue.enqueue_job(job="core.seal", now=noon)
    job_queue.record_run_done()
    assert Job.objects.get().state == JobState.PENDING
