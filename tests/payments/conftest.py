"""An institution, its instructions, and a worker that does what is due."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.walking import key_client
from tests.registry.conftest import register, rita, sample, wallet  # noqa: F401

INITIATE = "/integration/payments/initiate"


def instruction(**changes: Any) -> dict[str, Any]:
    """An instruction whose creditor is a wallet that nobody registered."""
    return {
        "tmsReference": "INV-1",
        "amount": "250.00",
        "currency": "USD",
        "settlementAsset": "USDC",
        "creditor": {"name": "Blue Heron Stationery Limited", "walletAddress": wallet(41)},
        "debtor": {
            "name": "Microsoft Corporation",
            "lei": "INR2EJN1ERAN0W5ZP974",
            "walletAddress": wallet(42),
        },
    } | changes


@pytest.fixture
def bank(sample: Any) -> Any:  # noqa: F811
    """A client with an institution's key, on the bundled sample."""
    return key_client("Alder Bank", "INSTITUTION")


@pytest.fixture
def send(bank: Any) -> Callable[..., Any]:
    """Send an instruction: `send(amount="1.00", status=202)`; the answer's document."""

    def call(*, status: int = 202, client: Any = None, **changes: Any) -> dict[str, Any]:
        answer = (client or bank).post(INITIATE, instruction(**changes), format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call
