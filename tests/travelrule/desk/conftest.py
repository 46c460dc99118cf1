"""Records at the desk: made without a payment, for any institution, day and amount."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.travelrule import tallies
from apps.payments.travelrule.api.viewsets import MESSAGE_EXAMPLE
from apps.payments.travelrule.message_readers import parse_named_side
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.rules.record_status import OUTBOUND, TransferFacts
from apps.payments.travelrule.services.create_records import TransferInputs, create_records
from apps.platform.ledger import sealer

DAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def message(originator: str, beneficiary: str, account: str = "") -> dict[str, Any]:
    """The message of a transfer between two companies."""
    found = copy.deepcopy(MESSAGE_EXAMPLE)
    for side, name in (("originator", originator), ("beneficiary", beneficiary)):
        person = found[side][f"{side}Persons"][0]["legalPerson"]
        person["name"]["nameIdentifier"][0]["legalPersonName"] = name
    if account:
        found["originator"]["accountNumber"] = [account]
    return found


def recorded(
    originator: str = "Grey Plover Trading Limited",
    beneficiary: str = "Blue Heron Stationery Limited",
    *,
    amount: str = "4500.00",
    at: datetime = DAY,
    owner: str = "account:1",
    direction: str = OUTBOUND,
    account: str = "",
    **more: Any,
) -> TravelRecord:
    """Make a record."""
    said = message(originator, beneficiary, account)
    columns = {"tx_hash": more.pop("tx_hash", "")}
    transfer_inputs = TransferInputs(
        facts=TransferFacts(direction, Decimal(amount), at.date()),
        amount=amount,
        currency="USD",
        message=said,
        originator=parse_named_side(said, "originator"),
        beneficiary=parse_named_side(said, "beneficiary"),
        owner=owner,
        columns=columns,
        **more,
    )
    return create_records([transfer_inputs], now=at)[0]


def counted(at: datetime = DAY) -> None:
    """Seal and count, as the workers do each minute."""
    sealer.seal_all_ledgers(now=at)
    tallies.count_sealed_events("", at)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Set the clock of the examiner's place: `at(moment)`."""

    def call(moment: datetime) -> None:
        for place in (
            "engagements.middleware",
            "admin.records",
            "admin.samples",
            "admin.engagements",
        ):
            monkeypatch.setattr(f"apps.payments.travelrule.{place}.now", lambda: moment)

    return call
