"""A release of a payment by the bank lets go what it answers; what else is found holds it again."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.payments.banking import case_types
from apps.payments.banking.case_types import apply_bank_send_decision
from apps.payments.banking.evidence_view import build_bank_send_view
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankEvent, Send
from apps.payments.banking.services import judge_send, submit_send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from tests.banking.banks import Payer, ach_recipient, work
from tests.banking.test_payer_screening import NEAR, PARTIAL, approve
from tests.banking.test_send_screening import living
from tests.banking.test_sends import paid
from tests.payments.test_rechecks import ONLY_NEW, listed  # noqa: F401

pytestmark = pytest.mark.django_db
TWICE = "Sberbank Zanzibarbank Leasing Consultants"
Listed = Callable[[str], None]


def state() -> str:
    return Send.objects.get().state


def waiting() -> Case:
    """Return the one case that waits."""
    return Case.objects.get(kind="bank_send", status="OPEN")


def test_another_listed_party_that_is_matched_since_holds_it_again_with_a_case_of_its_own(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    answer = alice.send(alice.save(ach_recipient(name=TWICE))["recipientId"])
    first = approve(waiting(), "DIFFERENT_PARTY")
    listed("Zanzibarbank")
    work()
    assert state() == "HELD" and not paid(bank)
    again = waiting()
    assert (again.party, again.risk, again.pk != first.pk) == (TWICE, "HIGH", True)
    assert [rule["sentence"] for rule in again.rules] == [ONLY_NEW]
    assert {match["name"] for match in build_bank_send_view(again.evidence)["matches"]} == {
        "Zanzibarbank"
    }
    response = alice.get(f"/settlement/bank/send/{answer['id']}")
    assert response["status"] == "PENDING" and not {"error", "reason"} & response.keys()
    approve(again, "DIFFERENT_PARTY")
    work()
    assert state() == "SENT" and len(paid(bank)) == 1
    assert list(verify_bank_rows(lambda _: None)) == []


def test_what_a_release_does_not_answer_holds_on(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    alice.send(alice.save(living("KE", name=NEAR))["recipientId"])
    monkeypatch.setattr(case_types, "load_answered_rules", lambda **_: frozenset({PARTIAL}))
    first = approve(waiting(), "OTHER")
    monkeypatch.undo()
    work()
    assert state() == "HELD"
    again = waiting()
    assert PARTIAL in first.refs and PARTIAL not in again.refs and set(again.refs) < set(first.refs)
    approve(again, "COUNTRY_EDD")
    work()
    assert state() == "SENT"


def test_a_name_that_was_given_is_screened_again_and_says_whose_it_is(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.authorize(alice.save()["recipientId"], accountName=TWICE)
    first = waiting()
    approve(first, "DIFFERENT_PARTY", also=first.refs)
    listed("Zanzibarbank")
    work()
    again = waiting()
    assert (again.party, again.refs) == (TWICE, [PARTIAL]), "ACH-5 was answered"
    send_view = build_bank_send_view(again.evidence)
    rows = {one["label"]: one["value"] for one in send_view["request"]["payment"]}
    assert rows["Name given by the payer"] == TWICE
    assert rows["Saved recipient paid"] == "Blue Heron Stationery Limited"
    assert not any(match.get("of") for match in send_view["matches"])


def test_what_was_asked_for_otherwise_and_is_not_answered_holds_on(
    alice: Payer, bank: BankServer
) -> None:
    alice.authorize(alice.save(ach_recipient(name=NEAR))["recipientId"])
    first = waiting()
    assert {PARTIAL, "ACH-5"} <= set(first.refs)
    approve(first, "DIFFERENT_PARTY")
    work()
    assert (state(), waiting().refs) == ("HELD", ["ACH-5"])
    approve(waiting(), "PAYEE_CONFIRMED")
    work()
    assert state() == "SENT"


def test_who_is_listed_since_the_release_is_not_paid(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    approve(waiting(), "DIFFERENT_PARTY")
    listed(NEAR)
    work()
    assert state() == "STOPPED" and not paid(bank) and SarEntry.objects.count() == 1


@pytest.mark.parametrize(("action", "comes_to"), [("FLAG", "HELD"), ("BLOCK", "STOPPED")])
def test_what_the_aml_engine_finds_as_it_is_released_is_another_finding(
    alice: Payer, bank: BankServer, monkeypatch: Any, action: str, comes_to: str
) -> None:
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    said = {"action": action, "riskScore": 66, "riskTier": "HIGH", "signals": []}
    monkeypatch.setattr(judge_send, "judge_by_aml", lambda *rest, **more: said)
    approve(waiting(), "DIFFERENT_PARTY")
    work()
    assert state() == comes_to and not paid(bank)
    if comes_to == "HELD":
        assert waiting().refs == ["ACH-6"]
        approve(waiting(), "PURPOSE_SHOWN")
        work()
        assert state() == "SENT"


def test_one_that_nobody_held_and_that_waited_is_held_for_what_is_flagged_by_now(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.send(alice.save(ach_recipient(name="Zanzibarbank Leasing Consultants"))["recipientId"])
    listed("Zanzibarbank")
    work(now() + timedelta(minutes=6))
    assert (state(), waiting().refs) == ("HELD", [PARTIAL])
    approve(waiting(), "DIFFERENT_PARTY")
    work(now() + timedelta(minutes=7))
    assert state() == "SENT"


def test_one_of_which_the_bank_may_know_already_is_not_held_again(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.send(alice.save(ach_recipient(name="Zanzibarbank Leasing Consultants"))["recipientId"])
    Send.objects.update(unclear=True)
    listed("Zanzibarbank")
    work(now() + timedelta(minutes=6))
    assert state() == "SENT"


def test_a_case_that_was_altered_since_its_decision_lets_nothing_go(
    alice: Payer, bank: BankServer
) -> None:
    alice.authorize(alice.save()["recipientId"], accountName=NEAR)
    case = waiting()
    approve(case, "DIFFERENT_PARTY", also=case.refs)
    Case.objects.update(evidence=case.evidence | {"given": {"name": "Grey Plover"}})
    work()
    assert state() == "TAKEN" and not paid(bank)


def test_the_case_of_an_earlier_hold_decides_nothing(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.send(alice.save(ach_recipient(name=TWICE))["recipientId"])
    first = approve(waiting(), "DIFFERENT_PARTY")
    listed("Zanzibarbank")
    work()
    apply_bank_send_decision(ref=first.ref, outcome="APPROVE", now=now())
    assert state() == "HELD"
    assert [
        bank_event.turn for bank_event in BankEvent.objects.filter(subject__startswith="send")
    ] == [
        "BS-2",
        "BS-7",
        "BS-24",
    ]


def test_what_is_held_again_is_sent_at_once_as_it_is_released(
    alice: Payer,
    bank: BankServer,
    listed: Listed,  # noqa: F811
) -> None:
    alice.send(alice.save(ach_recipient(name=TWICE))["recipientId"])
    approve(waiting(), "DIFFERENT_PARTY")
    listed("Zanzibarbank")
    work()
    approve(waiting(), "DIFFERENT_PARTY")
    try:
        submit_send.submit_send(str(Send.objects.get().pk), now() + timedelta(milliseconds=1))
    except RetryLater:
        pytest.fail("the call of before still has its lease")
    assert state() == "SENT"
