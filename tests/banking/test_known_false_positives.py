"""What two officers know to be another party holds neither a deposit nor a payment by the bank."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.payments.banking.models import BankEvent, BankTransaction, Send
from apps.payments.banking.simulator.server import BankServer
from tests.api.endpoint_walk import key_client
from tests.banking.banks import Payer, ach_recipient, work
from tests.banking.test_payer_screening import NEAR, PARTIAL, approve
from tests.banking.test_sends import paid
from tests.banking.webhook_deliveries import WALLET, deliver, tagged
from tests.payees.registration.conftest import NORTHWIND
from tests.payments.test_held_case import make_known
from tests.review.people import at_desk, check_page

pytestmark = pytest.mark.django_db
BERN = {"details": {"address": {"address1": "Gasse 1", "city": "Bern", "country": "CH"}}}
BASEL = {"details": {"address": {"address1": "Gasse 1", "city": "Basel", "country": "CH"}}}


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def kept(subject: str, event: str) -> list[dict[str, Any]]:
    """Return what the record of a step says of known false positives."""
    data = BankEvent.objects.filter(subject=subject, event=event).latest("pk").data
    known: list[dict[str, Any]] = data.get("known") or data.get("sanctions", {}).get("known", [])
    return known


@pytest.mark.parametrize("place", [{}, BERN])
def test_a_payer_who_is_known_to_be_another_party_is_not_held_again(
    sample: Any, place: dict[str, Any]
) -> None:
    deliver(tagged(counterpartyName=NEAR, **place))
    make_known()
    said = tagged(counterpartyName=NEAR, **place)
    deliver(said)
    row = the(said)
    assert row.state == "ROUTED", Case.objects.latest("pk").rules
    (known,) = kept(row.subject, "ROUTED")
    assert known["ref"].startswith("KFP-") and known["case"] == Case.objects.get().pk


def test_a_payer_at_another_address_is_another_party(sample: Any) -> None:
    deliver(tagged(counterpartyName=NEAR, **BERN))
    make_known()
    for place in ({}, BASEL):
        said = tagged(counterpartyName=NEAR, **place)
        deliver(said)
        assert the(said).state == "HALTED"


def test_a_payer_of_two_places_is_known_by_both(sample: Any) -> None:
    details = {**BERN["details"], "internationalWireRoutingInfo": {"swiftCode": "COBADEFFXXX"}}
    deliver(tagged(counterpartyName=NEAR, details=details))
    make_known()
    said = tagged(counterpartyName=NEAR, details=details)
    deliver(said)
    assert the(said).state == "ROUTED"


def test_who_is_registered_for_the_wallet_is_known_as_well(sample: Any) -> None:
    body = NORTHWIND | {"walletAddress": WALLET, "legalName": NEAR}
    assert key_client("Rita", "SIGNING").post(
        "/compliance/register", body, format="json"
    ).status_code == 201  # fmt: skip
    said = tagged(counterpartyName="Grey Plover Limited")
    deliver(said)
    make_known(Case.objects.get(kind="bank_payment"))
    other = tagged(counterpartyName="Grey Plover Limited")
    deliver(other)
    cases = Case.objects.filter(reference=other["resourceId"])
    assert not any(PARTIAL in case.refs for case in cases), [case.refs for case in cases]
    event = "HALTED" if the(other).state == "HALTED" else "ROUTED"
    assert kept(the(other).subject, event)


@pytest.mark.parametrize("call", ["send", "authorize"])
def test_a_recipient_who_is_known_to_be_another_party_is_paid(
    alice: Payer, bank: BankServer, call: str
) -> None:
    recipient = alice.save(ach_recipient(name=NEAR))["recipientId"]
    alice.send(recipient)
    make_known()
    work()
    if call == "send":
        alice.send(recipient)
    else:
        answer = alice.authorize(recipient, accountName=NEAR)
        assert (answer["decision"], answer["compliance"]["sanctionsClean"]) == ("APPROVED", True)
    work()
    row = Send.objects.latest("pk")
    assert row.state == "SENT" and len(paid(bank)) == 2
    (known,) = kept(row.subject, "TAKEN")
    assert known["key"] in KnownFalsePositive.objects.get().entity
    olga = User.objects.get(username="olivia")
    html = check_page(at_desk(olga).get(f"/admin/banking/send/{row.pk}/change/"))
    assert known["ref"] in html


def test_what_is_known_when_a_held_payment_is_released_holds_it_no_more(
    alice: Payer, bank: BankServer
) -> None:
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    first, second = Case.objects.filter(kind="bank_send").order_by("pk")
    approve(first, "DIFFERENT_PARTY")
    work()
    assert Send.objects.filter(state="SENT").count() == 1 and second.status == "OPEN"


def test_what_one_institution_knows_says_nothing_to_another(
    alice: Payer, bob: Payer, bank: BankServer
) -> None:
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    make_known()
    bob.send(bob.save(ach_recipient(name=NEAR))["recipientId"])
    assert Send.objects.latest("pk").state == "HELD"
    deliver(tagged(counterpartyName=NEAR))
    assert BankTransaction.objects.get().state == "HALTED"
