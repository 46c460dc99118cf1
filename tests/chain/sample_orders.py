"""Orders as tests want them."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.payments.chain.expected_transfers import ExpectedTransfer
from tests.chain.local_chain import BASE, PAYEE
from tests.conftest import NOON

PAYER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


def wanted(*, now: datetime = NOON, **changes: Any) -> ExpectedTransfer:
    """Return an order of 250 USDC on Base, due in an hour."""
    usual: dict[str, Any] = {
        "order_id": uuid.uuid4(),
        "about": "settlement",
        "owner": "account:1",
        "chain": BASE,
        "asset": "USDC",
        "amount": Decimal(250),
        "recipient": PAYEE,
        "deadline": now + timedelta(hours=1),
    }
    return ExpectedTransfer(**(usual | changes))
