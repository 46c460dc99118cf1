"""Wrong passwords, counted by whose password it would be, from wherever they come."""

from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from apps.access.limits import RateLimited
from apps.access.models import FailedAttempt

MOST_FAILURES = 10
WITHIN = timedelta(minutes=15)


def begin(*, subject: str, now: datetime) -> FailedAttempt:
    """Count an attempt as failed before it is judged, so that many at once are no way around.

    `subject` is a name as it was typed, of an account or of none, or one's own account. Raises
    RateLimited when ten failed within the last quarter of an hour; what is refused counts for
    nothing, so that the wait ends by itself.
    """
    FailedAttempt.objects.filter(at__lte=now - WITHIN).delete()
    bucket = _bucket(subject)
    attempt = FailedAttempt.objects.create(subject=bucket, at=now)
    earlier = FailedAttempt.objects.filter(subject=bucket, pk__lt=attempt.pk).order_by("-pk")
    counted = list(earlier.values_list("at", flat=True)[:MOST_FAILURES])
    if len(counted) < MOST_FAILURES:
        return attempt
    attempt.delete()
    wait = min(counted) + WITHIN - now
    raise RateLimited(
        "Too many wrong passwords. Wait, then try again.", retry_after=wait.total_seconds()
    )


def passed(*, subject: str) -> None:
    """Forget the failures of a subject whose password was right."""
    FailedAttempt.objects.filter(subject=_bucket(subject)).delete()


def _bucket(subject: str) -> str:
    """People type passwords where names belong: neither is kept."""
    return salted_hmac("apps.access.attempts", subject.casefold(), algorithm="sha256").hexdigest()
