"""Rows of tables that few installations have: made by the product's own steps, to be attacked.

Each maker leaves rows of its tables as the platform itself writes them. They stay in the
transaction of the attack, which is rolled back.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User

from apps.access.keys.metering import count_billed_call
from apps.access.keys.models import Account
from apps.access.keys.usage_integrity import record_usage
from apps.backoffice.oversight.models import Sample
from apps.backoffice.oversight.services import samples as oversight
from apps.backoffice.oversight.services import second_looks
from apps.backoffice.staff.models import SignOn
from apps.compliance.aml.expected_activity import services as activity
from apps.payments.banking.services import receive_delivery as bank
from apps.payments.payments.pain001.services import receive_message as files
from apps.payments.travelrule import tallies
from apps.payments.travelrule.api.viewsets import MESSAGE_EXAMPLE
from apps.payments.travelrule.models import TravelEvent
from apps.payments.travelrule.party_index import NamedSide
from apps.payments.travelrule.rules.record_status import OUTBOUND, TransferFacts
from apps.payments.travelrule.services.create_records import TransferInputs, create_records
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from apps.platform.common.strict_json import parse_json
from apps.platform.ledger import sealer
from config.prices import UNITS
from tests import desk_table
from tests.banking.webhook_deliveries import event
from tests.payees.registration.conftest import wallet
from tests.payments.pain001.messages import message, transaction
from tests.review import sample_known_false_positives
from tests.review.people import NOTE, OFFICER, SENIOR, approve, case, person
from tests.staff.people import with_app
from tests.travelrule.directory import enter

WAGES = {"kind": "WAGES", "payments": 20, "volume": 80_000, "counterparties": 20, "largest": 9000}
CLOSED = 30  # cases, of which some are sampled


def make_declaration() -> None:
    """Declare the expected activity of an institution, with one wallet."""
    account = Account.objects.create(name="Alder Bank of the attack", created_at=now())
    stated = {"owner": account.ref, "accounts": [wallet(9041)], "lines": [WAGES]}
    change = activity.propose_change(
        stated=stated, reason=NOTE, by=officer("attack-samir", SENIOR), now=now()
    )
    activity.approve_change(change=change, by=officer("attack-sena", SENIOR), now=now())


def make_permission() -> None:
    """Give one officer a permission of their own."""
    own = Permission.objects.get(codename="view_sarentry")
    officer("attack-olivia", OFFICER).user_permissions.add(own)
    officer("attack-ben", OFFICER)


def make_sign_on() -> None:
    """Tie an officer to the provider of single sign-on."""
    who = officer("attack-olivia", OFFICER)
    SignOn.objects.create(user=who, issuer="https://login.example", subject="olivia")


def make_delivery() -> None:
    """Take a delivery of the bank's webhook that asks for nothing."""
    said = event()
    delivery_event = bank.DeliveryEvent(
        delivery_id=said["id"],
        resource_type=said["resourceType"],
        resource_id=said["resourceId"],
        operation=said["operationType"],
        version=said["resourceVersion"],
        occurred_at=said["occurredAt"],
        patch=parse_json(json.dumps(said["mergePatch"]).encode()),
        raw=json.dumps(said).encode(),
    )
    bank.conclude_delivery(
        asked=delivery_event, gathered=None, caller=Caller("", "NOBODY"), now=now()
    )


def make_sample() -> None:
    """Draw a quality sample of last month's cases, and judge the newest of it."""
    moment = now()
    closed = moment.replace(day=1, hour=9) - timedelta(days=10)
    olivia, ben = officer("attack-olivia", OFFICER), officer("attack-ben", OFFICER)
    for number in range(CLOSED):
        new_case = case(f"attack-{number}", now=closed, evidence={})
        approve(new_case, olivia, now=closed)
    oversight.sample_month(month=f"{closed:%Y-%m}", now=moment)
    sample = Sample.objects.filter(first_by=olivia).latest("pk")
    second_looks.record_blind_verdict(
        sample=sample, by=ben, outcome="APPROVE", reason_code="NAME_ONLY", note=NOTE, now=moment
    )
    second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=moment)


