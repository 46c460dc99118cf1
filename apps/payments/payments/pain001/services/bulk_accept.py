"""Accept many instructions at once, as `accept_payment` does one by one, in a few statements."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from apps.payments.payments.instructions import Instruction
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.models.events import reference_key
from apps.payments.payments.record_transition import ADVANCE, build_payment_event
from apps.payments.payments.services import accept_payment
from apps.platform.api.callers import Caller
from apps.platform.jobs import job_queue


def bulk_accept_payments(
    *, instructions: Sequence[Instruction], caller: Caller, now: datetime, called: str = ""
) -> dict[str, Payment]:
    """Create payments for clearly new transactions; return them by reference.

    Call it inside a transaction. It leaves the rest to `accept_payment`, which returns the reason:
    a reference that was used, is repeated or is being used concurrently; a wallet that pays itself.
    """
    counts = Counter(instruction.reference for instruction in instructions)
    keys = {reference: reference_key(caller.ref, reference) for reference in counts}
    # from the records: a reference stays used even if its payment's row was removed
    used = PaymentEvent.objects.filter(reference_key__in=list(keys.values()))
    taken = set(used.values_list("reference_key", flat=True))
    plain = [
        accept_payment.build_payment(instruction, caller.ref, now, called)
        for instruction in instructions
        if counts[instruction.reference] == 1
        and keys[instruction.reference] not in taken
        and _is_bulk_acceptable(instruction)
    ]
    try:
        with transaction.atomic():
            # write payments, their first events, and the jobs that carry them on
            Payment.objects.bulk_create(plain)
            rows = (
                build_payment_event(
                    payment,
                    accept_payment.FIRST_TRANSITION,
                    facts=accept_payment.first_event_facts(payment),
                )
                for payment in plain
            )
            PaymentEvent.write_each(now=now, rows=rows)
            due = {str(payment.pk): payment.due_at for payment in plain}
            job_queue.enqueue_new_jobs(job=ADVANCE, due=due, now=now)
    except IntegrityError:
        # another message has one of these references, just now: each is then tried by itself
        return {}
    return {payment.reference: payment for payment in plain}


def _is_bulk_acceptable(instruction: Instruction) -> bool:
    # what accept_payment would refuse, or must check first, is left to it
    own = instruction.creditor.wallet == instruction.debtor.wallet
    return not own and not instruction.callback_url
