"""POST /bank/recipients: who is paid by the bank."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.banking.clients import bank_api
from apps.payments.banking.models import BankEvent, Recipient, Send
from apps.payments.banking.rules import account_numbers, send_fields
from apps.payments.banking.services import recipients
from apps.payments.banking.services.submit_send import submit_send
from apps.payments.banking.simulator.bank import ACCOUNT
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.banking.banks import SEND, Payer, ach_recipient, wire_recipient, work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("body", "kind"), [(ach_recipient(), "ACH"), (wire_recipient(), "WIRE")])
def test_both_kinds_are_saved_here_and_at_the_bank(
    alice: Payer, bank: BankServer, body: dict[str, Any], kind: str
) -> None:
    answer = alice.save(body)
    assert (answer["kind"], answer["status"]) == (kind, "PENDING")
    work()
    row = Recipient.objects.get()
    assert row.state == "SAVED" and row.bank_id in bank.bank.recipients
    again = alice.save(body | {"recipientId": answer["recipientId"]}, answers=200)
    assert again["status"] == "SAVED" and Recipient.objects.count() == 1
    work()
    assert len(bank.bank.recipients) == 1


def test_an_account_number_is_sealed_and_never_told_whole(alice: Payer, bank: BankServer) -> None:
    answer = alice.save()
    kept = json.dumps([list(Recipient.objects.values()), list(BankEvent.objects.values("payload"))],
                      default=str)  # fmt: skip
    assert "1234567890" not in kept and "1234567890" not in json.dumps(answer)
    assert answer["accountEnding"] == "7890"
    assert (
        Recipient.objects.get().opened()["electronicRoutingInfo"]["accountNumber"] == "1234567890"
    )


def test_the_same_id_with_other_details_is_409_and_another_tenant_may_have_it(
    alice: Payer, bob: Payer
) -> None:
    named = {"recipientId": "0b6f2f0a-4a3e-4f4b-9d5e-2f7c1a9b8e10"}
    alice.save(ach_recipient(**named))
    refused = alice.save(ach_recipient(**named, name="Grey Plover Ltd"), answers=409)
    assert refused["code"] == "recipient_differs"
    bob.save(ach_recipient(**named, name="Grey Plover Ltd"))


ROUTING = ach_recipient()["electronicRoutingInfo"]
WIRE = wire_recipient()["internationalWireRoutingInfo"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (ach_recipient(name=""), "name"),
        (ach_recipient(emails="ap@example.com"), "emails"),
        (ach_recipient(emails=["nobody"]), "emails.0"),
        (ach_recipient(electronicRoutingInfo={"accountNumber": "1234567890"}),
         "electronicRoutingInfo.routingNumber"),
        (ach_recipient(electronicRoutingInfo=ROUTING | {"routingNumber": "021000022"}),
         "electronicRoutingInfo.routingNumber"),
        (ach_recipient(electronicRoutingInfo=ROUTING | {"accountNumber": "123"}),
         "electronicRoutingInfo.accountNumber"),
        (ach_recipient(defaultPaymentMethod="internationalWire"), "defaultPaymentMethod"),
        (wire_recipient(internationalWireRoutingInfo=WIRE | {"iban": "DE88370400440532013000"}),
         "internationalWireRoutingInfo.iban"),
        (wire_recipient(internationalWireRoutingInfo=WIRE | {"swiftCode": "COBA"}),
         "internationalWireRoutingInfo.swiftCode"),
        (ach_recipient() | wire_recipient(), "electronicRoutingInfo"),
        ({"name": "A", "emails": ["a@b.example"]}, "electronicRoutingInfo"),
    ],
)  # fmt: skip
def test_what_is_not_right_is_refused_by_its_field(
    alice: Payer, body: dict[str, Any], field: str
) -> None:
    fields = [error["field"] for error in alice.save(body, answers=400)["errors"]]
    assert field.partition(".0")[0] in [one.partition(".0")[0] for one in fields]
    assert not Recipient.objects.exists()


def test_what_the_bank_does_not_take_is_refused_and_not_asked_again(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    answer = alice.save()
    monkeypatch.setattr(bank.bank, "save", lambda body: bank.bank.send("nowhere", body))
    work()
    again = alice.save(ach_recipient(recipientId=answer["recipientId"]), answers=200)
    assert again["status"] == "REFUSED"


def test_without_a_bank_nothing_is_saved(alice: Payer, monkeypatch: Any) -> None:
    monkeypatch.setattr(bank_api, "is_bank_configured", lambda: False)
    assert alice.save(answers=503)["code"] == "no_bank"


@pytest.mark.parametrize(
    ("check", "text", "found"),
    [
        (account_numbers.parse_routing_number, "021000021", "021000021"),
        (account_numbers.parse_routing_number, "021000020", ""),
        (account_numbers.parse_routing_number, "12AB", ""),
        (account_numbers.parse_routing_number, "０21000021", ""),
        (account_numbers.parse_account_number, "1234", "1234"),
        (account_numbers.parse_account_number, "123", ""),
        (account_numbers.parse_account_number, "1" * 17, "1" * 17),
        (account_numbers.parse_account_number, "1" * 18, ""),
        (account_numbers.parse_iban, "de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        (account_numbers.parse_iban, "DE89370400440532013001", ""),
        (account_numbers.parse_bic, "cobadeff", "COBADEFF"),
        (account_numbers.parse_bic, "COBADEFFXX", ""),
        (send_fields.parse_email, "a@b.example", "a@b.example"),
        (send_fields.parse_email, "a@b", ""),
        (send_fields.parse_email, "a b@c.example", ""),
    ],
)
def test_a_number_is_judged_by_its_own_digits(check: Any, text: str, found: str) -> None:
    assert check(text) == found


def of_account(number: str) -> dict[str, Any]:
    body = ach_recipient(recipientId="0b6f2f0a-4a3e-4f4b-9d5e-2f7c1a9b8e10")
    body["electronicRoutingInfo"] = body["electronicRoutingInfo"] | {"accountNumber": number}
    return body


@pytest.mark.parametrize("lenient", [False, True])
def test_two_institutions_that_choose_one_id_each_pay_their_own_account(
    alice: Payer, bob: Payer, bank: BankServer, lenient: bool
) -> None:
    strict = bank.bank._once

    def once(body: Any, does: Any) -> Any:
        """Answer the same key as before, whatever is asked by it."""
        known = bank.bank.by_key.get(str(body.get("idempotencyKey", "")))
        return dict(known[1]) if lenient and known else strict(body, does)

    bank.bank._once = once  # type: ignore[method-assign]
    for one, number in ((alice, "1111111111"), (bob, "2222222222")):
        one.save(of_account(number))
    work()
    for one in (alice, bob):
        one.send("0b6f2f0a-4a3e-4f4b-9d5e-2f7c1a9b8e10")
    work()
    owners = dict(Send.objects.values_list("bank_id", "owner"))
    went = {owners[one["id"]]: one["counterpartyId"] for one in bank.bank.paid[ACCOUNT]}
    routing = "electronicRoutingInfo"
    numbers = {of: bank.bank.recipients[to][routing]["accountNumber"] for of, to in went.items()}
    assert numbers == {
        alice.client.account.ref: "1111111111", bob.client.account.ref: "2222222222",
    }  # fmt: skip


def test_whom_the_bank_saves_by_the_id_of_another_is_not_paid(
    alice: Payer, bob: Payer, bank: BankServer, monkeypatch: Any, caplog: Any
) -> None:
    monkeypatch.setattr(bank_api, "save_recipient", lambda body, key: "same")
    for one in (alice, bob):
        one.save(of_account("1111111111"))
    work()
    found = set(Recipient.objects.values_list("state", "bank_id"))
    assert found == {("SAVED", "same"), ("REFUSED", "")}
    assert "by the id of another" in caplog.text


def overtaken(monkeypatch: Any, winner: Callable[[str], None]) -> None:
    """Have another run save a recipient while the bank's answer to the first is under way."""
    asks = bank_api.save_recipient

    def once(body: Any, *, key: str) -> str:
        monkeypatch.setattr(bank_api, "save_recipient", asks)
        winner(str(Recipient.objects.get().pk))
        return asks(body, key=key)

    monkeypatch.setattr(bank_api, "save_recipient", once)


