"""Notify the app that expects a transfer of its status (purposes.py)."""

import uuid
from datetime import datetime

from django.db import transaction

from apps.payments.chain.expected_transfers import status_of_order
from apps.payments.chain.integrity import verify_order
from apps.payments.chain.models import Order
from apps.payments.chain.purposes import PURPOSES


def notify_order_status(key: str, now: datetime) -> None:
    """Notify of one order; the handler of `chain.tell`, whose key is its id."""
    known_order = Order.objects.filter(order_id=uuid.UUID(key)).first() if key else None
    if known_order is None:
        return
    # the current status, however many transitions happened since the job was planned
    order = verify_order(known_order)
    with transaction.atomic():
        PURPOSES[order.about].notify(order.order_id, status_of_order(order), now)
