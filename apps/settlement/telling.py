"""Tells an institution what became of a settlement: in its feed, beside its payments."""

from datetime import datetime

from apps.callbacks.publishing import publish
from apps.core.rendering import render
from apps.settlement.models import Settlement
from apps.settlement.result import result
from apps.settlement.serializers import SettleOut


def tell(row: Settlement, *, now: datetime) -> None:
    """Publish how a settlement stands; part of the transaction that brought it there.

    The body is what GET answers, so nothing that it does not tell. Of a rehearsal nothing is told.
    """
    if row.sandbox:
        return
    publish(
        owner=row.owner,
        event=f"settlement.{row.state.lower()}",
        subject=row.order_id,
        body=render(SettleOut, result(row, now)),
        url="",
        now=now,
    )
