"""Document 2 section 6: four attempts, when each comes, what counts, and what is sent."""

import hashlib
import hmac
import itertools
import json
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from apps.payments.callbacks import rules, tasks
from apps.payments.callbacks.models import Attempt, Delivery, State
from apps.payments.callbacks.selectors import feed, webhook_statuses
from apps.payments.callbacks.services import attempts
from apps.payments.callbacks.services.publish_event import canonical_json, publish_event
from apps.platform.common.clock import SKEW
from apps.platform.jobs.models import Job
from tests.callbacks.receivers import ALICE, URL, Receivers, delivery, later, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
SLACK = timedelta(seconds=2)  # what a run takes on a busy machine


@pytest.mark.parametrize(
    ("tries", "seconds"), [(0, None), (1, 5), (2, 30), (3, 300), (4, None), (5, None)]
)
def test_the_next_attempt_is_due_as_the_specification_says(tries: int, seconds: int | None) -> None:
    wait = rules.delay_before_next_attempt(tries=tries)
    assert (wait.total_seconds() if wait else None) == seconds


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (100, "status"), (199, "status"), (200, ""), (204, ""), (299, ""), (300, "redirect"),
        (302, "redirect"), (399, "redirect"), (400, "status"), (404, "status"), (409, "status"),
        (410, "gone"), (411, "status"), (500, "status"), (503, "status"), (599, "status"),
    ],
)  # fmt: skip
def test_only_2xx_is_a_delivery(status: int, word: str) -> None:
    assert rules.failure_of_status(status=status) == word


def test_a_delivery_that_is_answered_is_sent_once(receivers: Receivers) -> None:
    published_event = tell()
    assert delivery(published_event).state == State.PENDING
    run_until(later(days=1))
    row = delivery(published_event)
    assert (row.state, row.attempts, row.due_at) == (State.DELIVERED, 1, None)
    assert len(receivers.calls) == 1 and row.ended_at is not None
    attempt = Attempt.objects.get()
    assert (attempt.status, attempt.error, attempt.excerpt) == (200, "", "said")


def test_without_an_address_nothing_is_sent_and_the_feed_has_it(receivers: Receivers) -> None:
    published_event = tell(url="")
    run_until(later(days=1))
    assert not published_event.called_back and not receivers.calls and not Job.objects.exists()
    assert [item.event for item in feed.read_feed(owner=ALICE).items] == [published_event.event]


@pytest.mark.parametrize("answer", [500, 404, 302, "timeout", "unreachable", "tls"])
def test_four_attempts_each_at_its_time_and_then_no_other(
    receivers: Receivers, answer: int | str
) -> None:
    receivers.always[URL] = answer
    published_event = tell()
    ran = run_until(later(days=30))
    assert len(receivers.calls) == 4
    gaps = [after - before for before, after in itertools.pairwise(ran)]
    for gap, wait in zip(gaps, rules.RETRY_DELAYS, strict=True):
        assert wait <= gap <= wait + SLACK
    row = delivery(published_event)
    assert (row.state, row.attempts, row.due_at) == (State.FAILED, 4, None)
    assert [a.number for a in Attempt.objects.order_by("number")] == [1, 2, 3, 4]


def test_after_four_the_feed_and_the_status_say_failed(receivers: Receivers) -> None:
    receivers.always[URL] = 503
    subject = uuid4()
    published_event = tell(subject=subject)
    run_until(later(hours=1))
    item = feed.read_feed(owner=ALICE).items[-1]
    assert (item.name, item.subject) == ("callback.failed", subject)
    assert item.data == {
        "eventId": str(published_event.event), "event": "thing.done", "webhook_status": "FAILED",
        "attempts": 4, "error": "status",
    }  # fmt: skip
    status = webhook_statuses.load_webhook_statuses(subjects=[subject, uuid4()])
    assert list(status) == [subject]
    assert (status[subject].state, status[subject].attempts) == ("FAILED", 4)
    assert [a.status for a in webhook_statuses.list_attempts(subject=subject)] == [503] * 4


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_later_attempt_may_succeed_and_ends_it(receivers: Receivers, number: int) -> None:
    receivers.answers[URL] = [500] * (number - 1)
    published_event = tell()
    run_until(later(hours=1))
    assert (delivery(published_event).state, delivery(published_event).attempts) == (
        State.DELIVERED,
        number,
    )
    assert len(receivers.calls) == number


