"""An institution reads how its payment with `svcRoute` is settled: it executes the transfer."""

from typing import Any

import pytest

from apps.payments.banking.simulator.server import BankServer
from tests.banking.banks import SEND, SENDS, TRANSACTIONS, Payer, work
from tests.banking.test_sends import paid
from tests.banking.webhook_deliveries import WALLET, deliver, event, update

pytestmark = pytest.mark.django_db
EVENTS = "/integration/payments/events"
NOTE = f"invoice 7 svc:{WALLET}"


@pytest.fixture
def sent(alice: Payer, bank: BankServer) -> tuple[str, dict[str, Any]]:
    """The id of a tagged payment that was sent, and what the bank tells of it."""
    recipient = alice.save()["recipientId"]
    made = alice.send(recipient, svcRoute=True, note=NOTE, amount=125.5)
    work()
    (gone,) = paid(bank)
    patch = {"amount": -125.5, "note": NOTE, "status": "sent"}
    return made["id"], event(resourceId=gone["id"], patch=patch)


def test_quote_and_transfer_are_told_wherever_the_payment_is(
    alice: Payer, sent: tuple[str, dict[str, Any]]
) -> None:
    number, said = sent
    assert "routing" not in alice.get(f"{SEND}/{number}")
    answer = deliver(said)
    assert answer["action"] == "routed"
    routing = alice.get(f"{SEND}/{number}")["routing"]
    assert routing == {
        name: answer[name]
        for name in ("quoteId", "amount", "asset", "recipient", "destinationCurrency", "fees",
                     "execution")
    }  # fmt: skip
    assert [item["routing"] for item in alice.get(SENDS)["items"]] == [routing]
    assert [item["routing"] for item in alice.get(TRANSACTIONS)["items"]] == [routing]
    (happened,) = alice.get(EVENTS)["items"]
    assert (happened["event"], happened["data"]["routing"]) == ("bank.routed", routing)


def test_another_institution_reads_nothing_of_it(
    alice: Payer, bob: Payer, sent: tuple[str, dict[str, Any]]
) -> None:
    deliver(sent[1])
    bob.get(f"{SEND}/{sent[0]}", answers=404)
    assert bob.get(EVENTS)["items"] == [] and bob.get(TRANSACTIONS)["items"] == []


def test_what_did_not_come_about_is_not_told_to_be_executed(
    alice: Payer, sent: tuple[str, dict[str, Any]]
) -> None:
    deliver(sent[1])
    deliver(update(sent[1], status="failed"))
    assert "routing" not in alice.get(f"{SEND}/{sent[0]}")
