"""Payments of one institution do not keep those of another waiting."""

from typing import Any

import pytest

from apps.payments.payments.fair_queue import advance_payment_in_turn
from apps.payments.payments.models import Payment
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState
from apps.platform.jobs.registry import JOBS
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import instruction, wallet

pytestmark = pytest.mark.django_db
ADVANCE = "payments.advance"


def sends(client: Any, name: str, count: int) -> None:
    for number in range(count):
        debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(60 + number)}
        creditor = {"name": "Blue Heron Stationery Limited", "walletAddress": wallet(80 + number)}
        body = instruction(tmsReference=f"{name}-{number}", debtor=debtor, creditor=creditor)
        answer = client.post("/integration/payments/initiate", body, format="json")
        assert answer.status_code == 202


def run_next() -> None:
    """Run the job that a worker would take: that which has waited longest."""
    job_queue.run_job(Job.objects.filter(name=ADVANCE, state=JobState.PENDING).order_by("pk")[0].pk)


def settled() -> list[str]:
    return sorted(Payment.objects.filter(state="SETTLED").values_list("reference", flat=True))


def test_a_payment_of_another_waits_for_one_and_not_for_a_queue(sample: Any) -> None:
    assert JOBS[ADVANCE].handler is advance_payment_in_turn
    sends(key_client("Large Bank", "INSTITUTION"), "large", 4)
    sends(key_client("Small Bank", "INSTITUTION"), "small", 1)
    run_next()
    assert settled() == ["large-0", "small-0"]
    # its own task finds the work done, and nothing is done twice
    small = Payment.objects.get(reference="small-0")
    job = Job.objects.get(name=ADVANCE, key=str(small.pk))
    job_queue.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 1)
    run_next()
    assert settled() == ["large-0", "large-1", "small-0"]


def test_whoever_has_the_fewest_waiting_is_next(sample: Any) -> None:
    for name, count in (("large", 3), ("middle", 2), ("small", 1)):
        sends(key_client(f"{name.title()} Bank", "INSTITUTION"), name, count)
    run_next()
    assert settled() == ["large-0", "small-0"]
    run_next()
    assert settled() == ["large-0", "large-1", "middle-0", "small-0"]


def test_what_is_not_due_or_under_way_is_left_alone(sample: Any) -> None:
    sends(key_client("Large Bank", "INSTITUTION"), "large", 1)
    sends(key_client("Small Bank", "INSTITUTION"), "small", 3)
    first, second, _ = Payment.objects.filter(reference__startswith="small").order_by("pk")
    Job.objects.filter(key=str(first.pk)).update(state=JobState.RUNNING)
    Payment.objects.filter(pk=second.pk).update(due_at="2099-01-01T00:00:00Z")
    run_next()
    assert settled() == ["large-0", "small-2"]
