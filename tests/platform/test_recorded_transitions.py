"""A row whose turn is not made stays as it was read, whichever app moves it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from apps.payments.banking import record_transition as banking
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.chain import record_transition as chain
from apps.payments.chain.models import ChainEvent, Order, Transfer
from apps.payments.payments import record_transition as payments
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.settlement import record_transition as settlement
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.travelrule import record_transition as travelrule
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate
from tests import desk_table
from tests.for_each import for_each
from tests.review.people import NOON, person

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Machine:
    """A state machine: `make` gives a row of it, `move` takes a row through one turn."""

    model: Any
    events: Any
    make: Callable[[], int]
    move: Callable[[Any], Any]


def _make_settlement() -> int:
    return Settlement.objects.create(
        settlement_id="S-1", order_id=uuid.uuid4(), owner="account:1", fingerprint="f",
        sandbox=False, state="AWAITING_SETTLEMENT", amount=Decimal(100), source="USD",
        destination="USD", asset="USDC", recipient=f"0x{91:040x}", asked_at=NOON,
    ).pk  # fmt: skip


def _make_bank_transaction() -> int:
    bank_transaction = BankTransaction(
        resource_id="t-1", order_id=uuid.uuid4(), owner="operator", seen_at=NOON
    )
    banking.record_new_row(bank_transaction, "SEEN", now=NOON)
    return bank_transaction.pk


def _make_travel_record() -> int:
    number: int = desk_table.make_travel(person("vito", desk_table.EXAMINER))[desk_table.TRAVEL]
    return number


MACHINES = {
    "settlement": Machine(
        Settlement,
        SettlementEvent,
        _make_settlement,
        lambda row: settlement.record_transition(row, "RAN_OUT", now=NOON, reasoning="late"),
    ),
    "chain": Machine(
        Order,
        ChainEvent,
        lambda: desk_table.make_chain()["chain/order"],
        lambda row: chain.record_transition(
            row, "FOUND", now=NOON, transfer=Transfer.objects.get(), why="", depth=3
        ),
    ),
    "travelrule": Machine(
        TravelRecord,
        TravelEvent,
        _make_travel_record,
        lambda row: travelrule.record_transition(
            row, "SEND_LATER", now=NOON, columns={"counterparty": "Alder Bank"}
        ),
    ),
    "payments": Machine(
        Payment,
        PaymentEvent,
        lambda: desk_table.make_payment().pk,
        lambda row: payments.record_transition(row, "NOT_CHECKED", now=NOON, error="no answer"),
    ),
    "banking": Machine(
        BankTransaction,
        BankEvent,
        _make_bank_transaction,
        lambda row: banking.record_transition(row, "HELD", now=NOON, rule="R-1"),
    ),
}


def _describe(row: Any) -> dict[str, Any]:
    """Return every column of a row, its digest, and what its relations give."""
    fields = row._meta.concrete_fields
    related = {field.name: getattr(row, field.name) for field in fields if field.is_relation}
    return (
        {field.attname: getattr(row, field.attname) for field in fields}
        | related
        | {"stands": row.stands}
    )


@for_each("name", MACHINES)
def test_a_row_that_was_moved_meanwhile_is_left_as_it_was_read(name: str) -> None:
    machine = MACHINES[name]
    number = machine.make()
    mine, theirs = (machine.model.objects.get(pk=number) for _ in range(2))
    read = _describe(mine)
    machine.move(theirs)
    moved, events = _describe(machine.model.objects.get(pk=number)), machine.events.objects.count()
    assert moved == _describe(theirs) and moved["steps"] == read["steps"] + 1
    with pytest.raises(ConcurrentUpdate), transaction.atomic():
        machine.move(mine)
    assert _describe(mine) == read
    assert _describe(machine.model.objects.get(pk=number)) == moved
    assert machine.events.objects.count() == events


@for_each("name", MACHINES)
def test_a_row_whose_event_is_not_written_is_left_as_it_was_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = MACHINES[name]
    number = machine.make()
    row = machine.model.objects.get(pk=number)
    read = _describe(row)

    def fail(**given: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(machine.events, "write", fail)
    with pytest.raises(OSError, match="disk is full"), transaction.atomic():
        machine.move(row)
    assert _describe(row) == read == _describe(machine.model.objects.get(pk=number))