def test_each_attempt_sends_the_same_bytes_and_the_same_signature(receivers: Receivers) -> None:
    receivers.answers[URL] = [500, 500, 500]
    published_event = tell(amount="10.00", score=Decimal("0.85"), name="Zoë ☕", none=None)
    run_until(later(hours=1))
    assert len(receivers.calls) == 4
    bodies = {call.content for call in receivers.calls}
    assert bodies == {'{"amount":"10.00","name":"Zoë ☕","none":null,"score":0.85}'.encode()}
    for name in ("X-SVC-Signature", "X-SVC-PaymentId", "X-SVC-EventId", "Content-Type"):
        assert len({call.headers[name] for call in receivers.calls}) == 1
    stamps = [int(call.headers["X-SVC-Timestamp"]) for call in receivers.calls]
    assert stamps == sorted(stamps) and stamps[-1] - stamps[0] >= 335
    assert [call.headers["X-SVC-Attempt"] for call in receivers.calls] == ["1", "2", "3", "4"]
    head = receivers.calls[0].headers
    by_hand = hmac.new(
        settings.WEBHOOK_SIGNING_KEY.encode(), receivers.calls[0].content, hashlib.sha256
    )
    assert head["X-SVC-Signature"] == by_hand.hexdigest()
    assert head["X-SVC-EventId"] == str(published_event.event)


def test_an_event_and_its_delivery_exist_only_if_the_transaction_does(
    receivers: Receivers,
) -> None:
    from django.db import transaction

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tell()
        raise ZeroDivisionError
    assert not (Delivery.objects.exists() or Job.objects.exists())


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), object(), {1, 2}])
def test_a_body_that_is_no_json_is_refused_before_anything_is_written(bad: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        publish_event(owner=ALICE, event="e", subject=uuid4(), body={"a": bad}, url="", now=NOON)


def test_the_bytes_do_not_depend_on_the_order_of_keys() -> None:
    assert canonical_json({"b": 1, "a": {"d": 2, "c": 3}}) == canonical_json(
        {"a": {"c": 3, "d": 2}, "b": 1}
    )
    assert (
        json.loads(canonical_json({"id": uuid4(), "at": NOON}))["at"] == "2026-11-20T12:00:00+00:00"
    )


def test_a_run_of_a_callback_that_was_sent_meanwhile_does_nothing(receivers: Receivers) -> None:
    published_event = tell()
    for _ in range(3):
        tasks.send_due_callbacks(str(published_event.event), NOON)
    assert len(receivers.calls) == 1 and Attempt.objects.count() == 1


def test_nothing_is_sent_before_it_is_due(receivers: Receivers) -> None:
    receivers.answers[URL] = [500]
    published_event = tell()
    tasks.send_due_callbacks("", NOON)
    row = delivery(published_event)
    tasks.send_due_callbacks("", row.due_at - timedelta(seconds=1))
    assert len(receivers.calls) == 1
    tasks.send_due_callbacks("", row.due_at)
    assert len(receivers.calls) == 2


def test_an_attempt_settles_once(receivers: Receivers) -> None:
    published_event = tell()
    run_until(NOON)
    again = attempts.record_attempt(
        delivery_id=delivery(published_event).pk, number=1, sent_at=NOON,
        reply=receivers.post(url=URL, content=b"", headers={}), now=NOON,
    )  # fmt: skip
    assert not again and Attempt.objects.count() == 1


@pytest.mark.parametrize(("tries", "seconds"), [(0, 0), (1, 5), (2, 30), (3, 300)])
def test_attempts_planned_by_a_clock_that_is_set_back_wait_anew(
    receivers: Receivers, tries: int, seconds: int
) -> None:
    told, wait = tell(), timedelta(seconds=seconds)
    Delivery.objects.update(tries=tries, due_at=NOON + wait + timedelta(hours=2))
    assert attempts.reschedule_far_deliveries(now=NOON) == 1
    assert delivery(told).due_at == NOON + wait
    assert attempts.reschedule_far_deliveries(now=NOON) == 0
    Delivery.objects.update(due_at=NOON + wait + SKEW)  # two hosts differ by so much
    assert attempts.reschedule_far_deliveries(now=NOON) == 0
