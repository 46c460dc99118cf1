"""A payment whose checks cannot be made: tried again, then held for an officer with the reason."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.payments.payments import payment_checks
from apps.payments.payments.models import Payment
from apps.payments.payments.services import advance_payment
from apps.platform.common.clock import now
from apps.platform.jobs.job_context import CURRENT_RUN
from tests.payments.conftest import work
from tests.review.people import NOTE, OFFICER, at_desk, person

pytestmark = pytest.mark.django_db


def cannot_be_checked(monkeypatch: Any) -> None:
    def gone(**_: Any) -> Any:
        raise RuntimeError("the names cannot be compared")

    monkeypatch.setattr(payment_checks, "gather_check_inputs", gone)


def tried(times: int) -> None:
    """Try so many times to carry payments on, each time three hours later."""
    for hours in range(1, times + 1):
        work(now() + timedelta(hours=3 * hours))


def decide(outcome: str, reason: str) -> None:
    case, officer = Case.objects.get(), person("olivia", OFFICER)
    services.claim_case(case=case, by=officer, now=case.opened_at)
    decision = {"outcome": outcome, "reason_code": reason, "note": NOTE}
    services.decide_case(case=case, by=officer, now=case.opened_at, **decision)


def test_it_is_tried_again_and_held_only_after_the_last_try(send: Any, monkeypatch: Any) -> None:
    cannot_be_checked(monkeypatch)
    send()
    tried(len(advance_payment.RETRY_DELAYS))
    assert Payment.objects.get().state == "SUBMITTED"
    assert not Case.objects.exists()
    tried(len(advance_payment.RETRY_DELAYS) + 1)
    payment = Payment.objects.get()
    assert (payment.state, payment.error) == ("HELD", "")
    case = Case.objects.get()
    assert (case.kind, case.ref, case.status) == ("payment", str(payment.payment_id), "OPEN")
    (rule,) = case.rules
    assert (rule["code"], rule["ref"]) == ("payment.not_checked", "D §4 Fail closed, payment")
    assert "the names cannot be compared" in rule["sentence"]


def test_a_payment_that_can_be_checked_after_all_goes_on(send: Any, monkeypatch: Any) -> None:
    with monkeypatch.context() as patch:
        cannot_be_checked(patch)
        send()
        tried(2)
    work(now() + timedelta(hours=9))
    assert Payment.objects.get().state not in ("SUBMITTED", "HELD")


def test_an_officer_sees_why_and_lets_it_be_checked_once_more(send: Any, monkeypatch: Any) -> None:
    with monkeypatch.context() as patch:
        cannot_be_checked(patch)
        send()
        tried(len(advance_payment.RETRY_DELAYS) + 1)
        client: Client = at_desk(person("olga", OFFICER))
        page = client.get(f"/admin/review/case/{Case.objects.get().pk}/")
        assert "the names cannot be compared" in page.content.decode()
    decide("APPROVE", "CHECK_COMPLETED")
    work()
    assert Payment.objects.get().found["payee"]  # checked now, and not before


def test_an_officer_may_reject_it(send: Any, monkeypatch: Any) -> None:
    cannot_be_checked(monkeypatch)
    send()
    tried(len(advance_payment.RETRY_DELAYS) + 1)
    decide("REJECT", "NOT_IDENTIFIED")
    assert Payment.objects.get().state == "BLOCKED"


def test_a_check_that_takes_its_process_down_each_time_is_held_too(send: Any) -> None:
    send()
    died = SimpleNamespace(job=SimpleNamespace(failures=1))
    before = CURRENT_RUN.set(died)  # type: ignore[arg-type]
    try:
        tried(len(advance_payment.RETRY_DELAYS))
        payment = Payment.objects.get()
        assert (payment.state, payment.tries) == ("SUBMITTED", len(advance_payment.RETRY_DELAYS))
        tried(len(advance_payment.RETRY_DELAYS) + 1)
    finally:
        CURRENT_RUN.reset(before)
    assert Payment.objects.get().state == "HELD"
    assert advance_payment.WORKER_DIED_TROUBLE in Case.objects.get().rules[0]["sentence"]
