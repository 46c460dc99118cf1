"""Tells whoever expects a transfer how it stands (config/chain.py)."""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils.module_loading import import_string

from apps.chain.models import Order
from apps.chain.orders import stands
from apps.chain.projection import proved
from config.chain import OUTCOMES


def tell(key: str, now: datetime) -> None:
    """Tell of one order; the handler of `chain.tell`, whose key is its id.

    What is told is how it stands by now, however many turns it took since the job was planned.
    """
    found = Order.objects.filter(order_id=uuid.UUID(key)).first() if key else None
    if found is None:
        return
    order = proved(found)
    with transaction.atomic():
        import_string(OUTCOMES[order.about])(order.order_id, stands(order), now)
