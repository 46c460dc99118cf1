"""POST /bank/send: money leaves once, or not at all."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.models import WalletProfile
from apps.payments.banking.case_types import apply_bank_send_decision
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import Recipient, Send
from apps.payments.banking.rules.send_fields import (
    CATEGORIES,
    EXPLAINED_CATEGORIES,
    find_send_faults,
)
from apps.payments.banking.screening import recipients
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.services import submit_send
from apps.payments.banking.simulator.bank import ACCOUNT, OPENING, SAVINGS
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from apps.reference.watchlists.rules.score_limits import PARTIAL_SCORE
from tests.banking.banks import ACCOUNTS, SEND, SENDS, TRANSACTIONS, Payer, ach_recipient, work

UNKNOWN = "9c1f7b52-4a0d-4f3e-8b6a-2d5e7c9f1a34"  # of an account that no bank here has

pytestmark = pytest.mark.django_db


def paid(server: BankServer) -> list[dict[str, Any]]:
    return [row for rows in server.bank.paid.values() for row in rows]


def test_a_payment_is_taken_and_sent_once(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    answer = alice.send(recipient, note="invoice 42", idempotencyKey="k-1")
    assert answer["status"] == "PENDING" and not paid(bank)
    work()
    work()
    again = alice.send(recipient, note="invoice 42", idempotencyKey="k-1", answers=200)
    assert (again["id"], again["status"]) == (answer["id"], "SENT")
    (one,) = paid(bank)
    assert (one["id"], one["amount"], one["note"]) == (again["transactionId"], -12.5, "invoice 42")
    assert list(verify_bank_rows(lambda _: None)) == []


def test_another_payment_under_the_same_key_is_409_and_other_tenants_have_their_own(
    alice: Payer, bob: Payer, bank: BankServer, settings: Any
) -> None:
    key = {"idempotencyKey": "k-1"}
    alice.send(alice.save()["recipientId"], **key)
    recipient = str(Recipient.objects.get().recipient_id)
    refused = alice.send(recipient, **key, amount=13.5, answers=409)
    assert refused["code"] == "idempotency_key_reused"
    settings.BANK_ACCOUNTS = {ACCOUNT: alice.client.account.ref, SAVINGS: bob.client.account.ref}
    bob.send(bob.save()["recipientId"], **key, accountId=SAVINGS)
    bob.send(recipient, answers=404, accountId=SAVINGS)


def test_without_a_key_each_is_a_payment_of_its_own(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    first, second = alice.send(recipient), alice.send(recipient)
    assert first["idempotencyKey"] != second["idempotencyKey"]
    work()
    assert len(paid(bank)) == 2


@pytest.mark.parametrize("mode", ["lost", "garbled", "broken"])
def test_an_answer_that_does_not_come_is_asked_for_again_with_the_same_key(
    alice: Payer, bank: BankServer, mode: str
) -> None:
    recipient = alice.save()["recipientId"]
    work()
    alice.send(recipient)
    bank.mode, bank.times = mode, 1
    work()
    row = Send.objects.get()
    assert (row.state, row.tries) == ("TAKEN", 1) and row.trouble
    with pytest.raises(RetryLater):
        submit_send.submit_send(str(row.pk), now())
    work(now() + timedelta(seconds=6))
    assert Send.objects.get().state == "SENT" and len(paid(bank)) == 1


def test_while_one_run_asks_the_bank_another_waits(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    Send.objects.update(calling_until=now() + timedelta(minutes=1))
    with pytest.raises(RetryLater):
        submit_send.submit_send(str(Send.objects.get().pk), now() + timedelta(seconds=1))
    assert not paid(bank)
    work(now() + timedelta(minutes=2))
    assert len(paid(bank)) == 1


def test_a_call_begun_by_a_clock_that_is_set_back_has_its_lease_from_now(
    alice: Payer, bank: BankServer
) -> None:
    alice.send(alice.save()["recipientId"])
    moment = now() + timedelta(seconds=1)
    Send.objects.update(calling_until=moment + timedelta(hours=2))
    with pytest.raises(RetryLater) as again:
        submit_send.submit_send(str(Send.objects.get().pk), moment)
    assert again.value.eta == moment + submit_send.LEASE and not paid(bank)
    work(again.value.eta)
    assert len(paid(bank)) == 1


@pytest.mark.parametrize("tries", range(len(submit_send.RETRY_DELAYS) + 2))
def test_a_try_planned_by_a_clock_that_is_set_back_is_due(
    alice: Payer, bank: BankServer, tries: int
) -> None:
    alice.send(alice.save()["recipientId"])
    moment = now() + timedelta(seconds=1)
    wait = (
        submit_send.RETRY_DELAYS[min(tries, len(submit_send.RETRY_DELAYS)) - 1]
        if tries
        else timedelta(seconds=5)
    )
    Send.objects.update(tries=tries, due_at=moment + wait)
    work(moment)
    assert not paid(bank)
    Send.objects.update(due_at=moment + wait + timedelta(hours=2))
    work(moment)
    assert len(paid(bank)) == 1


@pytest.mark.parametrize(
    ("account", "says"), [(UNKNOWN, "does not know this accountId"), (ACCOUNT, "did not accept")]
)
def test_what_the_bank_refuses_has_failed_and_says_why(
    alice: Payer, bank: BankServer, account: str, says: str
) -> None:
    bank.bank.balances[ACCOUNT] = Decimal(1)
    asked = {"idempotencyKey": "k", "accountId": account}
    recipient = alice.save()["recipientId"]
    sent = alice.send(recipient, **asked)
    assert "error" not in sent
    work()
    failed = alice.send(recipient, **asked, answers=200)
    assert failed["status"] == "FAILED" and says in failed["error"]
    assert alice.get(f"{SEND}/{sent['id']}") == alice.get(SENDS)["items"][0] == failed
    assert list(verify_bank_rows(lambda _: None)) == []


def test_a_payment_to_whom_the_bank_does_not_save_says_that_of_the_recipient(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    sent = alice.send(alice.save()["recipientId"])
    monkeypatch.setattr(bank.bank, "save", lambda body: bank.bank.send("nowhere", body))
    work()
    assert "did not save the recipient" in alice.get(f"{SEND}/{sent['id']}")["error"]


def test_a_payment_that_an_officer_stopped_says_no_more_than_one_that_a_check_stopped(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    blocked = alice.save(ach_recipient(name="Lazarus Group"))["recipientId"]
    detail = alice.send(blocked, answers=403, idempotencyKey="k-1")["detail"]
    near = ScreeningOutcome(PARTIAL_SCORE, ("sample:1",), (), "lists")
    monkeypatch.setattr(recipients, "screen_parties", lambda parties, **_: near)
    held = alice.send(alice.save()["recipientId"])
    apply_bank_send_decision(ref=held["id"], outcome="REJECT", now=now())
    assert alice.get(f"{SEND}/{held['id']}")["error"] == detail


def test_an_account_that_the_simulated_bank_does_not_have_is_refused_before_it_is_asked(
    alice: Payer, settings: Any
) -> None:
    settings.BANK_API_URL = ""
    recipient, unknown = alice.save()["recipientId"], str(uuid.uuid4())
    refused = alice.send(recipient, accountId=unknown, answers=403)
    assert refused["code"] == "account_not_yours" and not Send.objects.exists()
    seen = alice.get(TRANSACTIONS, accountId=unknown, answers=403)
    assert (seen["code"], seen["detail"]) == (refused["code"], refused["detail"])
    for one in (ACCOUNT, SAVINGS):
        alice.send(recipient, accountId=one)


def test_a_row_that_somebody_altered_is_not_sent(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    Send.objects.update(amount=1000)
    work()
    assert not paid(bank) and len(list(verify_bank_rows(lambda _: None))) == 1


def test_to_a_listed_recipient_nothing_is_sent(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save(ach_recipient(name="Lazarus Group"))["recipientId"]
    refused = alice.send(recipient, answers=403, idempotencyKey="k")
    assert refused["code"] == "payment_blocked" and "Lazarus" not in str(refused)
    assert alice.send(recipient, answers=403, idempotencyKey="k")["code"] == "payment_blocked"
    work()
    assert not paid(bank) and Send.objects.get().state == "STOPPED"
    assert SarEntry.objects.get(kind="bank_send").data["sanctions"] is True


def test_a_name_that_resembles_a_listed_one_waits_for_an_officer_and_says_so_to_nobody(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    near = ScreeningOutcome(PARTIAL_SCORE, ("sample:1",), (), "lists")
    monkeypatch.setattr(recipients, "screen_parties", lambda parties, **_: near)
    recipient = alice.save()["recipientId"]
    answer = alice.send(recipient)
    work()
    assert answer["status"] == "PENDING" and not paid(bank)
    assert Case.objects.get(kind="bank_send").rules[0]["ref"] == "ACH-3"


def test_an_account_that_is_another_institutions_is_refused(
    alice: Payer, bank: BankServer, settings: Any
) -> None:
    recipient = alice.save()["recipientId"]
    settings.BANK_ACCOUNTS = {ACCOUNT: "account:999999"}
    assert alice.send(recipient, answers=403)["code"] == "account_not_yours"
    assert alice.authorize(recipient, answers=403)["code"] == "account_not_yours"
    settings.BANK_ACCOUNTS = {ACCOUNT: alice.client.account.ref}
    alice.send(recipient)


def test_of_the_shared_account_of_a_sandbox_each_sees_what_it_paid_itself(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    for one in (alice, bob):
        one.send(one.save()["recipientId"])
    bank.bank.deposit({"amount": 5})
    work()
    pages = [one.get(TRANSACTIONS)["items"] for one in (alice, bob)]
    assert [len(one) for one in pages] == [1, 1]
    assert pages[0][0]["paymentId"] == alice.get(SENDS)["items"][0]["id"]
    assert pages[0][0]["paymentId"] != pages[1][0]["paymentId"]
    before = float(OPENING) + 5
    for one in (alice, bob):
        (account,) = one.get(ACCOUNTS)["accounts"]
        assert account["accountId"] == ACCOUNT
        assert account["currentBalance"] == account["availableBalance"] == before - 12.5


def test_a_statement_of_a_shared_account_is_read_page_by_page(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    for payer in (alice, bob):
        recipient = payer.save()["recipientId"]
        work()
        for number in range(3 if payer is alice else 1):
            payer.send(recipient, note=f"invoice {number}")
    work()
    pages = [alice.get(TRANSACTIONS, limit=2, offset=offset) for offset in (0, 2)]
    assert [len(page["items"]) for page in pages] == [2, 1]
    assert [page.get("nextOffset") for page in pages] == [2, None]
    transaction_ids = [item["transactionId"] for page in pages for item in page["items"]]
    assert transaction_ids == [item["transactionId"] for item in alice.get(TRANSACTIONS)["items"]]


def test_the_bank_is_told_all_that_was_asked() -> None:
    row = Send(
        recipient=Recipient(bank_id="r-1"),
        bank_key=UNKNOWN,
        amount=Decimal("12.5"),
        method="domesticWire",
        note="invoice 42",
        category="Vendor",
        additional_info="Paper for the office",
    )
    assert submit_send.build_payment_body(row) == {
        "recipientId": "r-1",
        "amount": Decimal("12.5"),
        "paymentMethod": "domesticWire",
        "idempotencyKey": UNKNOWN,
        "note": "invoice 42",
        "purpose": {
            "simple": {"category": "vendor", "additionalInfo": "Paper for the office"},
        },
    }


def test_an_account_that_is_shared_has_a_profile_for_each(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    for one in (alice, bob):
        one.authorize(one.save()["recipientId"])
    profiles = WalletProfile.objects.filter(wallet__startswith="bank-account:")
    assert profiles.count() == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": 0.009}, "amount"),
        ({"amount": 12.345}, "amount"),
        ({"amount": "12.50"}, "amount"),
        ({"accountId": None}, "accountId"),
        ({"accountId": "x"}, "accountId"),
        ({"routingNumber": "021000021"}, "routingNumber"),
        ({"paymentMethod": "internationalWire"}, "paymentMethod"),
        ({"paymentMethod": "cash"}, "paymentMethod"),
        ({"paymentMethod": "domesticWire"}, "purpose"),
        ({"purpose": {"category": "Gambling"}}, "purpose.category"),
        ({"purpose": {"category": "Vendor"}}, "additionalInfo"),
        ({"purpose": {"category": "Vendor"}, "additionalInfo": " "}, "additionalInfo"),
    ],
)
def test_what_is_not_right_is_refused_by_its_field(
    alice: Payer, bank: BankServer, change: dict[str, Any], field: str
) -> None:
    refused = alice.send(str(uuid.uuid4()), answers=400, **change)
    assert field in [error["field"] for error in refused["errors"]] and not Send.objects.exists()


def test_an_international_wire_is_refused_with_a_hint(alice: Payer) -> None:
    refused = alice.send(str(uuid.uuid4()), answers=400, paymentMethod="internationalWire")
    assert "two people" in refused["detail"]


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_says_what_it_must(category: str) -> None:
    asked = {"payment_method": "domesticWire", "purpose": {"category": category}}
    assert bool(find_send_faults(asked)) is (category in EXPLAINED_CATEGORIES)
    assert not find_send_faults(asked | {"additional_info": "invoice 42"})


def test_a_tagged_payment_names_the_wallet_in_its_note(
    alice: Payer, bank: BankServer, settings: Any
) -> None:
    recipient = alice.save()["recipientId"]
    settings.BANK_DEFAULT_RECIPIENT = ""
    assert alice.send(recipient, svcRoute=True, answers=422)["code"] == "no_route"
    settings.BANK_DEFAULT_RECIPIENT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    alice.send(recipient, svcRoute=True, note="invoice 7")
    work()
    assert paid(bank)[0]["note"] == f"invoice 7 svc:{settings.BANK_DEFAULT_RECIPIENT}"


def test_what_nothing_carries_is_planned_again(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    Job.objects.all().delete()
    submit_send.enqueue_overdue_sends(now() + timedelta(minutes=3))
    assert Job.objects.filter(name="banking.send", key=str(Send.objects.get().pk)).exists()


@pytest.mark.parametrize(
    ("late", "state"),
    [(timedelta(minutes=5), "SENT"), (timedelta(minutes=5, seconds=1), "STOPPED")],
)
def test_who_is_listed_while_a_payment_waits_for_longer_than_five_minutes_is_not_paid(
    alice: Payer, bank: BankServer, monkeypatch: Any, late: timedelta, state: str
) -> None:
    alice.send(alice.save()["recipientId"])
    listed = ScreeningOutcome(100, ("sample:1",), (), "lists")
    monkeypatch.setattr(recipients, "screen_parties", lambda parties, **_: listed)
    work(Send.objects.get().asked_at + late)
    assert Send.objects.get().state == state
    assert len(paid(bank)) == (state == "SENT")


def test_of_more_than_are_planned_at_once_the_longest_due_come_first(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    recipient = alice.save()["recipientId"]
    for _ in range(3):
        alice.send(recipient)
    newest, oldest, middle = Send.objects.order_by("pk")
    for row, minutes in ((newest, 3), (oldest, 9), (middle, 6)):
        Send.objects.filter(pk=row.pk).update(due_at=now() - timedelta(minutes=minutes))
    Job.objects.all().delete()
    monkeypatch.setattr(submit_send, "SWEEP_BATCH_SIZE", 2)
    submit_send.enqueue_overdue_sends(now())
    planned = set(Job.objects.filter(name="banking.send").values_list("key", flat=True))
    assert planned == {str(oldest.pk), str(middle.pk)}


def test_a_call_that_was_blocked_is_one_payment_and_one_entry_however_often_it_comes(
    alice: Payer, bank: BankServer
) -> None:
    recipient = alice.save(ach_recipient(name="Lazarus Group"))["recipientId"]
    body = {"accountId": ACCOUNT, "recipientId": recipient, "amount": 25, "paymentMethod": "ach"}
    for _ in range(3):
        refused = alice.post(SEND, body, answers=403, **{"Idempotency-Key": "k-1"})
        assert refused["code"] == "payment_blocked"
    assert (Send.objects.count(), SarEntry.objects.count()) == (1, 1)


def test_the_key_of_the_call_is_that_of_the_payment_where_the_body_names_none(
    alice: Payer, bank: BankServer
) -> None:
    recipient = alice.save()["recipientId"]
    body = {"accountId": ACCOUNT, "recipientId": recipient, "amount": 25, "paymentMethod": "ach"}
    response = alice.post(SEND, body, answers=202, **{"Idempotency-Key": "k-1"})
    assert response["idempotencyKey"] == "k-1"
    assert (
        alice.send(recipient, amount=25, idempotencyKey="k-1", answers=200)["id"] == response["id"]
    )
    two = {"idempotencyKey": "k-2"}
    assert alice.post(SEND, body | two, answers=202, **{"Idempotency-Key": "h"}) | two != response
