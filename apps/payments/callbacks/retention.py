"""Delete personal data from callbacks: bodies are blanked after their time, the rows stay."""

from datetime import datetime, timedelta

from django.conf import settings

from apps.payments.callbacks.models import Attempt, Event
from apps.platform.common.batches import iter_chunks

BATCH = 500


def blank_expired_bodies(key: str, now: datetime) -> None:
    """Blank bodies of events, and receivers' answers, after CALLBACK_KEEP_DAYS.

    The event's kind, time and digest and the result of its callback stay. Safe to repeat.
    """
    before = now - timedelta(days=settings.CALLBACK_KEEP_DAYS)
    old = Event.objects.filter(at__lt=before).exclude(body="").values_list("pk", flat=True)
    # in batches: one statement over millions of rows would hold its locks for as long
    for batch in iter_chunks(old.iterator(BATCH), BATCH):
        Event.objects.filter(pk__in=batch).update(body="")
    attempts = (
        Attempt.objects.filter(at__lt=before).exclude(excerpt="").values_list("pk", flat=True)
    )
    for batch in iter_chunks(attempts.iterator(BATCH), BATCH):
        Attempt.objects.filter(pk__in=batch).update(excerpt="")
