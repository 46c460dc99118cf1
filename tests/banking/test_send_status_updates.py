"""What the bank tells of our own payments moves them, in whatever order it comes."""

import itertools
import uuid
from typing import Any

import pytest

from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankEvent, Send
from apps.payments.banking.rules.transitions import (
    EVENTS_BY_BANK_STATUS,
    TAKEN_STATES,
    UNDER_WAY,
    find_transition,
    has_transition,
)
from apps.payments.banking.services import submit_send
from apps.payments.banking.simulator.bank import ACCOUNT
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.banking.banks import ACCOUNTS, SEND, SENDS, TRANSACTIONS, Payer, work
from tests.banking.webhook_deliveries import deliver, event, update

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(alice: Payer, bank: BankServer) -> Send:
    """A payment that the bank has taken."""
    alice.send(alice.save()["recipientId"], note="invoice 42")
    work()
    return Send.objects.get()


def told(row: Send, version: int, status: str) -> dict[str, Any]:
    """A delivery that tells the status of a payment."""
    said = event(patch={"amount": -12.5, "status": status}) | {"resourceId": row.bank_id}
    return update(said, version, status=status) | {"id": str(uuid.uuid4())}


@pytest.mark.parametrize(
    ("status", "state", "steps"),
    [
        ("sent", "SETTLED", ["TAKEN", "SENT", "CLEARED"]),
        ("reversed", "RETURNED", ["TAKEN", "SENT", "RETURNED"]),
        ("failed", "FAILED", ["TAKEN", "SENT", "FAILED"]),
        ("cancelled", "FAILED", ["TAKEN", "SENT", "FAILED"]),
        ("blocked", "FAILED", ["TAKEN", "SENT", "FAILED"]),
        ("pending", "SENT", ["TAKEN", "SENT"]),
    ],
)
def test_a_status_moves_the_payment_with_an_event(
    alice: Payer, sent: Send, status: str, state: str, steps: list[str]
) -> None:
    for _ in range(2):
        deliver(told(sent, 2, status))
    row = Send.objects.get()
    assert row.state == state and list(verify_bank_rows(lambda _: None)) == []
    bank_events = BankEvent.objects.filter(subject=row.subject).order_by("number")
    assert [bank_event.event for bank_event in bank_events] == steps
    told_of = alice.get(f"{SEND}/{row.send_id}")
    assert told_of["status"] == state and ("error" in told_of) is (state == "FAILED")
    assert "block" not in told_of.get("error", "")


@pytest.mark.parametrize("order", [*itertools.permutations((2, 3, 4))])
def test_the_last_version_holds_whichever_comes_first(sent: Send, order: tuple[int, ...]) -> None:
    says = {2: "sent", 3: "failed", 4: "reversed"}
    for version in order:
        deliver(told(sent, version, says[version]))
    assert Send.objects.get().state == "RETURNED" and list(verify_bank_rows(lambda _: None)) == []


def test_what_the_bank_told_before_its_answer_was_noted_counts(
    alice: Payer, bank: BankServer
) -> None:
    alice.send(alice.save()["recipientId"])
    row = Send.objects.get()
    recipient = row.recipient
    submit_send.recipients.ensure_recipient_saved(recipient, now=now())
    taken = submit_send.bank_api.send_payment(
        str(row.account_id), submit_send.build_payment_body(row)
    )
    row.bank_id = taken.bank_id
    deliver(told(row, 2, "sent"))
    assert Send.objects.get().state == "TAKEN"
    work()
    assert Send.objects.get().state == "SETTLED" and list(verify_bank_rows(lambda _: None)) == []


def test_a_payment_that_somebody_altered_is_not_moved(sent: Send) -> None:
    Send.objects.update(amount=1000)
    said = deliver(told(sent, 2, "sent"), answers=503)
    assert said["code"] == "bank_row_unproved" and Send.objects.get().state == "SENT"


def test_from_each_end_each_other_is_reached() -> None:
    events = {*EVENTS_BY_BANK_STATUS.values(), UNDER_WAY}
    for state in TAKEN_STATES:
        reached = {
            find_transition("send", state, one).next
            for one in events
            if has_transition("send", state, one)
        }
        assert reached == set(TAKEN_STATES) - {state}


