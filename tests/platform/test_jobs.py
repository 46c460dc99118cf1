"""Background jobs: a row first, claimed once, tried again, and never lost."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django_q.models import OrmQ
from django_q.signing import SignedPackage

from apps.platform.common.clock import now as present
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.jobs.registry import JOBS, JobSpec
from tests.platform import job_handlers
from tests.platform.queue import MINUTE, RETRIES, SECOND, Clock, add, nudges, state

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_jobs")]


# --- enqueue --------------------------------------------------------------------------


def test_a_job_and_its_task_are_there_together(noon: datetime) -> None:
    job = add()
    assert nudges() == [(job.pk, noon)]
    later = add(key="later", eta=noon + MINUTE)
    assert nudges()[1] == (later.pk, noon + MINUTE)


def test_a_job_rolls_back_with_its_transaction() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        add()
        raise ZeroDivisionError
    assert not Job.objects.exists() and not OrmQ.objects.exists()


def test_an_unknown_job_is_an_error_of_the_caller(noon: datetime) -> None:
    with pytest.raises(KeyError, match=r"no job 'test\.unknown' is registered.* core\.seal"):
        job_queue.enqueue_job(job="test.unknown", now=noon)


def test_one_is_pending_for_each_name_and_key(clock: Clock) -> None:
    first = add()
    add()
    add(key="other")
    add("test.fail")
    assert Job.objects.count() == 3 and len(nudges()) == 3
    job_queue.run_job(first.pk)
    add()
    assert Job.objects.count() == 4


def test_an_earlier_eta_moves_the_pending_one_and_a_later_one_does_not(noon: datetime) -> None:
    job = add(eta=noon + 10 * MINUTE)
    add(eta=noon + 20 * MINUTE)
    job.refresh_from_db()
    assert job.eta == noon + 10 * MINUTE and len(nudges()) == 1
    add(eta=noon + 5 * MINUTE)
    job.refresh_from_db()
    assert job.eta == noon + 5 * MINUTE
    assert nudges()[1:] == [(job.pk, noon + 5 * MINUTE)]


# --- run ------------------------------------------------------------------------------


def test_a_due_job_runs_once_and_is_done(clock: Clock) -> None:
    job = add()
    job_queue.run_job(job.pk)
    job_queue.run_job(job.pk)
    assert job_handlers.ran == [("k", clock.at)]
    assert state(job) == ("DONE", 1, 0) and job.finished_at == clock.at
    run = JobAttempt.objects.get()
    assert (run.number, run.started_at, run.finished_at, run.error) == (1, clock.at, clock.at, "")


def test_a_job_that_is_not_due_or_not_there_does_not_run(clock: Clock, noon: datetime) -> None:
    job = add(eta=noon + SECOND)
    job_queue.run_job(job.pk)
    job_queue.run_job(10**9)
    assert state(job) == ("PENDING", 0, 0) and not job_handlers.ran
    clock.at = noon + SECOND
    job_queue.run_job(job.pk)
    assert state(job) == ("DONE", 1, 0)


def test_a_failing_job_comes_again_after_each_delay_and_then_ends_failed(
    clock: Clock, caplog: Any
) -> None:
    job = add("test.fail")
    for number, delay in enumerate(RETRIES, 1):
        job_queue.run_job(job.pk)
        assert state(job) == ("PENDING", number, number)
        assert job.eta == clock.at + delay and nudges()[-1] == (job.pk, job.eta)
        assert job.last_error == "ValueError: no such luck"
        clock.at = job.eta - SECOND
        job_queue.run_job(job.pk)
        assert job_handlers.ran[number:] == []
        clock.at = job.eta
    job_queue.run_job(job.pk)
    assert state(job) == ("FAILED", 3, 3) and job.finished_at == clock.at
    assert [run.error for run in job.runs.order_by("number")] == ["ValueError: no such luck"] * 3
    clock.at += timedelta(days=1)
    job_queue.run_job(job.pk)
    assert len(job_handlers.ran) == 3
    assert "Traceback" in caplog.text


def test_an_operator_starts_a_failed_job_anew_with_all_its_tries(clock: Clock) -> None:
    job = add("test.fail")
    assert not job_queue.retry_job(job_id=job.pk, now=clock.at)
    Job.objects.update(state=JobState.FAILED, attempts=3, failures=3, finished_at=clock.at)
    assert job_queue.retry_job(job_id=job.pk, now=clock.at)
    assert state(job) == ("PENDING", 3, 0) and job.finished_at is None
    assert nudges()[-1] == (job.pk, clock.at)
    job_queue.run_job(job.pk)
    assert state(job) == ("PENDING", 4, 1)


def test_a_failed_job_is_not_started_beside_a_pending_one(clock: Clock) -> None:
    failed = add("test.fail")
    Job.objects.update(state=JobState.FAILED)
    add("test.fail")
    assert not job_queue.retry_job(job_id=failed.pk, now=clock.at)
    assert state(failed)[0] == "FAILED"


def test_a_job_may_ask_to_come_again_without_failing(clock: Clock) -> None:
    eta = clock.at + 3 * MINUTE
    job = add("test.again", key=eta.isoformat())
    for number in range(1, 6):
        job_queue.run_job(job.pk)
        assert state(job) == ("PENDING", number, 0) and job.eta == eta
        clock.at = eta
    assert [run.error for run in job.runs.all()] == [""] * 5


def test_a_run_past_its_lease_is_ended_and_counts_as_failed(clock: Clock) -> None:
    job = add("test.overrun")
    assert SignedPackage.loads(OrmQ.objects.get().payload)["timeout"] == 600
    job_queue.run_job(job.pk)
    assert state(job) == ("PENDING", 1, 1) and "exceeded maximum timeout" in job.last_error


def test_a_job_that_left_the_table_fails_and_stops_nothing(clock: Clock) -> None:
    gone, other = add("test.note", key="gone"), add("test.note", key="other")
    Job.objects.filter(pk=gone.pk).update(name="test.removed")
    for job in (gone, other):
        job_queue.run_job(job.pk)
    assert state(gone)[0] == "FAILED" and "no app registers" in gone.last_error
    assert state(other)[0] == "DONE"


def test_work_that_was_enqueued_while_it_ran_is_not_lost(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = add("test.fail")
    monkeypatch.setattr(job_handlers, "note", lambda key, now: add("test.fail"))
    job_queue.run_job(job.pk)
    assert state(job)[0] == "DONE"  # its retry would be the same work again
    assert Job.objects.filter(state=JobState.PENDING).count() == 1


@pytest.mark.parametrize("deaths", [1, 3])
def test_a_dead_runners_job_is_taken_over_when_its_lease_ends(clock: Clock, deaths: int) -> None:
    job = add()
    Job.objects.update(
        state=JobState.RUNNING,
        attempts=deaths,
        failures=deaths - 1,
        lease_until=clock.at + SECOND,
    )
    JobAttempt.objects.create(job=job, number=deaths, started_at=clock.at)
    job_queue.run_job(job.pk)
    assert state(job)[0] == "RUNNING"
    clock.at += SECOND
    job_queue.run_job(job.pk)
    assert state(job)[:2] == ("DONE", deaths + 1)
    assert [bool(run.error) for run in job.runs.order_by("number")] == [True, False]


def test_a_job_that_kills_its_runner_each_time_ends_failed(clock: Clock) -> None:
    job = add()
    Job.objects.update(state=JobState.RUNNING, attempts=4, failures=3, lease_until=clock.at)
    job_queue.run_job(job.pk)
    assert state(job)[0] == "FAILED" and "died" in job.last_error
    assert not job_handlers.ran


@pytest.mark.parametrize("before", [JobState.PENDING, JobState.RUNNING])
def test_a_runner_that_comes_second_to_the_claim_does_not_run(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    class Rival(dict[str, Any]):
        def get(self, name: str, default: Any = None) -> Any:  # read; now another claims
            later = clock.at + MINUTE
            Job.objects.update(state=JobState.RUNNING, attempts=2, lease_until=later)
            return super().get(name, default)

    job = add()
    Job.objects.update(state=before, attempts=1, lease_until=clock.at)
    monkeypatch.setattr(job_queue, "JOBS", Rival(job_queue.JOBS))
    job_queue.run_job(job.pk)
    assert state(job)[:2] == ("RUNNING", 2) and not job_handlers.ran


def test_a_runner_that_was_taken_over_does_not_settle_the_job(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = add("test.fail")

    def taken_over(key: str, now: datetime) -> None:
        Job.objects.update(attempts=2, lease_until=clock.at + MINUTE)

    monkeypatch.setattr(job_handlers, "note", taken_over)
    job_queue.run_job(job.pk)
    assert state(job) == ("RUNNING", 2, 0)


# --- run_job --------------------------------------------------------------------------


def told(capsys: Any, *words: str) -> str:
    call_command("run_job", *words)
    return str(capsys.readouterr().out)


def test_run_job_runs_what_is_due_of_one_kind_and_nothing_else(clock: Clock, capsys: Any) -> None:
    add(), add(key="ahead", eta=present() + 3600 * SECOND), add("test.again")
    assert told(capsys, "test.note") == "test.note: 1 run, 0 failed\n"
    assert [key for key, _ in job_handlers.ran] == ["k"]
    assert told(capsys, "test.note") == "test.note: 0 run, 0 failed\n"


def test_run_job_says_which_run_failed_and_why(clock: Clock, capsys: Any) -> None:
    add("test.fail")
    with pytest.raises(CommandError, match=r"1 of test\.fail failed"):
        call_command("run_job", "test.fail")
    said = capsys.readouterr()
    assert said.out == "test.fail: 1 run, 1 failed\n"
    assert "test.fail k: " in said.err


def test_run_job_plans_a_run_of_a_periodic_job(clock: Clock, capsys: Any, monkeypatch: Any) -> None:
    work = JobSpec(handler=job_handlers.note, title="note", every=MINUTE)
    monkeypatch.setitem(JOBS, "test.note", work)
    clock.at = present() + MINUTE
    assert told(capsys, "test.note") == "test.note: 1 run, 0 failed\n"
    assert [key for key, _ in job_handlers.ran] == [""]


def test_run_job_knows_no_other_name(capsys: Any) -> None:
    with pytest.raises(CommandError, match=r"no such job: test\.none"):
        call_command("run_job", "test.none")


def test_a_sandboxs_clock_may_be_some_hours_ahead(settings: Any, clock: Clock) -> None:
    settings.CLOCK_AHEAD = 73
    ahead = present() - datetime.now(UTC)
    assert 72 * 60 * MINUTE < ahead <= 73 * 60 * MINUTE
    settings.CLOCK_AHEAD = 0
    assert present() <= datetime.now(UTC)
