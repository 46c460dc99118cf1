"""Models of transfers on chains."""

from apps.chain.models.cursors import Cursor
from apps.chain.models.events import ChainEvent
from apps.chain.models.orders import Order, Transfer

__all__ = ["ChainEvent", "Cursor", "Order", "Transfer"]
