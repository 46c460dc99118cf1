"""Models of the banking connector."""

from apps.payments.banking.models.deliveries import Delivery
from apps.payments.banking.models.events import BankEvent
from apps.payments.banking.models.recipients import Recipient
from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.models.sends import Send
from apps.payments.banking.models.statements import StatementRun
from apps.payments.banking.models.transactions import BankTransaction
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
