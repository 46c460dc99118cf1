"""The transfer of a settlement: what executes it, and what the chain is asked to look for."""

from datetime import datetime, timedelta
from decimal import Decimal

from apps.payments.chain import orders
from apps.payments.chain.orders import ExpectedTransfer, TransferExecution
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules.routes import CHAIN

EXECUTION_WINDOW = timedelta(hours=1)  # rate and fees are locked for so long
ABOUT = "settlement"


def execution_deadline(now: datetime) -> datetime:
    """Return until when a settlement that goes now is to be executed."""
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
        deadline=datetime.fromisoformat(row.price["deadline"]),
    )


def expect_settlement_transfer(row: Settlement, *, now: datetime) -> TransferExecution:
    """Expect the transfer of a settlement, durably; part of the transaction that lets it go."""
    return orders.expect_transfer(build_expected_transfer(row), now=now)


def execution_of_settlement(row: Settlement) -> TransferExecution:
    """Return what executes a settlement, also of a rehearsal: then nothing is looked for."""
    return orders.build_execution(build_expected_transfer(row))