def make_payment_file() -> None:
    """Take a message of two transactions, on a day on which it is in time."""
    account = Account.objects.create(name="Alder Bank of the attack", created_at=now())
    raw = message(transaction(1), transaction(2)).encode()
    moment = now()
    message_body = files.MessageBody(sha256=hashlib.sha256(raw).hexdigest(), kind="XML", version="")
    message_body.raw = raw
    looked = files.inspect_message(asked=message_body, now=moment)
    caller = Caller(account.ref, "INSTITUTION")
    files.store_message(
        message_body=message_body, inspected_message=looked, caller=caller, now=moment
    )


def make_known_false_positive() -> None:
    """Put a known false positive into force by two officers."""
    with pytest.MonkeyPatch.context() as patch:
        sample_known_false_positives.use(patch)
        sample_known_false_positives.in_force(
            officer("attack-samir", SENIOR),
            officer("attack-sena", SENIOR),
            "attack-known",
            now=now(),
            until=now().date() + timedelta(days=200),
        )


def make_same_day() -> None:
    """Record two payments of one originator that reach the threshold together."""
    moment = now()
    sides = [NamedSide((name,), ()) for name in ("Alder Ltd", "Blue Heron")]
    paid = TransferInputs(
        facts=TransferFacts(OUTBOUND, Decimal(2000), moment.date()),
        amount="2000.00",
        currency="USD",
        message=MESSAGE_EXAMPLE,
        originator=sides[0],
        beneficiary=sides[1],
        owner="account:1",
        raw=b"{}",
    )
    create_records([paid, paid], now=moment)
    sealer.seal_ledger(ledger=TravelEvent.LEDGER, now=moment, whole=True)
    tallies.count_sealed_events("", moment)


def make_vasp() -> None:
    """Put a counterparty into the directory by two officers."""
    enter(wallets=[wallet(9042)])


def officer(name: str, group: str) -> User:
    """Return somebody of the staff, made the first time."""
    return User.objects.filter(username=name).first() or person(name, group)


def make_factor() -> None:
    """Give an officer an authenticator app."""
    with_app(officer("attack-olivia", OFFICER), now())


def make_usage() -> None:
    """Count a billed call, and record how many there are, as is done each hour."""
    account = Account.objects.create(name="Alder Bank of the attack", created_at=now())
    count_billed_call(account_id=account.pk, unit=next(iter(UNITS.values())), now=now())
    record_usage("", now())


# the tables of which each makes rows
MAKERS: dict[Callable[[], object], frozenset[str]] = {
    desk_table.make_agent: frozenset({"agents.Agent", "agents.Mandate", "agents.Spend"}),
    lambda: desk_table.make_banking(officer("attack-samir", SENIOR)): frozenset(
        {"banking.BankTransaction", "banking.Recipient", "banking.Send", "banking.Wire"}
    ),
    lambda: desk_table.make_callback("account:1"): frozenset({"callbacks.Event"}),
    desk_table.make_chain: frozenset({"chain.Order"}),
    desk_table.make_payment: frozenset({"payments.Payment"}),
    lambda: desk_table.make_travel(officer("attack-samir", SENIOR)): frozenset(
        {"travelrule.Engagement", "travelrule.RecordKey", "travelrule.TravelRecord"}
    ),
    make_declaration: frozenset({"aml.ActivityDeclaration", "aml.DeclaredAccount"}),
    make_delivery: frozenset({"banking.Delivery"}),
    make_factor: frozenset({"staff.Factor"}),
    make_known_false_positive: frozenset({"review.KnownFalsePositive"}),
    make_payment_file: frozenset({"pain001.PaymentFile"}),
    make_permission: frozenset({"auth.User_user_permissions"}),
    make_same_day: frozenset({"travelrule.SameDay", "travelrule.Tally", "travelrule.TallyHead"}),
    make_sample: frozenset({"oversight.Sample"}),
    make_sign_on: frozenset({"staff.SignOn"}),
    make_usage: frozenset({"access.UsageCount"}),
    make_vasp: frozenset({"travelrule.Vasp"}),
}
MADE = frozenset[str]().union(*MAKERS.values())
