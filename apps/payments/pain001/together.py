"""Accepts many instructions at once, as `accept` would one by one, in a handful of statements."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from apps.core import jobs
from apps.core.callers import Caller
from apps.payments import accepting
from apps.payments.instructions import Instruction
from apps.payments.models import Payment, PaymentEvent
from apps.payments.moving import ADVANCE, event_of


def accept_plain(
    *, instructions: Sequence[Instruction], caller: Caller, now: datetime, called: str = ""
) -> dict[str, Payment]:
    """Make payments of what is plainly new; return them by reference.

    Call it inside a transaction. What it leaves out is for `accept`, which says why: a reference
    that was used, that comes twice, or that somebody uses just now; a wallet that pays itself.
    """
    counts = Counter(one.reference for one in instructions)
    used = Payment.objects.filter(owner=caller.ref, reference__in=list(counts))
    taken = set(used.values_list("reference", flat=True))
    plain = [
        accepting.made(one, caller.ref, now, called)
        for one in instructions
        if counts[one.reference] == 1 and one.reference not in taken and _is_plain(one)
    ]
    try:
        with transaction.atomic():
            _write(plain, now)
    except IntegrityError:  # another message has one of these references, just now
        return {}
    return {payment.reference: payment for payment in plain}


def _is_plain(instruction: Instruction) -> bool:
    own = instruction.creditor.wallet == instruction.debtor.wallet
    return not own and not instruction.callback_url


def _write(payments: list[Payment], now: datetime) -> None:
    """Write payments, their first events, and the jobs that carry them on."""
    Payment.objects.bulk_create(payments)
    rows = (
        event_of(payment, accepting.FIRST, facts=accepting.first_facts(payment))
        for payment in payments
    )
    PaymentEvent.write_each(now=now, rows=rows)
    due = {str(payment.pk): payment.due_at for payment in payments}
    jobs.enqueue_new(job=ADVANCE, due=due, now=now)
