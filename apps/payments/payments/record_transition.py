"""Moves a payment: one compare-and-set, one sealed event, and what follows, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.payments import notifications
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.models.events import id_key, reference_key
from apps.payments.payments.rules import transitions
from apps.payments.payments.rules.transitions import FINAL, CheckResults, Transition
from apps.platform.jobs import job_queue
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set

ADVANCE = "payments.advance"
NO_CHECKS = CheckResults()


def record_transition(
    payment: Payment,
    event: str,
    *,
    now: datetime,
    checks: CheckResults = NO_CHECKS,
    facts: Mapping[str, Any] | None = None,
    plans: bool = True,
    **changes: Any,
) -> Transition:
    """Apply one row of the table to a payment; call it in the transaction of its cause.

    `changes` are columns to set, `facts` further facts for the event. A transition with `work`
    schedules it, unless the caller continues with the payment itself (`plans` False). Raises
    ConcurrentUpdate if the payment changed since it was read, NoSuchTransition if the table has no
    such row; the payment is then as it was read.
    """
    row = transitions.find_transition(payment.state, event, checks)
    # due now: if the planned job is lost, the sweep finds it
    changes |= {"state": row.next, "trouble": "", "due_at": now}
    if not row.counts:
        changes["tries"] = 0
    if row.next in FINAL:
        changes["ended_at"] = now
    with compare_and_set(payment, changes):
        write_transition_event(payment, row, now=now, facts=facts)
        if row.work and plans:
            job_queue.enqueue_job(job=ADVANCE, key=str(payment.pk), now=now)
        if row.tells:
            notifications.publish_payment_status(payment, now=now, corrects=row.corrects)
    return row


def write_transition_event(
    payment: Payment, row: Transition, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Append the event of a transition, with the payment's state after it."""
    payload, columns = build_payment_event(payment, row, facts=facts)
    PaymentEvent.write(payload=payload, now=now, **columns)


def build_payment_event(
    payment: Payment, row: Transition, *, facts: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return payload and columns of a transition's event, for the payment's state after it."""
    columns: dict[str, Any] = {"payment_id": payment.pk, "state": row.next}
    if payment.steps == 1:
        columns["reference_key"] = reference_key(payment.owner, payment.reference)
        columns["id_key"] = id_key(payment.owner, payment.payment_id)
    return build_transition_event(
        payment,
        event=row.event,
        turn=row.code,
        rules=transitions.VERSION,
        facts=facts,
        **columns,
    )
