"""Orders as tests want them."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.chain.orders import Wanted
from tests.conftest import NOON

PAYEE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
PAYER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
BASE = "eip155:8453"


def wanted(*, now: datetime = NOON, **changes: Any) -> Wanted:
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
    return Wanted(**(usual | changes))
