"""Lock or create the row of a bank transaction, and find the institution that sent it."""

import uuid
from datetime import datetime

from django.db import IntegrityError, transaction

from apps.access.keys.tenant_names import OPERATOR
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.record_transition import record_new_row


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
    except IntegrityError:
        # another first report at the same moment: wait for its lock
        return bank_transactions.get()
    return bank_transaction


def find_sending_institution(resource_id: str) -> tuple[str, bool]:
    """Return the institution that sent a transaction tagged by us, and whether one is being sent.

    An empty text if none did; then it belongs to the operator.
    """
    tagged = Send.objects.filter(svc_route=True)
    owner = tagged.filter(bank_id=resource_id).values_list("owner", flat=True).first()
    # the webhook may be faster than the bank's answer to our call: until that is here, an outgoing
    # payment may be ours
    return owner or "", not owner and tagged.filter(state="TAKEN").exists()