def test_a_payment_goes_at_once_though_another_run_saves_its_recipient_meanwhile(
    alice: Payer, bank: BankServer, monkeypatch: Any, caplog: Any
) -> None:
    recipient = alice.save()["recipientId"]
    sent = alice.send(recipient)
    overtaken(monkeypatch, lambda number: recipients.save_pending_recipient(number, now()))
    with caplog.at_level(logging.ERROR):
        submit_send(str(Send.objects.get().pk), now())
    assert alice.get(f"{SEND}/{sent['id']}")["status"] == "SENT"
    assert len(bank.bank.recipients) == 1 and sum(map(len, bank.bank.paid.values())) == 1
    assert BankEvent.objects.filter(subject__startswith="recipient:", event="SAVED").count() == 1
    assert not caplog.records


def test_a_recipient_that_another_run_saved_meanwhile_is_saved_without_alarm(
    alice: Payer, bank: BankServer, monkeypatch: Any, caplog: Any
) -> None:
    alice.save()
    alice.send(str(Recipient.objects.get().recipient_id))
    overtaken(monkeypatch, lambda _: submit_send(str(Send.objects.get().pk), now()))
    with caplog.at_level(logging.ERROR):
        recipients.save_pending_recipient(str(Recipient.objects.get().pk), now())
    assert (Recipient.objects.get().state, Send.objects.get().state) == ("SAVED", "SENT")
    assert not caplog.records


def test_a_payment_whose_recipient_the_bank_refused_another_run_meanwhile_is_refused(
    alice: Payer, bank: BankServer, monkeypatch: Any, caplog: Any
) -> None:
    sent = alice.send(alice.save()["recipientId"])
    monkeypatch.setattr(bank.bank, "save", lambda body: bank.bank.send("nowhere", body))
    overtaken(monkeypatch, lambda number: recipients.save_pending_recipient(number, now()))
    with caplog.at_level(logging.ERROR):
        submit_send(str(Send.objects.get().pk), now())
    assert alice.get(f"{SEND}/{sent['id']}")["status"] == "FAILED"
    assert not caplog.records and not any(bank.bank.paid.values())
