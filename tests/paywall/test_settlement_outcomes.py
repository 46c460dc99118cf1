"""What becomes of a payment when work fails, the facilitator fails, or nobody knows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from apps.access.paywall import tasks
from apps.access.paywall.models import PaymentClaim, Receipt, State
from apps.access.paywall.services import payment_claims
from apps.access.paywall.x402.facilitators import FacilitatorUnreachable
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.platform.jobs import job_queue as core_jobs
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from tests.operations import replaced
from tests.paywall.payer import unpacked, v1
from tests.paywall.scripted_facilitator import GOOD, OPEN, POOR, Scripted

pytestmark = pytest.mark.django_db
Ask = Callable[..., Any]
CONCLUDE = "apps.compliance.screening.combined.services.Screen.write"


@pytest.fixture
def paid(screen: Ask, facilitator: Scripted) -> dict[str, str]:
    return v1(screen().json()["accepts"][0])


def broken(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError


@contextmanager
def failing_gather() -> Iterator[None]:
    """Let gathering fail."""
    with replaced("screen", gather=broken):
        yield


def test_work_that_fails_before_settling_charges_nothing_and_frees_the_payment(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    with failing_gather():
        assert screen(paid).status_code == 500
    assert facilitator.settled == 0 and not PaymentClaim.objects.exists()
    assert screen(paid).status_code == 200 and facilitator.settled == 1


def test_money_that_came_for_work_that_failed_pays_for_the_same_request_again(
    screen: Ask, facilitator: Scripted, paid: Any, monkeypatch: Any
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(CONCLUDE, broken)
        failed = screen(paid)
    assert failed.status_code == 500
    assert unpacked(failed["X-PAYMENT-RESPONSE"])["success"] is True  # the payer knows
    assert Receipt.objects.count() == 1 and not Screen.objects.exists()
    assert screen(paid, name="Somebody Else Ltd").json()["code"] == "payment_used"
    assert screen(paid).status_code == 200
    assert facilitator.settled == 1 and Receipt.objects.count() == Screen.objects.count() == 1


def test_a_settlement_that_fails_writes_nothing_and_the_payment_may_be_tried_again(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    facilitator.settlements = [POOR, GOOD]
    refused = screen(paid)
    assert (refused.status_code, refused.json()["error"]) == (402, POOR.reason)
    assert unpacked(refused["X-PAYMENT-RESPONSE"])["errorReason"] == POOR.reason
    claim = PaymentClaim.objects.get()
    assert (claim.state, claim.sealed) == (State.FAILED, "")
    assert not Screen.objects.exists() and not Receipt.objects.exists()
    assert screen(paid).status_code == 200  # the wallet has been filled meanwhile
    assert PaymentClaim.objects.get().state == State.SETTLED


def test_nothing_of_the_call_is_there_before_it_is_settled(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    seen: list[int] = []
    facilitator.meanwhile = lambda: seen.append(Screen.objects.count())
    assert screen(paid).status_code == 200 and seen == [0]


@pytest.mark.parametrize("step", ["verdicts", "settlements"])
def test_a_facilitator_that_cannot_be_reached_is_503_and_takes_nothing(
    screen: Ask, facilitator: Scripted, paid: Any, step: str
) -> None:
    setattr(facilitator, step, [FacilitatorUnreachable("dark"), getattr(facilitator, step)[0]])
    refused = screen(paid)
    assert (refused.status_code, refused.json()["code"]) == (503, "payments_unavailable")
    assert refused["Retry-After"] and not PaymentClaim.objects.exists()
    assert screen(paid).status_code == 200


def test_a_refusal_of_the_facilitator_frees_the_payment(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    facilitator.verdicts = [POOR.reason, ""]
    refused = screen(paid)
    assert (refused.status_code, refused.json()["error"]) == (402, POOR.reason)
    assert screen(paid).status_code == 200


def test_an_unknown_outcome_is_503_with_the_hash_and_never_a_new_price(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    facilitator.settlements = [OPEN]
    for _ in range(2):
        held = screen(paid)
        assert (held.status_code, held.json()["code"]) == (503, "payment_outcome_unknown")
        assert held.json()["transaction"] == OPEN.transaction and held["Retry-After"] == "5"
        assert "PAYMENT-REQUIRED" not in held and "accepts" not in held.json()
    assert facilitator.settled == 1 and not Screen.objects.exists()
    assert Job.objects.get(name=payment_claims.RECONCILE).key == str(PaymentClaim.objects.get().pk)


def test_a_payment_that_settled_late_is_found_and_buys_its_call(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    facilitator.settlements = [OPEN, OPEN, GOOD]
    screen(paid)
    key = str(PaymentClaim.objects.get().pk)
    with pytest.raises(RetryLater):
        tasks.reconcile_payment(key, now())
    tasks.reconcile_payment(key, now())
    claim = PaymentClaim.objects.get()
    assert (claim.state, claim.transaction, claim.sealed) == (State.SETTLED, GOOD.transaction, "")
    assert Receipt.objects.count() == 1
    assert screen(paid).status_code == 200
    assert facilitator.settled == 3 and Screen.objects.count() == 1


def test_a_command_asks_where_no_workers_do(
    screen: Ask, facilitator: Scripted, paid: Any, capsys: Any
) -> None:
    facilitator.settlements = [OPEN, OPEN, GOOD]
    screen(paid)
    PaymentClaim.objects.update(lease_until=now())
    for left in (1, 0):
        call_command("look_after_payments")
        assert f"outcome is not known yet: {left}." in capsys.readouterr().out
    assert PaymentClaim.objects.get().state == State.SETTLED and Receipt.objects.count() == 1


def test_a_facilitators_no_is_no_proof_of_an_outcome_that_was_unknown(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    facilitator.settlements = [OPEN, POOR]
    screen(paid)
    claim = PaymentClaim.objects.get()
    with pytest.raises(RetryLater):
        tasks.reconcile_payment(str(claim.pk), now())
    claim.refresh_from_db()
    assert claim.state == State.UNKNOWN and claim.sealed
    tasks.reconcile_payment(str(claim.pk), now() + timedelta(days=3))  # nobody asks for ever
    claim.refresh_from_db()
    assert claim.state == State.UNKNOWN


def test_a_process_that_dies_while_it_settles_leaves_work_that_is_found(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    class Killed(BaseException):
        """What no handler catches, as when a process is ended."""

    def die() -> None:
        raise Killed

    facilitator.meanwhile = die
    with pytest.raises(Killed):
        screen(paid)
    claim = PaymentClaim.objects.get()
    assert claim.state == State.SETTLING
    assert screen(paid).status_code == 409  # it may still run
    facilitator.meanwhile = lambda: None
    later = now() + payment_claims.LEASE + timedelta(seconds=1)
    tasks.sweep_payments("", later)
    job = Job.objects.get(name=payment_claims.RECONCILE)
    tasks.reconcile_payment(job.key, later)
    claim.refresh_from_db()
    assert claim.state == State.SETTLED and Receipt.objects.count() == 1


def test_a_process_that_dies_before_it_settles_leaves_a_payment_as_good_as_before(
    screen: Ask, facilitator: Scripted, paid: Any, monkeypatch: Any
) -> None:
    with monkeypatch.context() as dead, failing_gather():
        dead.setattr(payment_claims, "forget_claim", lambda claim: None)
        screen(paid)
    assert PaymentClaim.objects.get().state == State.VERIFIED
    assert screen(paid).json()["code"] == "payment_in_progress"
    PaymentClaim.objects.update(lease_until=now() - timedelta(seconds=1))
    assert screen(paid).status_code == 200


def test_answers_are_kept_for_a_time_and_the_payment_stays_spent(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    screen(paid)
    keyed = v1(screen().json()["accepts"][0]) | {"Idempotency-Key": "k"}
    screen(keyed)
    PaymentClaim.objects.update(answered_at=now() - timedelta(hours=1))
    assert screen(paid).json()["code"] == "payment_used"
    assert screen(keyed).status_code == 200
    tasks.sweep_payments("", now() + timedelta(hours=24))
    assert not PaymentClaim.objects.exclude(answer="").exists()
    assert screen(keyed).json()["code"] == "payment_used"


def test_a_stored_answer_under_an_idempotency_key_takes_no_second_payment(
    screen: Ask, facilitator: Scripted, paid: Any
) -> None:
    key = {"Idempotency-Key": "k"}
    first = screen(paid | key)
    again = screen(v1(screen().json()["accepts"][0]) | key)
    assert again.content == first.content and again["Idempotent-Replayed"] == "true"
    assert facilitator.settled == 1 and PaymentClaim.objects.count() == 1


def test_the_jobs_of_payments_are_in_the_table_of_jobs() -> None:
    for name in (payment_claims.RECONCILE, "paywall.sweep"):
        assert core_jobs.JOBS[name].handler.__module__ == tasks.__name__
