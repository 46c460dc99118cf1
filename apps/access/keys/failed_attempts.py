"""Proofs that failed, counted by whose they would be and by where they come from."""

from datetime import datetime

from django.utils.crypto import salted_hmac

from apps.access.keys import rules
from apps.access.keys.models import FailedAttempt
from apps.access.keys.rate_limits import RateLimited


def count_attempt(
    *, subject: str, now: datetime, most: int = rules.MOST_OF_ACCOUNT
) -> FailedAttempt:
    """Count an attempt as failed before it is judged, so that many at once are no way around.

    `subject` is a name as it was typed, of an account or of none, one's own account, or an
    address. Raises RateLimited when `most` failed within the last quarter of an hour; what is
    refused counts for nothing, so that the wait ends by itself.
    """
    FailedAttempt.objects.filter(at__lte=now - rules.WITHIN).delete()
    bucket = _hash_subject(subject)
    attempt = FailedAttempt.objects.create(subject=bucket, at=now)
    earlier = FailedAttempt.objects.filter(subject=bucket, pk__lt=attempt.pk).order_by("-pk")
    opens = rules.compute_retry_time(
        failures=list(earlier.values_list("at", flat=True)[:most]), most=most
    )
    if opens is None:
        return attempt
    attempt.delete()
    raise RateLimited(
        "Too many wrong passwords. Wait, then try again.",
        retry_after=(opens - now).total_seconds(),
    )


def forget_failures(*, subject: str) -> None:
    """Forget the failures of a subject whose proof was right."""
    FailedAttempt.objects.filter(subject=_hash_subject(subject)).delete()


def _hash_subject(subject: str) -> str:
    """People type passwords where names belong: neither is kept."""
    # the salt is that of the rows that are kept, wherever the app stands
    return salted_hmac("apps.access.attempts", subject.casefold(), algorithm="sha256").hexdigest()
