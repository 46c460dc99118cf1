"""The end of what callbacks say of people: bodies leave after their time, the rows stay."""

from datetime import datetime, timedelta

from django.conf import settings

from apps.payments.callbacks.models import Attempt, Event
from apps.platform.common.batches import iter_chunks

BATCH = 500


def blank_expired_bodies(key: str, now: datetime) -> None:
    """Blank bodies of events, and what receivers answered, after CALLBACK_KEEP_DAYS.

    What happened, when, its digest and how its callback ended stay. Again is harmless.
    """
    before = now - timedelta(days=settings.CALLBACK_KEEP_DAYS)
    old = Event.objects.filter(at__lt=before).exclude(body="").values_list("pk", flat=True)
    for batch in iter_chunks(old.iterator(BATCH), BATCH):
        Event.objects.filter(pk__in=batch).update(body="")
    said = Attempt.objects.filter(at__lt=before).exclude(excerpt="").values_list("pk", flat=True)
    for batch in iter_chunks(said.iterator(BATCH), BATCH):
        Attempt.objects.filter(pk__in=batch).update(excerpt="")
