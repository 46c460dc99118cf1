"""Models of the banking connector."""

from apps.payments.banking.models.events import BankEvent
from apps.payments.banking.models.recipients import Recipient, Send
from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.models.statements import StatementRun
from apps.payments.banking.models.transactions import BankTransaction, Delivery
from apps.payments.banking.models.wires import Wire, WireEvent

__all__ = [
    "BankEvent",
    "BankTransaction",
    "Delivery",
    "Kept",
    "Recipient",
    "Send",
    "StatementRun",
    "Wire",
    "WireEvent",
]
