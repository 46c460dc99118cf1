"""Payments of one sender are judged in the order in which they were accepted."""

import importlib
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps

from apps.payments.payments import payment_checks
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.services import advance_payment, rechecks, sender_order
from apps.platform.common.clock import now
from apps.platform.jobs import job_queue
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job, JobState
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import instruction, wallet, work
from tests.paywall.test_races import at_once

LISTED = {
    "name": "Northwind Components Ltd",
    "walletAddress": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
}
BATCH = "/integration/payments/batch"
pytestmark = pytest.mark.django_db


def states() -> dict[str, str]:
    return dict(Payment.objects.values_list("reference", "state"))


def send_listed_then_honest(send: Callable[..., Any]) -> None:
    send(tmsReference="listed", creditor=LISTED)
    send(tmsReference="honest")


def job_of(reference: str) -> Job:
    return Job.objects.get(key=str(Payment.objects.get(reference=reference).pk))


@pytest.mark.django_db(transaction=True)
def test_two_workers_judge_the_payment_that_came_first_before_the_next(
    send: Callable[..., Any], monkeypatch: Any
) -> None:
    send_listed_then_honest(send)
    gather = payment_checks.gather_check_inputs

    def gather_slowly(*, payment: Payment, now: Any) -> Any:
        if payment.reference == "listed":
            time.sleep(0.3)
        return gather(payment=payment, now=now)

    monkeypatch.setattr(payment_checks, "gather_check_inputs", gather_slowly)
    jobs = list(Job.objects.filter(name="payments.advance").order_by("pk"))
    at_once(lambda number: job_queue.run_job(jobs[number].pk), 2)
    assert states() == {"listed": "BLOCKED", "honest": "HELD"}
    assert [job.state for job in Job.objects.filter(name="payments.advance")] == ["DONE"] * 2


def test_whoever_takes_up_the_later_one_carries_on_the_earlier_first(bank: Any) -> None:
    sent = [
        instruction(tmsReference="listed", creditor=LISTED),
        *(instruction(tmsReference=f"honest-{number}") for number in range(3)),
    ]
    answer = bank.post(BATCH, {"payments": sent}, format="json")
    assert answer.status_code == 202, answer.content
    job_queue.run_job(job_of("honest-2").pk)
    assert states() == {"listed": "BLOCKED"} | {f"honest-{n}": "HELD" for n in range(3)}
    assert job_of("listed").state == JobState.DONE


def test_one_that_another_worker_keeps_is_waited_for_later(
    send: Callable[..., Any], monkeypatch: Any
) -> None:
    monkeypatch.setattr(sender_order, "LONGEST_WAIT", timedelta(milliseconds=60))
    send_listed_then_honest(send)
    Job.objects.filter(pk=job_of("listed").pk).update(state=JobState.RUNNING)
    job_queue.run_job(job_of("honest").pk)
    assert states() == {"listed": "SUBMITTED", "honest": "SUBMITTED"}
    job = job_of("honest")
    assert (job.state, job.failures) == (JobState.PENDING, 0)
    assert not Payment.objects.exclude(tries=0).exists()


@pytest.mark.parametrize(
    "change",
    [
        {"tries": 1},
        {"trouble": advance_payment.ALTERED_TROUBLE},
        {"due_at": now() + timedelta(days=1)},
        {"state": "FAILED", "ended_at": now()},
    ],
)
def test_what_is_not_to_be_judged_now_keeps_nothing_waiting(
    send: Callable[..., Any], change: dict[str, Any]
) -> None:
    send_listed_then_honest(send)
    Payment.objects.filter(reference="listed").update(**change)
    advance_payment.advance_payment(str(Payment.objects.get(reference="honest").pk), now())
    assert states()["honest"] == "SETTLED"


@pytest.mark.parametrize("same_wallet", [True, False])
def test_payments_of_others_are_not_waited_for(send: Callable[..., Any], same_wallet: bool) -> None:
    send(tmsReference="listed", creditor=LISTED)
    if same_wallet:
        send(tmsReference="other", client=key_client("Birch Bank", "INSTITUTION"))
    else:
        debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(43)}
        send(tmsReference="other", debtor=debtor)
    job_queue.run_job(job_of("other").pk)
    assert states()["other"] == "SETTLED"


def test_one_whose_sender_tried_a_listed_wallet_since_is_checked_again(
    send: Callable[..., Any], monkeypatch: Any
) -> None:
    send(tmsReference="honest")

    def wait(payment: Payment, at: Any) -> None:
        raise RetryLater(at)

    monkeypatch.setitem(advance_payment.STEPS, "VERIFIED", wait)
    work()
    monkeypatch.undo()
    send(tmsReference="listed", creditor=LISTED)
    listed = Payment.objects.get(reference="listed")
    advance_payment.advance_payment(str(listed.pk), now())
    work()
    assert states() == {"listed": "BLOCKED", "honest": "HELD"}
    happened = PaymentEvent.objects.filter(payment__reference="honest").order_by("number")
    assert list(happened.values_list("event", "turn")) == [
        ("ACCEPTED", "PAY-1"),
        ("CHECKED", "PAY-7"),
        ("RECHECKED", "PAY-19"),
    ]
    # the screen of now knows of it: nothing is checked for ever
    assert not rechecks.is_recheck_due(Payment.objects.get(reference="honest"), now=now())


def test_the_column_is_filled_for_payments_of_before(send: Callable[..., Any]) -> None:
    migration = importlib.import_module("apps.payments.payments.migrations.0002_sender_account")
    send()
    Payment.objects.update(sender_account="")
    migration.fill_sender_accounts(apps, None)
    assert Payment.objects.get().sender_account == wallet(42)
    assert list(verify_payments(lambda _: None)) == []
