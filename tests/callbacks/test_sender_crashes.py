"""A sender that dies between any two commits: at least once, never lost, never for ever."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from apps.payments.callbacks import tasks
from apps.payments.callbacks.clients import webhook_client
from apps.payments.callbacks.models import Attempt, Delivery, State
from apps.payments.callbacks.services import attempts, claim_deliveries
from apps.platform.jobs import job_queue as core
from apps.platform.jobs.models import Job, JobState
from tests.callbacks.receivers import URL, Receivers, delivery, later, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """What a kill looks like from inside: no handler of ours sees it."""


def test_an_attempt_is_counted_before_it_is_sent(receivers: Receivers) -> None:
    published_event = tell()
    (taken,) = claim_deliveries.claim_due_deliveries(now=NOON, most=9)
    row = delivery(published_event)
    assert (row.state, row.attempts, row.tries, taken.number) == (State.SENDING, 1, 1, 1)
    assert claim_deliveries.claim_due_deliveries(now=NOON, most=9) == [] and receivers.calls == []


def test_a_sender_that_died_before_sending_is_followed_by_another(receivers: Receivers) -> None:
    published_event = tell()
    claim_deliveries.claim_due_deliveries(now=NOON, most=9)  # and then it dies
    lapsed = NOON + claim_deliveries.LEASE
    tasks.send_missed_callbacks("", lapsed - timedelta(seconds=1))
    assert receivers.calls == []
    tasks.send_missed_callbacks("", lapsed)
    run_until(later(hours=1))
    assert (delivery(published_event).state, len(receivers.calls)) == (State.DELIVERED, 1)
    lost, sent = Attempt.objects.order_by("number")
    assert (lost.error, lost.at, lost.latency_ms) == ("interrupted", NOON, None)
    assert (sent.number, sent.status) == (2, 200)


def test_a_sender_that_died_after_sending_sends_again(
    receivers: Receivers, monkeypatch: Any
) -> None:
    published_event = tell()
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(attempts, "record_attempt", lambda **_: (_ for _ in ()).throw(Killed))
        tasks.send_due_callbacks(str(published_event.event), NOON)
    assert (len(receivers.calls), delivery(published_event).state) == (1, State.SENDING)
    tasks.send_missed_callbacks("", NOON + claim_deliveries.LEASE + timedelta(seconds=5))
    run_until(later(hours=1))
    assert len(receivers.calls) == 2 and delivery(published_event).state == State.DELIVERED
    assert len({call.headers["X-SVC-EventId"] for call in receivers.calls}) == 1


def test_one_that_takes_its_sender_down_each_time_ends_after_four(receivers: Receivers) -> None:
    published_event = tell()
    moment = NOON
    for _ in range(20):
        claim_deliveries.claim_due_deliveries(now=moment, most=9)
        moment += timedelta(minutes=6)
        attempts.recover_lost_attempts(now=moment)
        moment += timedelta(minutes=6)
    row = delivery(published_event)
    assert (row.state, row.attempts, row.last_error) == (State.FAILED, 4, "interrupted")
    assert row.endpoint.failures == 0  # that says nothing of the receiver


def test_a_lost_job_is_made_good_by_the_sweep(receivers: Receivers) -> None:
    published_event = tell()
    Job.objects.all().delete()
    tasks.send_missed_callbacks("", later(seconds=1))
    assert delivery(published_event).state == State.DELIVERED


def test_one_that_settles_after_it_counted_as_lost_changes_nothing(receivers: Receivers) -> None:
    published_event = tell()
    (taken,) = claim_deliveries.claim_due_deliveries(now=NOON, most=9)
    attempts.recover_lost_attempts(now=NOON + claim_deliveries.LEASE)
    late = attempts.record_attempt(
        delivery_id=taken.delivery.pk, number=1, sent_at=NOON,
        reply=webhook_client.AttemptResult(status=200), now=NOON + claim_deliveries.LEASE,
    )  # fmt: skip
    assert not late and Attempt.objects.get().error == "interrupted"
    assert delivery(published_event).state == State.PENDING


def test_settling_and_what_follows_are_one(receivers: Receivers, monkeypatch: Any) -> None:
    receivers.always[URL] = 500
    published_event = tell()
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(attempts, "enqueue_job", lambda **_: (_ for _ in ()).throw(Killed))
        tasks.send_due_callbacks(str(published_event.event), NOON)
    assert (delivery(published_event).state, Attempt.objects.count()) == (State.SENDING, 0)
    tasks.send_missed_callbacks("", NOON + claim_deliveries.LEASE + timedelta(seconds=5))
    run_until(later(hours=1))
    assert (
        delivery(published_event).state == State.FAILED and delivery(published_event).attempts == 4
    )


STEPS = st.lists(
    st.sampled_from(["send", "die before", "die after", "sweep", "lose jobs"]), max_size=14
)


@hypothesis(max_examples=25)
@given(steps=STEPS, fails=st.integers(0, 6))
def test_whatever_dies_when_a_delivery_ends_and_is_counted_right(
    steps: list[str], fails: int
) -> None:
    from django.db import transaction

    with transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        fake = Receivers(answers={URL: [500] * fails})
        patched.setattr(webhook_client, "post_callback", fake.post)
        told, moment = tell(), NOON
        for step in [*steps, *["sweep"] * 12]:
            moment += timedelta(minutes=6)
            died_after = step == "die after"
            due_deliveries = (
                []
                if step in ("sweep", "lose jobs")
                else claim_deliveries.claim_due_deliveries(now=moment, most=9)
            )
            for due_delivery in due_deliveries:
                if step == "send" or died_after:
                    reply = fake.post(url=URL, content=b"", headers={})
                if step == "send":
                    attempts.record_attempt(
                        delivery_id=due_delivery.delivery.pk,
                        number=due_delivery.number,
                        sent_at=moment,
                        reply=reply,
                        now=moment,
                    )
            if step == "lose jobs":
                Job.objects.all().delete()
            if step == "sweep":
                tasks.send_missed_callbacks("", moment)
        row = delivery(told)
        assert row.state in (State.DELIVERED, State.FAILED)
        assert row.attempts <= 4 and Attempt.objects.count() == row.attempts
        arrived = Attempt.objects.filter(status=200).exists()
        assert arrived == (row.state == State.DELIVERED)
        if row.state == State.FAILED:
            assert row.attempts == 4
        assert Delivery.objects.count() == 1
        transaction.set_rollback(True)


def test_a_job_that_failed_leaves_the_callback_to_the_next_run(
    receivers: Receivers, monkeypatch: Any
) -> None:
    published_event = tell()
    with monkeypatch.context() as patched:
        patched.setattr(claim_deliveries, "claim_due_deliveries", lambda **_: 1 / 0)
        core.run_job(Job.objects.get(key=f"{published_event.event}/1").pk)
    job = Job.objects.get(key=f"{published_event.event}/1")
    assert job.state == JobState.PENDING and delivery(published_event).state == State.PENDING
