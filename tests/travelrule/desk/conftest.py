"""Records at the desk: made without a payment, for any institution, day and amount."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.core import sealing
from apps.travelrule import tallying
from apps.travelrule.endpoints import MESSAGE
from apps.travelrule.making import Transfer, make
from apps.travelrule.messages import side_of
from apps.travelrule.models import TravelRecord
from apps.travelrule.rules.recording import OUTBOUND, Facts

DAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def message(originator: str, beneficiary: str, account: str = "") -> dict[str, Any]:
    """The message of a transfer between two companies."""
    found = copy.deepcopy(MESSAGE)
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
    one = Transfer(
        facts=Facts(direction, Decimal(amount), at.date()),
        amount=amount,
        currency="USD",
        message=said,
        originator=side_of(said, "originator"),
        beneficiary=side_of(said, "beneficiary"),
        owner=owner,
        columns=columns,
        **more,
    )
    return make([one], now=at)[0]


def counted(at: datetime = DAY) -> None:
    """Seal and count, as the workers do each minute."""
    sealing.seal_all(now=at)
    tallying.count("", at)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Set the clock of the examiner's place: `at(moment)`."""

    def call(moment: datetime) -> None:
        for place in ("engagements.door", "admin.records", "admin.samples", "admin.engagements"):
            monkeypatch.setattr(f"apps.travelrule.{place}.now", lambda: moment)

    return call
