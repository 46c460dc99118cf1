"""Choose the next payment fairly: an institution with many does not keep others waiting.

Workers take tasks in order of arrival. So before processing a payment of one institution, a worker
processes one of another if any waits: of the institution with the fewest waiting. An institution
with a long queue therefore has at most half of the workers while others wait, and a single payment
of another waits for one payment, not for a queue.
"""

from collections import Counter
from contextvars import ContextVar
from datetime import datetime

from apps.payments.payments.models import Payment
from apps.payments.payments.record_transition import ADVANCE
from apps.payments.payments.services.advance_payment import advance_payment
from apps.platform.db.compiled_queries import fetch_columns
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState

# set while a run gives way: the payment processed first must not give way itself
_YIELDS: ContextVar[bool] = ContextVar("a run of a payment gives way to another", default=False)
# waiting payments that are considered: older ones are next in the queue anyway
NEWEST_CONSIDERED = 100


def advance_payment_in_turn(key: str, now: datetime) -> None:
    """Process one payment, after one that waits for another institution; see `advance_payment`.

    The other payment's job runs with its own lease and attempts; its own task then finds it done.
    """
    job = None if _YIELDS.get() else _find_waiting_job(key, now)
    if job is not None:
        # the run below is nested: without the mark it would give way in turn, and so on
        before = _YIELDS.set(True)
        try:
            job_queue.run_job(job)
        finally:
            _YIELDS.reset(before)
    advance_payment(key, now)


def _find_waiting_job(key: str, now: datetime) -> int | None:
    """Return the job of a payment of the institution with the fewest waiting, or None."""
    number = int(key or 0)
    rows = fetch_columns(
        Payment,
        ("pk", "owner"),
        where={"state": "SUBMITTED", "due_at__lte": now},
        order=("-pk",),
        limit=NEWEST_CONSIDERED,
    )
    owners = dict(rows)
    if number not in owners:  # it is being processed by now, or is one of the older ones
        owners |= dict(fetch_columns(Payment, ("pk", "owner"), where={"pk": number}))
    own = owners.get(number)
    waiting_of_others = [(pk, owner) for pk, owner in rows if owner != own]
    if not waiting_of_others:
        return None
    counts = Counter(owner for _, owner in waiting_of_others)
    # the institution with the fewest waiting first, and its oldest payment
    others = sorted((counts[owner], pk) for pk, owner in waiting_of_others)
    # one that a worker has already is no choice: its job is not pending
    ready = Job.objects.filter(name=ADVANCE, state=JobState.PENDING, eta__lte=now)
    ready = ready.filter(key__in=[str(pk) for _, pk in others])
    pending = dict(ready.values_list("key", "pk"))
    return next((pending[str(pk)] for _, pk in others if str(pk) in pending), None)
