"""The state of a transaction at the bank: all reports of it, merged."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.access.keys.tenant_names import OPERATOR
from apps.payments.banking import encryption
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import BankTransaction, Delivery, Send
from apps.payments.banking.rules.merge_patches import fold_patches
from apps.payments.banking.transitions import record_new_row
from apps.platform.common.strict_json import parse_json

VersionedPatch = tuple[int, str, Any]


def load_transaction_state(
    resource_id: str, *, more: Sequence[VersionedPatch] = ()
) -> dict[str, Any]:
    """Return a transaction's state by its deliveries and `more` patches; two queries."""
    deliveries = list(Delivery.objects.filter(resource_type="transaction", resource_id=resource_id))
    verify_rows(deliveries)
    patches = [
        (delivery.version, delivery.delivery_id, _decrypt_patch(delivery))
        for delivery in deliveries
        if delivery.body
    ]
    return fold_patches([*patches, *more])


def lock_transaction(resource_id: str, *, now: datetime) -> BankTransaction:
    """Return a transaction under its lock, a new one if this is its first report."""
    bank_transactions = BankTransaction.objects.select_for_update().filter(resource_id=resource_id)
    if (locked := bank_transactions.first()) is not None:
        return locked
    bank_transaction = BankTransaction(
        resource_id=resource_id, order_id=uuid.uuid4(), owner=OPERATOR, seen_at=now
    )
    try:
        with transaction.atomic():
            record_new_row(bank_transaction, "SEEN", now=now)
    except IntegrityError:  # another first report at the same moment
        return bank_transactions.get()
    return bank_transaction


def find_sending_institution(resource_id: str) -> tuple[str, bool]:
    """Return the institution that sent a transaction tagged by us, and whether one is being sent.

    An empty text if none did; then it belongs to the operator.
    """
    tagged = Send.objects.filter(svc_route=True)
    owner = tagged.filter(bank_id=resource_id).values_list("owner", flat=True).first()
    return owner or "", not owner and tagged.filter(state="TAKEN").exists()


def _decrypt_patch(delivery: Delivery) -> Any:
    return parse_json(encryption.decrypt_bytes(delivery.body, bound=delivery.bound))["mergePatch"]
