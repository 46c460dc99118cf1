"""The state of a transaction at the bank: all that was told of it, folded."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.banking import sealing
from apps.banking.models import BankTransaction, Delivery, Send
from apps.banking.moving import begin
from apps.banking.projection import proved
from apps.banking.rules.merging import folded
from apps.core.parsing import loads

OPERATOR = "operator"  # whose transactions are that no institution sent through us
Patch = tuple[int, str, Any]


def state_of(resource_id: str, *, more: Sequence[Patch] = ()) -> dict[str, Any]:
    """Return the state of a transaction by its deliveries, and `more` patches; two queries."""
    found = list(Delivery.objects.filter(resource_type="transaction", resource_id=resource_id))
    proved(found)
    patches = [(one.version, one.delivery_id, _patch(one)) for one in found if one.body]
    return folded([*patches, *more])


def locked(resource_id: str, *, now: datetime) -> BankTransaction:
    """Return a transaction under its lock, a new one where it is the first word of it."""
    known = BankTransaction.objects.select_for_update().filter(resource_id=resource_id)
    if (found := known.first()) is not None:
        return found
    made = BankTransaction(
        resource_id=resource_id, order_id=uuid.uuid4(), owner=OPERATOR, seen_at=now
    )
    try:
        with transaction.atomic():
            begin(made, "SEEN", now=now)
    except IntegrityError:  # somebody else's first word, at the same moment
        return known.get()
    return made


def whose(resource_id: str) -> tuple[str, bool]:
    """Return which institution sent a transaction tagged by us, and whether one is being sent now.

    An empty text where none did; then the operator's it is.
    """
    tagged = Send.objects.filter(svc_route=True)
    owner = tagged.filter(bank_id=resource_id).values_list("owner", flat=True).first()
    return owner or "", not owner and tagged.filter(state="TAKEN").exists()


def _patch(delivery: Delivery) -> Any:
    return loads(sealing.unseal(delivery.body, bound=delivery.bound))["mergePatch"]
