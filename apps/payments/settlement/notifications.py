"""Notify an institution of a settlement: in its feed, beside its payments."""

from datetime import datetime

from apps.payments.callbacks.services.publish_event import publish_event
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.presenters import serialize_settlement
from apps.payments.settlement.serializers import SettleOut
from apps.platform.api.representation import render_answer


def publish_settlement_status(row: Settlement, *, now: datetime) -> None:
    """Publish a settlement's status; part of the transaction that changed it.

    Rehearsals are not published.
    """
    if row.sandbox:
        return
    publish_event(
        owner=row.owner,
        event=f"settlement.{row.state.lower()}",
        subject=row.order_id,
        # the answer of GET, so that the feed reveals no more than that
        body=render_answer(SettleOut, serialize_settlement(row, now)),
        # a settlement names no address for callbacks: its events are in the feed alone
        url="",
        now=now,
    )
