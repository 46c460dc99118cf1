"""Background work of payments: find out unknown outcomes."""

import logging
from datetime import datetime, timedelta

from apps.access.paywall.models import PaymentClaim, State
from apps.access.paywall.services import payment_claims, reconciliation, sessions
from apps.platform.common.problems import DomainError
from apps.platform.jobs.job_queue import RetryLater, enqueue_job

logger = logging.getLogger(__name__)
# bounds of the wait between two looks, which grows with the age of the payment
FIRST, SLOWEST = timedelta(seconds=5), timedelta(minutes=30)
GIVES_UP = timedelta(days=2)  # after this it stays UNKNOWN, on the desk, for a person
# rows of each kind in one sweep; the next minute takes the others
AT_ONCE = 500


def reconcile_payment(key: str, now: datetime) -> None:
    """Find out how one settlement ended; raises RetryLater while that is unknown."""
    claim = PaymentClaim.objects.filter(pk=int(key)).first()
    if claim is None or claim.state not in (State.SETTLING, State.UNKNOWN):
        return
    # its call may still be waiting for the facilitator
    if claim.state == State.SETTLING and claim.lease_until > now:
        raise RetryLater(claim.lease_until)
    if reconciliation.reconcile_claim(claim=claim, now=now) or now - claim.claimed_at > GIVES_UP:
        return
    # half of its age: often at first, then seldom
    raise RetryLater(now + min(SLOWEST, max(FIRST, (now - claim.claimed_at) / 2)))


def sweep_payments(key: str, now: datetime) -> None:
    """Reconcile payments whose process died while settling, and forget those never settled.

    Money that was settled and not claimed again within a day becomes a refund.
    """
    cut_off = PaymentClaim.objects.filter(lease_until__lte=now)
    for pk in cut_off.filter(state=State.SETTLING).values_list("pk", flat=True)[:AT_ONCE]:
        enqueue_job(job=payment_claims.RECONCILE, key=str(pk), now=now)
    # until then the payer may send the same payment again and be answered
    owed = PaymentClaim.objects.unanswered().filter(settled_at__lt=now - payment_claims.KEPT)
    for claim in owed.filter(lease_until__lte=now).order_by("settled_at")[:AT_ONCE]:
        try:
            payment_claims.record_owed_back(claim, now)
        # it stays unanswered for a person to check; the others are recorded
        except DomainError as error:
            logger.error("payment %s is not owed back: %s", claim.pk, error)
    sessions.expire_sessions(now=now, most=AT_ONCE)
    # never sent to be settled: deleting the row makes the payment unused again
    cut_off.filter(state__in=(State.CLAIMED, State.VERIFIED)).delete()
    # that it was answered stays on record; only the text goes
    old = PaymentClaim.objects.filter(answered_at__lt=now - payment_claims.KEPT).exclude(answer="")
    old.update(answer="")
