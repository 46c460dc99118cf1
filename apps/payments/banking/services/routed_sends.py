"""Sends that were routed into settlement: the quote, and the transfer that executes each."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.access.keys.tenant_names import OPERATOR
from apps.payments.banking.integrity import find_row_faults
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.rules.routes import ROUTED_STATES
from apps.payments.banking.serializers.payments import SendOut
from apps.payments.banking.services.create_send import serialize_send
from apps.payments.callbacks.services.publish_event import publish_event
from apps.platform.api.representation import render_answer


def load_routings(bank_ids: Sequence[str], *, owner: str) -> Mapping[str, dict[str, Any]]:
    """Return the routing answers of an institution's payments by the bank's id.

    A payment whose settlement was cancelled or stopped since has nothing to execute.
    """
    routed = BankTransaction.objects.filter(
        owner=owner, state__in=ROUTED_STATES, resource_id__in=bank_ids
    )
    bank_transactions = list(routed) if bank_ids else []
    # an altered row could name another wallet to pay: it is left out
    broken = find_row_faults(bank_transactions)
    return {
        transaction.resource_id: transaction.routed
        for transaction in bank_transactions
        if transaction.pk not in broken
    }


def serialize_routed_sends(rows: Sequence[Send], *, owner: str) -> list[dict[str, Any]]:
    """Serialize payments, each with its quote and transfer if it was routed."""
    tagged = [row.bank_id for row in rows if row.svc_route and row.bank_id]
    routed = load_routings(tagged, owner=owner)
    return [
        serialize_send(row) | ({"routing": routed[row.bank_id]} if row.bank_id in routed else {})
        for row in rows
    ]


def publish_routed_send(row: BankTransaction, *, now: datetime) -> None:
    """Publish in an institution's feed that its payment was routed; in that transaction."""
    paid = Send.objects.select_related("recipient").filter(bank_id=row.resource_id).first()
    # a deposit from outside has no institution that reads a feed
    if row.owner == OPERATOR or paid is None:
        return
    publish_event(
        owner=row.owner,
        event="bank.routed",
        subject=row.order_id,
        body=render_answer(SendOut, serialize_send(paid) | {"routing": row.routed}),
        url="",
        now=now,
    )
