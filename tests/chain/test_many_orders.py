"""Thousands of orders that wait: a transfer is held against those alone that it may concern."""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.chain.clients.node_parser import TokenTransfer
from apps.payments.chain.models import Order
from apps.payments.chain.services import match_transfers
from tests.conftest import NOON

TX, REFERENCE = "0x" + "ab" * 32, "0x" + "cd" * 32


def order(number: int, **changes: Any) -> Order:
    """Return an order that is not written."""
    usual: dict[str, Any] = {
        "pk": number, "owner": "account:1", "asset_address": "0x" + "1" * 40,
        "recipient": f"0x{number + 100:040X}".replace("0X", "0x"), "amount": Decimal(250),
        "reference": f"0x{number:064x}", "opened_at": NOON, "deadline": NOON, "state": "OPEN",
    }  # fmt: skip
    return Order(**(usual | changes))


def moved(payee: str, reference: str = "") -> TokenTransfer:
    """Return a transfer."""
    return TokenTransfer(
        "0x" + "1" * 40, "0x" + "2" * 40, payee, 1, reference, TX, 0, 7, "0x" + "e" * 64
    )


def test_a_transfer_is_held_against_the_orders_that_it_may_concern() -> None:
    rows = [order(number) for number in range(5000)]
    rows[7], rows[9] = order(7, named=TX), order(9, reference=REFERENCE)
    payee = rows[3].recipient.lower()
    assert [
        candidate_order.pk
        for candidate_order in match_transfers._candidate_orders(moved(payee), rows)
    ] == [3, 7]
    assert [
        candidate_order.pk
        for candidate_order in match_transfers._candidate_orders(moved(payee, REFERENCE), rows)
    ] == [
        3,
        7,
        9,
    ]


@pytest.mark.parametrize("reference", ["", "0x" + "00" * 31 + "ff"])
def test_what_nobody_expects_concerns_nobody(reference: str) -> None:
    rows = [order(number) for number in range(50)]
    assert match_transfers._candidate_orders(moved("0x" + "f" * 40, reference), rows) == []
