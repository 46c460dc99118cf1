"""Count failed sign-in proofs, by the account that they are for and by address."""

from datetime import datetime

from django.utils.crypto import salted_hmac

from apps.access.keys import rules
from apps.access.keys.models import FailedAttempt
from apps.access.keys.rate_limits import RateLimited


def count_attempt(
    *, subject: str, now: datetime, most: int = rules.MOST_OF_ACCOUNT
) -> FailedAttempt:
    """Count an attempt as failed before it is checked, so that parallel attempts all count.

    `subject` is a name as it was typed, existing or not, one's own account, or an address. Raises
    RateLimited when `most` attempts failed within the last quarter of an hour; refused attempts are
    not counted, so that the wait ends by itself.
    """
    # nothing else removes them, and only those within the period count
    FailedAttempt.objects.filter(at__lte=now - rules.WITHIN).delete()
    bucket = _hash_subject(subject)
    # written before the check: of parallel attempts each sees those with a lower id
    attempt = FailedAttempt.objects.create(subject=bucket, at=now)
    earlier = FailedAttempt.objects.filter(subject=bucket, pk__lt=attempt.pk).order_by("-pk")
    opens = rules.compute_retry_time(
        failures=list(earlier.values_list("at", flat=True)[:most]), most=most
    )
    if opens is None:
        return attempt
    # else each refused attempt would extend the wait, and anybody could lock an account for good
    attempt.delete()
    raise RateLimited(
        "Too many wrong passwords. Wait, then try again.",
        retry_after=(opens - now).total_seconds(),
    )


def forget_failures(*, subject: str) -> None:
    """Forget the failures of a subject after a correct proof."""
    FailedAttempt.objects.filter(subject=_hash_subject(subject)).delete()


def _hash_subject(subject: str) -> str:
    """Return a keyed hash: people type passwords into name fields, and neither is stored."""
    # the same salt as in stored rows, wherever the app is moved
    return salted_hmac("apps.access.attempts", subject.casefold(), algorithm="sha256").hexdigest()
