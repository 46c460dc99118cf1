"""Models of transfers on chains."""

from apps.payments.chain.models.cursors import Cursor
from apps.payments.chain.models.events import ChainEvent
from apps.payments.chain.models.orders import Order
from apps.payments.chain.models.transfers import Transfer

__all__ = ["ChainEvent", "Cursor", "Order", "Transfer"]
