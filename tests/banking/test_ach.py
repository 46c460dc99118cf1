"""POST /bank/ach-authorize: what fires, what is reviewed, what is blocked."""

from itertools import product
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.payments.banking.case_types import apply_bank_send_decision
from apps.payments.banking.models import Send
from apps.payments.banking.rules.automatic_sending import ROWS, PaymentFacts, judge_payment
from apps.payments.banking.simulator.server import BankServer
from apps.platform.api.models import IdempotentCall
from apps.platform.common.clock import now
from tests.banking.banks import AUTHORIZE, Payer, ach_recipient, work
from tests.banking.test_payer_screening import approve
from tests.banking.test_sends import paid

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "c0a8f1de-7b52-4f0e-9d6a-0b8a3a1c9d11"}
PROCEED = PaymentFacts(action="PROCEED")


@pytest.mark.parametrize(
    ("facts", "decision", "codes"),
    [
        (PROCEED, "APPROVED", ["ACH-8"]),
        (PaymentFacts(listed=True, action="PROCEED"), "BLOCKED", ["ACH-1"]),
        (PaymentFacts(action="BLOCK"), "BLOCKED", ["ACH-2"]),
        (PaymentFacts(barred=True, action="PROCEED"), "BLOCKED", ["ACH-9"]),
        (PaymentFacts(doubted=True, action="PROCEED"), "FLAGGED", ["ACH-10"]),
        (PaymentFacts(noted=True, action="PROCEED"), "FLAGGED", ["ACH-11"]),
        (PaymentFacts(near=True, action="PROCEED"), "FLAGGED", ["ACH-3"]),
        (PaymentFacts(same_account=False, action="PROCEED"), "FLAGGED", ["ACH-4"]),
        (PaymentFacts(same_name=False, action="PROCEED"), "FLAGGED", ["ACH-5"]),
        (PaymentFacts(action="FLAG"), "FLAGGED", ["ACH-6"]),
        (PaymentFacts(), "FLAGGED", ["ACH-7"]),
        (PaymentFacts(listed=True, same_name=False, action="FLAG"), "BLOCKED",
         ["ACH-1", "ACH-5", "ACH-6"]),
    ],
)  # fmt: skip
def test_the_gravest_row_decides(facts: PaymentFacts, decision: str, codes: list[str]) -> None:
    judgement = judge_payment(facts)
    assert (judgement.decision, [row.code for row in judgement.rows]) == (decision, codes)


def test_only_what_nothing_stands_against_fires() -> None:
    for listed, near, action, account, name in product(
        (False, True), (False, True), ("", "PROCEED", "FLAG", "BLOCK"), (False, True), (False, True)
    ):
        judgement = judge_payment(
            PaymentFacts(listed, near, action=action, same_account=account, same_name=name)
        )
        clean = not (listed or near) and action == "PROCEED" and account and name
        assert judgement.fires is clean and len({judgement.fires, judgement.reviewed}) in (1, 2)
    assert {row.decision for row in ROWS} == {"FLAGGED", "BLOCKED"}


def test_what_is_approved_fires_once(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    body: dict[str, Any] = {
        "recipientId": recipient, "amount": 25, "accountName": "Blue Heron Stationery Limited",
        "routingNumber": "021000021", "accountNumber": "1234567890", "memo": "invoice 42",
    }  # fmt: skip
    path = "/settlement/bank/ach-authorize"
    answers = [alice.post(path, body, answers=200, **KEY) for _ in range(2)]
    assert answers[0] == answers[1]
    answer = answers[0]
    assert (answer["decision"], answer["autoExecute"], answer["requiresReview"]) == (
        "APPROVED",
        True,
        False,
    )
    assert answer["compliance"]["sanctionsClean"] is True and answer["compliance"]["riskTier"]
    work()
    work()
    (sent,) = paid(bank)
    assert (sent["amount"], sent["note"]) == (-25, "invoice 42")


@pytest.mark.parametrize(
    ("change", "rule"),
    [({"accountNumber": "9999999999"}, "ACH-4"), ({"accountName": "Mud Puppy Kayak"}, "ACH-5")],
)
def test_what_is_flagged_waits_for_an_officer_and_then_fires_once(
    alice: Payer, bank: BankServer, change: dict[str, Any], rule: str
) -> None:
    answer = alice.authorize(alice.save()["recipientId"], **change)
    assert (answer["decision"], answer["autoExecute"], answer["requiresReview"]) == (
        "FLAGGED", False, True,
    )  # fmt: skip
    work()
    assert not paid(bank)
    case = Case.objects.get(kind="bank_send")
    assert rule in case.refs
    approve(case, "PAYEE_CONFIRMED", also=case.refs)
    apply_bank_send_decision(ref=answer["paymentId"], outcome="APPROVE", now=now())
    work()
    assert len(paid(bank)) == 1


def test_what_an_officer_refuses_is_never_sent(alice: Payer, bank: BankServer) -> None:
    answer = alice.authorize(alice.save()["recipientId"], accountNumber="9999999999")
    for outcome in ("REJECT", "APPROVE"):
        apply_bank_send_decision(ref=answer["paymentId"], outcome=outcome, now=now())
    work()
    assert not paid(bank) and Send.objects.get().state == "STOPPED"


def test_a_listed_account_name_is_blocked_and_said_in_the_problem(
    alice: Payer, bank: BankServer
) -> None:
    refused = alice.authorize(alice.save()["recipientId"], accountName="Lazarus Group", answers=403)
    assert (refused["code"], refused["decision"]) == ("ach_blocked", "BLOCKED")
    assert (refused["autoExecute"], refused["requiresReview"]) == (False, False)
    assert refused["compliance"]["sanctionsClean"] is False
    work()
    assert not paid(bank) and Send.objects.get().state == "STOPPED"


def test_a_recipient_of_another_institution_is_not_there(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    bob.authorize(alice.save()["recipientId"], answers=404)


def test_a_call_that_was_blocked_is_one_payment_and_one_entry_however_often_it_comes(
    alice: Payer, bank: BankServer
) -> None:
    recipient = alice.save(ach_recipient(name="Lazarus Group"))["recipientId"]
    body = asked(recipient, accountName="Lazarus Group")
    answers = [alice.post(AUTHORIZE, body, answers=403, **KEY) for _ in range(3)]
    assert answers[0]["compliance"] == answers[2]["compliance"]
    assert type(answers[0]["compliance"]["anomalyScore"]) is int
    assert (Send.objects.count(), SarEntry.objects.count()) == (1, 1)
    other = alice.post(AUTHORIZE, body | {"accountNumber": "9999999999"}, answers=409, **KEY)
    assert other["code"] == "idempotency_key_reused"


@pytest.mark.parametrize("account", ["1234567890", "9999999999"])
def test_a_key_is_the_same_payment_long_after_its_answer_was_let_go(
    alice: Payer, bank: BankServer, account: str
) -> None:
    body = asked(alice.save()["recipientId"], accountNumber=account)
    first = alice.post(AUTHORIZE, body, answers=200, **KEY)
    IdempotentCall.objects.all().delete()
    assert alice.post(AUTHORIZE, body, answers=200, **KEY) == first
    work()
    assert Send.objects.count() == 1 and len(paid(bank)) == (first["decision"] == "APPROVED")


def asked(recipient: str, **changes: Any) -> dict[str, Any]:
    return {
        "recipientId": recipient, "amount": 25, "accountName": "Blue Heron Stationery Limited",
        "routingNumber": "021000021", "accountNumber": "1234567890", "memo": "invoice 42",
    } | changes  # fmt: skip