def test_the_simulated_bank_lets_payments_end(alice: Payer, sent: Send, bank: BankServer) -> None:
    said: list[dict[str, Any]] = []
    bank.bank.tell = said.append
    assert bank.bank.finish("sent") == 1
    deliver(said[0])
    assert Send.objects.get().state == "SETTLED"


def test_an_institution_reads_its_payments_page_by_page_and_no_others(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    recipient = alice.save()["recipientId"]
    ids = [alice.send(recipient)["id"] for _ in range(3)]
    first = alice.get(SENDS, limit="2")
    assert [item["id"] for item in first["items"]] == [ids[2], ids[1]]
    rest = alice.client.get(first["next"]).json()
    assert [item["id"] for item in rest["items"]] == [ids[0]] and rest["next"] is None
    assert bob.get(SENDS)["items"] == [] and bob.get(f"{SEND}/{ids[0]}", answers=404)


def test_a_payment_that_somebody_altered_is_withheld(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    ids = [alice.send(recipient)["id"] for _ in range(2)]
    Send.objects.filter(send_id=ids[0]).update(amount=1000)
    response = alice.get(SENDS)
    assert ([item["id"] for item in response["items"]], response["withheld"]) == ([ids[1]], 1)
    assert alice.get(f"{SEND}/{ids[0]}", answers=503)["code"] == "bank_row_unproved"


@pytest.fixture
def own(alice: Payer, settings: Any) -> None:
    """The account is Alice's alone."""
    settings.BANK_ACCOUNTS = {ACCOUNT: alice.client.account.ref}


def test_accounts_are_told_with_what_is_on_them(alice: Payer, own: None, sent: Send) -> None:
    (one,) = alice.get(ACCOUNTS)["accounts"]
    assert (one["accountId"], one["availableBalance"]) == (str(sent.account_id), 9_999_987.5)


def test_a_statement_is_told_page_by_page_with_the_payments_that_are_ours(
    alice: Payer, own: None, sent: Send, bank: BankServer
) -> None:
    bank.bank.deposit({"amount": 5, "note": "from elsewhere"})
    bank.bank.paid[str(sent.account_id)].append({"id": "odd"})
    first = alice.get(TRANSACTIONS, limit="2")
    assert [(item["amount"], item.get("paymentId")) for item in first["items"]] == [
        (-12.5, str(sent.send_id)), (5, None),
    ]  # fmt: skip
    rest = alice.get(TRANSACTIONS, limit="2", offset=str(first["nextOffset"]))
    assert (rest["items"], rest["withheld"]) == ([], 1) and "nextOffset" not in rest
    alice.get(TRANSACTIONS, answers=400, since="2026-11-20", until="2026-11-19")
    alice.get(TRANSACTIONS, answers=403, accountId=str(uuid.uuid4()))


def test_an_account_that_the_bank_does_not_have_is_nobodys(alice: Payer, bank: BankServer) -> None:
    response = alice.get(TRANSACTIONS, answers=403, accountId=str(uuid.uuid4()))
    assert response["code"] == "account_not_yours"


def test_a_statement_of_any_day_is_asked_for(alice: Payer, bank: BankServer) -> None:
    assert alice.get(TRANSACTIONS, until="0086-09-14")["since"] == "0086-08-15"
    assert alice.get(TRANSACTIONS, until="0001-01-01")["since"] == "0001-01-01"
    assert alice.get(TRANSACTIONS, since="2270-02-22")["until"] == "2270-02-22"


@pytest.mark.parametrize("path", [ACCOUNTS, TRANSACTIONS])
def test_a_bank_that_does_not_answer_is_told(alice: Payer, bank: BankServer, path: str) -> None:
    bank.mode = "garbled"
    assert alice.get(path, answers=503)["code"] == "bank_unavailable"


def test_the_manifest_names_the_tools_as_the_specification_does(alice: Payer) -> None:
    found = {tool["name"]: tool for tool in alice.get("/settlement/manifest")["tools"]}
    assert {"bank.accounts", "bank.transactions", "bank.send", "bank.ach_authorize"} <= set(found)
    assert found["bank.send"]["path"] == "/bank/send" and found["bank.send"]["method"] == "POST"
    assert found["bank_payment"]["path"] == "/bank/send/{payment_id}"
    assert "settlement.settle" in found and "bank_webhook" not in found
