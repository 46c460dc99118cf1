"""Tells whoever expects a transfer how it stands (purposes.py)."""

import uuid
from datetime import datetime

from django.db import transaction

from apps.payments.chain.integrity import verify_order
from apps.payments.chain.models import Order
from apps.payments.chain.orders import status_of_order
from apps.payments.chain.purposes import PURPOSES


def notify_order_status(key: str, now: datetime) -> None:
    """Tell of one order; the handler of `chain.tell`, whose key is its id.

    What is told is how it stands by now, however many turns it took since the job was planned.
    """
    found = Order.objects.filter(order_id=uuid.UUID(key)).first() if key else None
    if found is None:
        return
    order = verify_order(found)
    with transaction.atomic():
        PURPOSES[order.about].notify(order.order_id, status_of_order(order), now)
