"""International wires: one proposes, another approves, and it is sent once."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.banking import wires
from apps.banking.models import Recipient, Send, Wire
from apps.banking.sends import SANDBOX_ACCOUNT
from apps.banking.simulator.web import Server
from apps.core.clock import now
from tests.banking.banks import Payer, ach_recipient, wire_recipient, work
from tests.banking.test_sends import paid
from tests.review.people import SENIOR, at_desk, look, person

pytestmark = pytest.mark.django_db
WHY = "The supplier's invoice 42 of November is due this week."


def stated(recipient: Recipient, **changes: Any) -> dict[str, Any]:
    return {
        "recipient": recipient,
        "account_id": SANDBOX_ACCOUNT,
        "amount": Decimal("1250.00"),
        "category": "Vendor",
        "additional_info": "invoice 42",
        "memo": "invoice 42",
    } | changes


@pytest.fixture
def recipient(alice: Payer, bank: Server) -> Recipient:
    alice.save(wire_recipient())
    return Recipient.objects.get()


def test_a_wire_is_proposed_by_one_and_sent_once_by_another(
    recipient: Recipient, bank: Server
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wires.propose(stated=stated(recipient), reason=WHY, by=samir, now=now())
    work()
    assert not paid(bank)
    with pytest.raises(wires.WireConflict):
        wires.approve(change=wire, by=samir, now=now())
    wires.approve(change=wire, by=sofia, now=now())
    with pytest.raises(wires.WireConflict):
        wires.approve(change=wire, by=sofia, now=now())
    work()
    work()
    (one,) = paid(bank)
    assert (one["amount"], one["kind"]) == (-1250, "internationalWire")
    assert Send.objects.get().owner == recipient.owner


def test_what_was_rejected_is_not_sent(recipient: Recipient, bank: Server) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wires.propose(stated=stated(recipient), reason=WHY, by=samir, now=now())
    wires.reject(change=wire, by=sofia, now=now(), note="The invoice was paid in October already.")
    with pytest.raises(wires.WireConflict):
        wires.approve(change=wire, by=sofia, now=now())
    work()
    assert not paid(bank) and not Send.objects.exists()


def test_to_a_listed_recipient_none_is_sent(alice: Payer, bank: Server) -> None:
    alice.save(wire_recipient(name="Lazarus Group"))
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wires.propose(stated=stated(Recipient.objects.get()), reason=WHY, by=samir, now=now())
    with pytest.raises(wires.WireConflict):
        wires.approve(change=wire, by=sofia, now=now())
    assert not Send.objects.exists() and Wire.objects.get().state == "PROPOSED"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": Decimal("0")}, "amount"),
        ({"amount": Decimal("0.005")}, "amount"),
        ({"additional_info": " "}, "additional_info"),
    ],
)
def test_what_may_not_be_proposed_is_said_at_its_field(
    recipient: Recipient, change: dict[str, Any], field: str
) -> None:
    assert [name for name, _ in wires.faults(stated(recipient, **change))] == [field]


def test_a_recipient_of_ach_has_no_wires(alice: Payer, bank: Server) -> None:
    alice.save(ach_recipient())
    assert wires.faults(stated(Recipient.objects.get()))[0][0] == "recipient"


def test_the_desk_shows_a_proposal_to_the_other_officer(recipient: Recipient) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wires.propose(stated=stated(recipient), reason=WHY, by=samir, now=now())
    client: Client = at_desk(sofia)
    shown = look(client.get(f"/admin/banking/wire/{wire.pk}/change/"))
    assert "1,250.00 USD" in shown and "account ending 3000" in shown
    assert "International wire" in look(client.get("/admin/"))
