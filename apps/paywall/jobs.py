"""Background work of payments: what became of those whose outcome is unknown."""

from datetime import datetime, timedelta

from apps.core.jobs import Again, enqueue
from apps.paywall import claims, reconciling, sessions
from apps.paywall.models import PaymentClaim, State

FIRST, SLOWEST = timedelta(seconds=5), timedelta(minutes=30)
GIVES_UP = timedelta(days=2)  # then it stays UNKNOWN, on the desk, for a person
AT_ONCE = 500


def reconcile(key: str, now: datetime) -> None:
    """Find out how one settlement ended; raises Again while nobody can say."""
    claim = PaymentClaim.objects.filter(pk=int(key)).first()
    if claim is None or claim.state not in (State.SETTLING, State.UNKNOWN):
        return
    if claim.state == State.SETTLING and claim.lease_until > now:
        raise Again(claim.lease_until)
    if reconciling.found(claim=claim, now=now) or now - claim.claimed_at > GIVES_UP:
        return
    raise Again(now + min(SLOWEST, max(FIRST, (now - claim.claimed_at) / 2)))


def sweep(key: str, now: datetime) -> None:
    """Send for payments whose process died while it settled, and forget what was never settled.

    What was settled and not asked for again within a day is owed back.
    """
    cut_off = PaymentClaim.objects.filter(lease_until__lte=now)
    for pk in cut_off.filter(state=State.SETTLING).values_list("pk", flat=True)[:AT_ONCE]:
        enqueue(job=claims.RECONCILE, key=str(pk), now=now)
    owed = PaymentClaim.objects.unanswered().filter(settled_at__lt=now - claims.KEPT)
    for claim in owed.filter(lease_until__lte=now).order_by("settled_at")[:AT_ONCE]:
        claims.owe(claim, now)
    sessions.expire(now=now, most=AT_ONCE)
    cut_off.filter(state__in=(State.CLAIMED, State.VERIFIED)).delete()
    old = PaymentClaim.objects.filter(answered_at__lt=now - claims.KEPT).exclude(answer="")
    old.update(answer="")
