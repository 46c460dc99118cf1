"""Which payment a worker takes up: an institution with many does not keep others waiting.

Workers take tasks in the order in which they came. So before one of an institution's payments is
carried on, one of another institution is, if it waits: that of whoever has the fewest waiting. An
institution with a long queue has half of the workers at most while others wait, and a single
payment of another waits for one payment, not for a queue.
"""

from collections import Counter
from contextvars import ContextVar
from datetime import datetime

from apps.payments.payments.models import Payment
from apps.payments.payments.services.advance_payment import advance_payment
from apps.payments.payments.transitions import ADVANCE
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState

# that a run gives way already: the one that it lets go first takes no turns itself
_YIELDS: ContextVar[bool] = ContextVar("a run of a payment gives way to another", default=False)
NEWEST_CONSIDERED = (
    100  # waiting payments that are looked at: older ones are next in the queue as it is
)


def advance_payment_in_turn(key: str, now: datetime) -> None:
    """Carry one payment on, after one that waits for another institution; see `advance_payment`.

    The job of the other runs by its own lease and attempts; its task finds it done.
    """
    job = None if _YIELDS.get() else _find_waiting_job(key, now)
    if job is not None:
        before = _YIELDS.set(True)
        try:
            job_queue.run_job(job)
        finally:
            _YIELDS.reset(before)
    advance_payment(key, now)


def _find_waiting_job(key: str, now: datetime) -> int | None:
    """Return the job of a payment of the institution with the fewest waiting, or None."""
    waiting = Payment.objects.filter(state="SUBMITTED", due_at__lte=now).order_by("-pk")
    rows = list(waiting.values_list("pk", "owner")[:NEWEST_CONSIDERED])
    owners = dict(rows)
    own = owners.get(int(key or 0))
    if own is None:  # it is carried on by now, or one of the older
        own = Payment.objects.filter(pk=int(key or 0)).values_list("owner", flat=True).first()
    counts = Counter(owner for _, owner in rows)
    others = sorted((counts[owner], pk) for pk, owner in rows if owner != own)
    if not others:
        return None
    ready = Job.objects.filter(name=ADVANCE, state=JobState.PENDING, eta__lte=now)
    ready = ready.filter(key__in=[str(pk) for _, pk in others])
    pending = dict(ready.values_list("key", "pk"))
    return next((pending[str(pk)] for _, pk in others if str(pk) in pending), None)
