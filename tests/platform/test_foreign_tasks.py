"""Nobody gets a function of theirs run by writing it into the database."""

from typing import Any

import pytest
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import OrmQ, Schedule
from django_q.scheduler import scheduler
from django_q.signals import pre_execute

from apps.platform.jobs import job_queue

pytestmark = pytest.mark.django_db


def planned(func: str) -> None:
    Schedule.objects.all().delete()
    Schedule.objects.create(
        name="x", func=func, args="'id'", schedule_type=Schedule.ONCE, repeats=1,
        next_run=timezone.now(),
    )  # fmt: skip
    scheduler(broker=get_broker())


def test_a_schedule_that_names_another_function_is_never_sent(monkeypatch: Any) -> None:
    monkeypatch.setattr("django_q.scheduler.close_old_django_connections", lambda: None)
    planned("os.system")
    assert not OrmQ.objects.exists()
    planned(job_queue.TICK_PATH)
    assert OrmQ.objects.count() == 1


@pytest.mark.parametrize("func", [print, None, job_queue.resend_lost_jobs])
def test_a_worker_runs_nothing_but_our_two_functions(func: Any) -> None:
    with pytest.raises(job_queue.ForeignTask):
        pre_execute.send(sender="django_q", func=func, task={})
    for ours in (job_queue.run_job, job_queue.run_tick):
        pre_execute.send(sender="django_q", func=ours, task={})
