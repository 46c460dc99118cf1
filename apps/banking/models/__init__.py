"""Models of the banking connector."""

from apps.banking.models.events import BankEvent
from apps.banking.models.kept import Kept
from apps.banking.models.recipients import Recipient, Send
from apps.banking.models.statements import StatementRun
from apps.banking.models.transactions import BankTransaction, Delivery
from apps.banking.models.wires import Wire, WireEvent

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
