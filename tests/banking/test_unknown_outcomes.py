"""Payments of which the bank gave no clear answer: found there, or an officer's, never failed."""

from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.payments.banking.case_types import apply_bank_payment_decision
from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import AcceptedPayment, RefusedByBank
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import Send
from apps.payments.banking.services import submit_send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.upstreams.http import NotCalled, UpstreamError
from tests.banking.banks import Payer, work
from tests.banking.test_reconciliation import reconcile
from tests.banking.test_sends import paid
from tests.banking.webhook_deliveries import deliver, event

pytestmark = pytest.mark.django_db
SOON = timedelta(minutes=1)


@pytest.fixture
def taken(alice: Payer, bank: BankServer) -> Send:
    """A payment that the bank is to be asked for."""
    alice.send(alice.save()["recipientId"], idempotencyKey="k")
    for send in Send.objects.select_related("recipient"):
        submit_send.recipients.ensure_recipient_saved(send.recipient, now=now())
    return Send.objects.get()


@pytest.fixture
def lost_then_refused(taken: Send, monkeypatch: Any) -> Send:
    """One that left, of which the answer was lost, and that was refused as it was asked again."""
    real, answers = (
        bank_api.send_payment,
        [UpstreamError("bank: the deadline passed"), RefusedByBank(404)],
    )

    def lying(account: str, body: dict[str, Any]) -> AcceptedPayment:
        if len(answers) == 2:
            real(account, body)
        raise answers.pop(0)

    with monkeypatch.context() as patched:
        patched.setattr(bank_api, "send_payment", lying)
        work()
        work(now() + SOON)
    return Send.objects.get()


@pytest.fixture
def keyless(bank: BankServer, monkeypatch: Any) -> None:
    """The bank's statement does not tell by which key a line was asked for."""
    real = bank_api.iterate_transactions

    def without(*args: Any, **days: Any) -> Any:
        for one in real(*args, **days):
            yield {name: value for name, value in one.items() if name != "idempotencyKey"}

    monkeypatch.setattr(bank_api, "iterate_transactions", without)


def test_what_left_is_found_at_the_bank_by_its_key(
    lost_then_refused: Send, bank: BankServer
) -> None:
    (one,) = paid(bank)
    assert (lost_then_refused.state, lost_then_refused.bank_id) == ("SENT", one["id"])
    assert not Case.objects.exists() and list(verify_bank_rows(lambda _: None)) == []


def test_what_is_not_found_is_not_told_failed_but_is_an_officers(
    keyless: None, lost_then_refused: Send, alice: Payer, bank: BankServer
) -> None:
    (one,) = paid(bank)
    assert lost_then_refused.state == "UNCLEAR" and list(verify_bank_rows(lambda _: None)) == []
    told = alice.send(
        str(lost_then_refused.recipient.recipient_id), idempotencyKey="k", answers=200
    )
    assert told["status"] == "PENDING"
    case = Case.objects.get()
    assert (case.kind, case.rules[0]["ref"], case.risk) == ("bank_payment", "SD-1", "HIGH")
    assert case.evidence["alike"] == [one["id"]]
    work(now() + timedelta(hours=1))
    assert len(paid(bank)) == 1


def test_asked_again_by_an_officer_it_has_the_same_key_and_leaves_once(
    keyless: None, lost_then_refused: Send, bank: BankServer
) -> None:
    apply_bank_payment_decision(ref=Case.objects.get().ref, outcome="APPROVE", now=now())
    work(now() + SOON)
    assert Send.objects.get().state == "SENT" and len(paid(bank)) == 1


def test_what_an_officer_knows_did_not_go_has_failed(
    keyless: None, lost_then_refused: Send, alice: Payer
) -> None:
    apply_bank_payment_decision(ref=Case.objects.get().ref, outcome="REJECT", now=now())
    row = Send.objects.get()
    assert row.state == "REFUSED" and list(verify_bank_rows(lambda _: None)) == []
    apply_bank_payment_decision(ref=Case.objects.get().ref, outcome="APPROVE", now=now())
    assert Send.objects.get().state == "REFUSED"


def test_the_comparison_finds_what_may_be_it_though_the_webhook_told_of_it(
    keyless: None, lost_then_refused: Send, bank: BankServer
) -> None:
    said = event(patch={"amount": -12.5, "status": "sent", "note": ""})
    deliver(said | {"resourceId": paid(bank)[0]["id"]})
    run = reconcile(now() + timedelta(hours=2))
    assert [difference["code"] for difference in run.data["differences"]] == ["RC-11"]
    assert Case.objects.get(ref__startswith="RC-11").risk == "HIGH"


@pytest.mark.parametrize("mode", ["lost", "garbled", "broken"])
def test_after_any_answer_that_is_not_clear_a_refusal_is_none(
    taken: Send, bank: BankServer, keyless: None, monkeypatch: Any, mode: str
) -> None:
    bank.mode, bank.times = mode, 1
    work()
    assert Send.objects.get().unclear
    monkeypatch.setattr(bank_api, "send_payment", _refuses)
    work(now() + SOON)
    assert Send.objects.get().state == "UNCLEAR"


def _refuses(account: str, body: Any) -> AcceptedPayment:
    raise RefusedByBank(400)


def test_who_died_asking_leaves_it_unclear_and_who_was_never_called_does_not(
    taken: Send, monkeypatch: Any
) -> None:
    def not_called(account: str, body: Any) -> AcceptedPayment:
        assert Send.objects.get().unclear
        raise NotCalled("bank: the breaker is open")

    monkeypatch.setattr(bank_api, "send_payment", not_called)
    work()
    assert not Send.objects.get().unclear
    monkeypatch.setattr(bank_api, "send_payment", _refuses)
    work(now() + SOON)
    assert Send.objects.get().state == "REFUSED" and not Case.objects.exists()


def test_while_the_statement_cannot_be_read_it_waits(taken: Send, monkeypatch: Any) -> None:
    def silent(*args: Any, **days: Any) -> Any:
        raise UpstreamError("bank: the deadline passed")

    Send.objects.update(unclear=True)
    monkeypatch.setattr(bank_api, "send_payment", _refuses)
    monkeypatch.setattr(bank_api, "iterate_transactions", silent)
    work()
    row = Send.objects.get()
    assert row.state == "TAKEN" and row.due_at is not None and row.due_at > now()


def test_of_two_payments_under_one_id_of_the_bank_the_second_is_an_officers(
    taken: Send, alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    alice.send(str(taken.recipient.recipient_id), amount=20)
    monkeypatch.setattr(bank_api, "send_payment", lambda *_: AcceptedPayment("same", "pending"))
    work()
    assert sorted(Send.objects.values_list("state", flat=True)) == ["SENT", "UNCLEAR"]
    assert (
        Case.objects.get().rules[0]["ref"] == "SD-2"
        and list(verify_bank_rows(lambda _: None)) == []
    )


@pytest.mark.parametrize(
    ("status", "state", "rule"),
    [("failed", "FAILED", "SD-3"), ("reversed", "RETURNED", "SD-4"), ("sent", "SETTLED", "")],
)
def test_how_it_ended_may_be_the_banks_first_answer_and_money_that_came_back_is_a_case(
    taken: Send, monkeypatch: Any, status: str, state: str, rule: str
) -> None:
    monkeypatch.setattr(
        bank_api, "send_payment", lambda *_: AcceptedPayment("id-1", status.upper())
    )
    work()
    assert Send.objects.get().state == state
    assert [case.rules[0]["ref"] for case in Case.objects.all()] == [rule] * bool(rule)
