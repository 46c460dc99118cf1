"""Payments of institutions as they stand, made up for the report of a month."""

import itertools
import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from apps.payments.payments.models import Payment

_NUMBERS = itertools.count(1)


def payment(
    owner: str,
    at: datetime,
    *,
    usd: str = "1000",
    state: str = "SETTLED",
    currency: str = "EUR",
    seconds: int = 30,
    debtor_wallet: str = "",
) -> Payment:
    """Make one payment of an institution."""
    settled = at + timedelta(seconds=seconds) if state == "SETTLED" else None
    number = next(_NUMBERS)
    made: Payment = Payment.objects.create(
        payment_id=uuid.uuid4(),
        owner=owner,
        reference=f"INV-{number}",
        fingerprint="0" * 64,
        instruction={},
        state=state,
        amount=Decimal(usd),
        currency=currency,
        asset="USDC",
        creditor_key="a",
        debtor_key="b",
        debtor_wallet=debtor_wallet,
        creditor_wallet="0x1",
        price={"amountUsd": usd, "feeUsd": "1.50", "sandbox": False},
        submitted_at=at,
        due_at=at,
        settled_at=settled,
        ended_at=settled or (at if state in ("BLOCKED", "FAILED") else None),
    )
    return made


def crowd(at: datetime, *, institutions: int = 5, usd: str = "1000", currency: str = "EUR") -> None:
    """Make two payments for each of some institutions."""
    for number in range(institutions):
        for _ in range(2):
            payment(f"account:{1000 + number}", at, usd=usd, currency=currency)
