"""Moves a payment: one compare-and-set, one sealed event, and what follows, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core import jobs
from apps.core.keyed import update
from apps.payments import telling
from apps.payments.models import Payment, PaymentEvent
from apps.payments.rules import lifecycle
from apps.payments.rules.lifecycle import FINAL, Checks, Turn

ADVANCE = "payments.advance"
NOTHING = Checks()


class Moved(RuntimeError):
    """Somebody else moved the payment meanwhile: what was found out here does not count."""


def move(
    payment: Payment,
    event: str,
    *,
    now: datetime,
    checks: Checks = NOTHING,
    facts: Mapping[str, Any] | None = None,
    plans: bool = True,
    **changes: Any,
) -> Turn:
    """Take a payment through one row of the table; call it in the transaction of what it rests on.

    `changes` are columns that it brings along, `facts` what its event keeps besides. A turn that
    has `work` plans it, unless the caller carries the payment on itself (`plans` False). Raises
    Moved where the payment is not as it was read, NoTurn where the table has no such row.
    """
    row = lifecycle.turn(payment.state, event, checks)
    before = payment.steps
    changes = dict(changes) | {"trouble": "", "due_at": now}
    if not row.counts:
        changes["tries"] = 0
    if row.next in FINAL:
        changes["ended_at"] = now
    for name, value in changes.items():
        setattr(payment, name, value)
    payment.state, payment.steps = row.next, before + 1
    as_read = {"pk": payment.pk, "steps": before}
    changes |= {"state": row.next, "steps": before + 1}
    if update(Payment, where=as_read, change=changes) != 1:
        raise Moved(f"payment {payment.payment_id} was moved meanwhile")
    record(payment, row, now=now, facts=facts)
    if row.work and plans:
        jobs.enqueue(job=ADVANCE, key=str(payment.pk), now=now)
    if row.tells:
        telling.tell(payment, now=now, corrects=row.corrects)
    return row


def record(
    payment: Payment, row: Turn, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Append the event of a turn, with how the payment stands after it."""
    payload, columns = event_of(payment, row, facts=facts)
    PaymentEvent.write(payload=payload, now=now, **columns)


def event_of(
    payment: Payment, row: Turn, *, facts: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return payload and columns of the event of a turn, for a payment as it stands after it."""
    said = {"stands": payment.stands, "rules": lifecycle.VERSION}
    columns = {
        "payment_id": payment.pk,
        "number": payment.steps,
        "event": row.event,
        "state": row.next,
        "turn": row.code,
    }
    return said | dict(facts or {}), columns
