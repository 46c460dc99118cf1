"""Whoever writes the database settles nothing anew, and nothing that was altered is told."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from apps.payments.chain.models import Order
from apps.payments.settlement.integrity import verify_settlements
from apps.payments.settlement.models import Settlement
from apps.platform.common.clock import now
from tests.attacks import tables
from tests.payees.registration.conftest import wallet

pytestmark = pytest.mark.django_db
HASH = f"0x{'ab' * 32}"

# another value for each column but the number, which is that of its events
ALTERED: dict[str, Any] = {
    "settlement_id": str(uuid.uuid4()),
    "order_id": uuid.uuid4(),
    "owner": "account:999",
    "reference": "R-2",
    "fingerprint": "f" * 64,
    "sandbox": True,
    "state": "RELEASED",
    "steps": 2,
    "amount": 5,
    "source": "EUR",
    "destination": "EUR",
    "asset": "EURC",
    "recipient": wallet(66),
    "sender": wallet(9),
    "amount_usd": 5,
    "agent_id": "SVC-1",
    "found": {},
    "price": {},
    "held_for": ["aml"],
    "seen": ["aml"],
    "reasoning": "It is well.",
    "tx_hash": HASH,
    "tx_place": 7,
    "asked_at": now() - timedelta(days=90),
    "settled_at": now(),
    "ended_at": now(),
}


@pytest.fixture
def made(known: str, bank: APIClient, settle: Callable[..., Any]) -> dict[str, Any]:
    """A settlement that was let go."""
    return dict(settle(sandbox=False, client=bank, referenceId="R-1"))


@pytest.fixture
def refused(bank: APIClient, settle: Callable[..., Any]) -> Callable[[], None]:
    """Send it again: it is refused, and nothing settles."""

    def call() -> None:
        before = Order.objects.count()
        told = settle(sandbox=False, client=bank, referenceId="R-1", status=503)
        assert told["code"] == "settlement_unproved"
        assert Order.objects.count() == before and Settlement.objects.count() <= 1

    return call


def faults() -> list[str]:
    return list(verify_settlements(lambda count: None))


def test_what_was_let_go_is_as_it_was_recorded(made: dict[str, Any]) -> None:
    assert not faults()


def test_a_settlement_that_was_removed_is_missed_and_does_not_go_again(
    made: dict[str, Any], refused: Callable[[], None]
) -> None:
    number = Settlement.objects.get().pk
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM settlement_settlement")
    assert faults() == [f"settlement {number} has events, and no row"]
    refused()


@pytest.mark.parametrize("column", ["owner", "reference"])
def test_its_reference_settles_once_also_where_its_row_bears_another(
    made: dict[str, Any], refused: Callable[[], None], column: str
) -> None:
    Settlement.objects.update(**{column: ALTERED[column]})
    refused()


def test_a_reference_of_another_institution_is_another(
    made: dict[str, Any], settle: Callable[..., Any]
) -> None:
    """What stands in a rehearsal's row is nobody else's reference either."""
    Settlement.objects.update(owner="account:999")
    assert settle(referenceId="R-1")["status"] == "settled"


@pytest.mark.parametrize(
    "column",
    [
        concrete_field.attname
        for concrete_field in Settlement._meta.concrete_fields
        if not concrete_field.primary_key
    ],
)
def test_no_column_can_be_altered_unseen(
    made: dict[str, Any], bank: APIClient, column: str
) -> None:
    change = {column: ALTERED[column]}
    if column == "settled_at":
        change |= {"state": "SETTLED"}
    Settlement.objects.update(**change)
    assert len(faults()) == 1
    answer = bank.get(f"/settlement/settle/{Settlement.objects.get().settlement_id}")
    assert answer.status_code in (404, 503) and (answer.status_code == 503 or column == "owner")


@pytest.mark.parametrize("call", ["get", "post"])
def test_an_order_that_is_not_there_is_told_as_altered(
    made: dict[str, Any], bank: APIClient, call: str
) -> None:
    Order.objects.update(order_id=uuid.uuid4())
    path = f"/settlement/settle/{made['settlementId']}"
    answer = (
        bank.get(path)
        if call == "get"
        else bank.post(f"{path}/transaction", {"txHash": HASH}, format="json")
    )
    assert (answer.status_code, answer.json()["code"]) == (503, "order_unproved")


def test_no_column_can_be_changed_unseen(made: dict[str, Any]) -> None:
    labels = ("settlement.Settlement", "settlement.SettlementAccess")
    assert tables.undetected(*labels) == []
