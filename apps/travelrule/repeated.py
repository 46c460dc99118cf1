"""Which messages are one that came before, and how many of the same bytes a day may bring.

IVMS 101 has neither an id nor a date of a transfer: the rent of two months is the same bytes. What
tells one payment from another is the id that its sender states, in a header that no signature
covers. So each id is a message of its own, and whoever replays a body has so many a day.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import F

from apps.core import macs
from apps.core.problems import DomainError
from apps.travelrule.models import AlikeOfDay, RecordKey, TravelRecord
from apps.travelrule.sealing import Unreadable
from apps.travelrule.telling import events_of, opened_text

logger = logging.getLogger(__name__)
MOST = 100  # messages of the same bytes of one sender in a day, each under another id


class TooManyAlike(DomainError):
    """The sender stated too many ids of payments with the same bytes today."""

    status, code, title = 429, "too_many_alike", "Too many messages of the same bytes"


@dataclass(frozen=True, slots=True)
class Known:
    """By what a message is known when it comes again.

    `stated` is the id that its sender states, whole, and `linked` that of our payment which it
    names. One that was `refused` and would be taken now (a day later, say, or by other rules) is
    another: its sender is never told that it is kept where the record says that it was refused.
    """

    sender: str
    sha256: str
    stated: str
    linked: str
    refused: bool

    @property
    def came_as(self) -> str:
        """Its digest: of the bytes with our payment, or with the id that is stated, or none."""
        return self._digest() if self.linked else self._digest("stated", self.stated)

    @property
    def came_as_before(self) -> str:
        """The digest that records have of the time when an id that links nothing did not count."""
        return self._digest()

    def _digest(self, *more: str) -> str:
        refused = ["refused"] if self.refused else []
        return macs.keyed(
            what="travel-rule message", of=[self.sha256, self.linked, *refused, *more]
        )


def record_of(known: Known) -> TravelRecord | None:
    """Return the record that a message has already, or None."""
    either = {known.came_as, known.came_as_before}
    rows = TravelRecord.objects.filter(sender=known.sender, came_as__in=either)
    found = {one.came_as: one for one in rows}
    older = found.get(known.came_as_before)
    if known.came_as in found or older is None:
        return found.get(known.came_as)
    return older if _stated_in(older) == known.stated else None


def _stated_in(record: TravelRecord) -> str | None:
    """Return the id under which a message was recorded, None where nobody can tell any more."""
    events = events_of([record])[record.pk]
    try:
        key = RecordKey.objects.filter(record=record).first()
        text = opened_text(record, events[0], key) if events else None
    except Unreadable:
        return None
    return None if text is None else str(text.get("named", ""))


def count(known: Known, *, now: datetime) -> None:
    """Count a message that is to be recorded, in its transaction; TooManyAlike past the bound.

    One that names a payment of ours is not counted: each of those is there once. Nor is one
    without an id, which is one message however often it comes. Others of the same bytes wait here.
    """
    if known.linked or not known.stated:
        return
    of = macs.keyed(what="travel-rule bytes", of=[known.sender, known.sha256])
    today = AlikeOfDay.objects.filter(came_of=of, day=_day(now))
    AlikeOfDay.objects.bulk_create([AlikeOfDay(came_of=of, day=_day(now))], ignore_conflicts=True)
    if not today.filter(count__lt=MOST).update(count=F("count") + 1):
        midnight = datetime.combine(_day(now) + timedelta(days=1), time(), UTC)
        logger.warning("%s sent the same bytes under more than %s ids today", known.sender, MOST)
        raise TooManyAlike(
            f"{MOST} messages of these very bytes were recorded today (UTC), each under another "
            "id of a payment. This one is not recorded: send it again tomorrow.",
            retry_after=(midnight - now).total_seconds(),
        )


def tidy(key: str, now: datetime) -> None:
    """Remove the counts of days that are over; the job `travelrule.tidy`."""
    # a transaction that began before midnight may count the day before still
    AlikeOfDay.objects.filter(day__lt=_day(now) - timedelta(days=1)).delete()


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()
