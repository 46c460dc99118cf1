"""International wires: one proposes, another approves, and it is sent once."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.payments.banking.account_access import SANDBOX_ACCOUNT
from apps.payments.banking.case_links import find_record_page
from apps.payments.banking.forms import list_account_choices
from apps.payments.banking.models import Recipient, Send, Wire
from apps.payments.banking.screening import recipients
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.services import wire_proposals
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.banking.banks import Payer, ach_recipient, wire_recipient, work
from tests.banking.test_sends import paid
from tests.banking.webhook_deliveries import deliver, event
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person
from tests.review.sample_case_type import RESEMBLES as PARTIAL

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
def recipient(alice: Payer, bank: BankServer) -> Recipient:
    alice.save(wire_recipient())
    return Recipient.objects.get()


def test_a_wire_is_proposed_by_one_and_sent_once_by_another(
    recipient: Recipient, bank: BankServer
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    work()
    assert not paid(bank)
    with pytest.raises(wire_proposals.WireConflict):
        wire_proposals.approve_wire(change=wire, by=samir, now=now())
    wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    with pytest.raises(wire_proposals.WireConflict):
        wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    work()
    work()
    (one,) = paid(bank)
    assert (one["amount"], one["kind"]) == (-1250, "internationalWire")
    assert Send.objects.get().owner == recipient.owner


def test_no_institution_can_take_the_key_of_a_wire(
    recipient: Recipient, alice: Payer, bank: BankServer
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    own = alice.send(alice.save(ach_recipient())["recipientId"], idempotencyKey=f"wire:{wire.pk}")
    wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    work()
    assert len(paid(bank)) == 2
    told = alice.send(own["recipientId"], idempotencyKey=f"wire:{wire.pk}", answers=200)
    assert told["id"] == own["id"]


@pytest.mark.parametrize("method", ["ach", "check", "domesticWire"])
def test_who_takes_wires_alone_is_paid_by_nothing_else(
    recipient: Recipient, alice: Payer, method: str
) -> None:
    to = str(recipient.recipient_id)
    purpose = {"category": "Travel"}
    refused = alice.send(to, answers=422, paymentMethod=method, purpose=purpose)
    assert refused["code"] == "wires_alone"
    assert alice.authorize(to, answers=422)["code"] == "wires_alone"
    assert not Send.objects.exists()


def test_a_case_of_a_wire_leads_to_the_wire(recipient: Recipient, bank: BankServer) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    row = wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    work()
    row.refresh_from_db()
    deliver(event(patch={"amount": -1250, "status": "failed"}) | {"resourceId": row.bank_id})
    ref = Case.objects.get().ref
    assert find_record_page(sofia, ref) == (
        f"International wire {wire}", f"/admin/banking/wire/{wire.pk}/change/",
    )  # fmt: skip
    record_page = find_record_page(person("olga", OFFICER), ref)
    assert record_page is not None and record_page[1] == f"/admin/banking/send/{row.pk}/change/"


def test_what_was_rejected_is_not_sent(recipient: Recipient, bank: BankServer) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    wire_proposals.reject_wire(
        change=wire, by=sofia, now=now(), note="The invoice was paid in October already."
    )
    with pytest.raises(wire_proposals.WireConflict):
        wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    work()
    assert not paid(bank) and not Send.objects.exists()


def test_to_a_listed_recipient_none_is_sent(alice: Payer, bank: BankServer) -> None:
    alice.save(wire_recipient(name="Lazarus Group"))
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(
        stated=stated(Recipient.objects.get()), reason=WHY, by=samir, now=now()
    )
    assert (Send.objects.get().state, SarEntry.objects.get().data["party"]) == (
        "STOPPED",
        "Lazarus Group",
    )
    with pytest.raises(wire_proposals.WireConflict):
        wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    page = check_page(at_desk(sofia).get(f"/admin/banking/wire/{wire.pk}/change/"))
    assert "not sent" in page
    wire_proposals.reject_wire(
        change=wire, by=sofia, now=now(), note="The recipient is on a sanctions list."
    )
    work()
    assert Wire.objects.get().state == "REJECTED" and not paid(bank)


def banked(**details: str) -> dict[str, Any]:
    """A recipient of wires whose bank is told otherwise."""
    body = wire_recipient()
    routing = body["internationalWireRoutingInfo"]
    bank = routing["bankDetails"] | details
    return body | {"internationalWireRoutingInfo": routing | {"bankDetails": bank}}


@pytest.mark.parametrize("details", [{"bankName": "Lazarus Group"}, {"bankCountry": "IR"}])
def test_a_wire_by_a_listed_bank_is_stopped(
    alice: Payer, bank: BankServer, details: dict[str, str]
) -> None:
    alice.save(banked(**details))
    samir = person("samir", SENIOR)
    wire_proposals.propose_wire(
        stated=stated(Recipient.objects.get()), reason=WHY, by=samir, now=now()
    )
    assert Send.objects.get().state == "STOPPED" and SarEntry.objects.count() == 1


def test_what_is_listed_after_it_was_proposed_is_stopped_as_it_is_approved(
    recipient: Recipient, bank: BankServer, monkeypatch: Any
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    screening_outcome = ScreeningOutcome(
        100,
        ("sample:1",),
        ("us-ofac-sdn",),
        "lists",
        party="Sample Bank",
        decision="BLOCKED",
        rules=("sanctions.match",),
        reasons=("It matches.",),
    )
    monkeypatch.setattr(recipients, "screen_parties", lambda parties, **_: screening_outcome)
    assert wire_proposals.approve_wire(change=wire, by=sofia, now=now()).state == "STOPPED"
    work()
    entry = SarEntry.objects.get()
    assert not paid(bank) and (entry.data["party"], entry.data["sanctions"]) == (
        "Sample Bank",
        True,
    )
    assert Wire.objects.get().state == "APPROVED"


def test_a_wire_to_a_name_near_a_listed_one_waits_for_an_officer(
    alice: Payer, bank: BankServer
) -> None:
    alice.save(wire_recipient(name="Lazarus Group Films"))
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(
        stated=stated(Recipient.objects.get()), reason=WHY, by=samir, now=now()
    )
    page = check_page(at_desk(sofia).get(f"/admin/banking/wire/{wire.pk}/change/"))
    assert "Partial sanctions match" in page
    assert "Sample Bank" in page and "COBADEFFXXX" in page
    assert wire_proposals.approve_wire(change=wire, by=sofia, now=now()).state == "HELD"
    work()
    assert not paid(bank) and Case.objects.get().rules[0]["ref"] == PARTIAL


def test_a_wire_leaves_an_account_of_the_recipients_institution_alone(
    recipient: Recipient, settings: Any
) -> None:
    settings.BANK_ACCOUNTS = {str(SANDBOX_ACCOUNT): "account:999999"}
    samir = person("samir", SENIOR)
    with pytest.raises(wire_proposals.WireConflict):
        wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    assert [name for name, _ in wire_proposals.find_wire_faults(stated(recipient))] == [
        "account_id"
    ]


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
    assert [name for name, _ in wire_proposals.find_wire_faults(stated(recipient, **change))] == [
        field
    ]


def test_a_recipient_of_ach_has_no_wires(alice: Payer, bank: BankServer) -> None:
    alice.save(ach_recipient())
    assert wire_proposals.find_wire_faults(stated(Recipient.objects.get()))[0][0] == "recipient"


def test_the_desk_shows_a_proposal_to_the_other_officer(recipient: Recipient) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    wire = wire_proposals.propose_wire(stated=stated(recipient), reason=WHY, by=samir, now=now())
    client: Client = at_desk(sofia)
    page = check_page(client.get(f"/admin/banking/wire/{wire.pk}/change/"))
    assert "1,250.00 USD" in page and "account ending 3000" in page
    assert "International wire" in check_page(client.get("/admin/"))


@pytest.mark.parametrize("place", ["memo", "additional_info"])
def test_a_wire_whose_text_names_a_listed_party_waits_at_the_desk(
    recipient: Recipient, bank: BankServer, place: str
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    text = stated(recipient, **{place: "for Sberbank of Russia"})
    wire = wire_proposals.propose_wire(stated=text, reason=WHY, by=samir, now=now())
    send = wire_proposals.approve_wire(change=wire, by=sofia, now=now())
    case = Case.objects.get(kind="bank_send")
    assert (send.state, case.refs) == ("HELD", ["ACH-11"])
    work()
    assert not paid(bank)
    services.decide_case(
        case=case,
        by=person("olivia", OFFICER),
        outcome="APPROVE",
        reason_code="NOTE_EXPLAINED",
        note="The invoice names the bank of an earlier payment.",
        now=now(),
    )
    work()
    work()
    assert len(paid(bank)) == 1


def test_production_without_accounts_offers_no_sample_account(settings: Any) -> None:
    settings.BANK_ACCOUNTS = {}
    assert len(list_account_choices()) == 2
    settings.PRODUCTION = True
    assert list_account_choices() == [("", "---------")]
