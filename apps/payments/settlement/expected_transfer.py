"""The transfer of a settlement: its execution data, and the order for the chain."""

from datetime import datetime, timedelta
from decimal import Decimal

from apps.payments.chain import expected_transfers
from apps.payments.chain.expected_transfers import ExpectedTransfer, TransferExecution
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules.payout_stablecoins import CHAIN

# how long rate and fees are locked; not shown in the specification
EXECUTION_WINDOW = timedelta(hours=1)
ABOUT = "settlement"


def execution_deadline(now: datetime) -> datetime:
    """Return the deadline for executing a settlement that goes now."""
    return now + EXECUTION_WINDOW


def build_expected_transfer(row: Settlement) -> ExpectedTransfer:
    """Return the transfer of a settlement; the same settlement is the same order."""
    return ExpectedTransfer(
        order_id=row.order_id,
        about=ABOUT,
        owner=row.owner,
        chain=CHAIN,
        asset=row.asset,
        amount=Decimal(row.price["assetAmount"]),
        recipient=row.recipient,
        sender=row.sender,
        # kept with the price, so that the same settlement is always the same order
        deadline=datetime.fromisoformat(row.price["deadline"]),
    )


def expect_settlement_transfer(row: Settlement, *, now: datetime) -> TransferExecution:
    """Expect a settlement's transfer, durably; part of the transaction that releases it."""
    return expected_transfers.expect_transfer(build_expected_transfer(row), now=now)


def execution_of_settlement(row: Settlement) -> TransferExecution:
    """Return a settlement's execution data; for a rehearsal nothing is watched."""
    return expected_transfers.build_execution(build_expected_transfer(row))
