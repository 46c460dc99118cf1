"""Recognize repeated messages, and limit how many with the same bytes a day may bring.

IVMS 101 has neither an id nor a date of a transfer: the rent of two months is the same bytes. Only
the id that the sender states distinguishes payments, in a header that no signature covers. So each
id is a separate message, and replays of a body are limited per day.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import F

from apps.payments.travelrule.models import AlikeOfDay, TravelRecord
from apps.platform.common.days import start_of_day
from apps.platform.common.problems import DomainError
from apps.platform.crypto import macs

logger = logging.getLogger(__name__)
MAX_IDENTICAL = 100  # messages of the same bytes of one sender in a day, each under another id


class TooManyIdenticalMessages(DomainError):
    """The sender stated too many payment ids with the same bytes today."""

    status, code, title = 429, "too_many_alike", "Too many messages with the same bytes"


@dataclass(frozen=True, slots=True)
class MessageIdentity:
    """The identity by which a repeated message is recognized.

    `stated` is the full id that its sender states, `linked` that of our payment which it names, and
    `refused` whether it breaks a rule.
    """

    sender: str
    sha256: str
    stated: str
    linked: str
    refused: bool

    @property
    def came_as(self) -> str:
        """Its digest: of the bytes with our payment, or with the id that is stated, or none."""
        # A message that was refused and would be accepted now (a day later, or under other rules)
        # is a new one: its sender must not get a confirmation of a record that says "refused".
        refused = ["refused"] if self.refused else []
        stated = [] if self.linked else ["stated", self.stated]
        return macs.keyed_digest(
            what="travel-rule message", of=[self.sha256, self.linked, *refused, *stated]
        )


def find_earlier_record(known: MessageIdentity) -> TravelRecord | None:
    """Return the record that a message has already, or None."""
    return TravelRecord.objects.filter(sender=known.sender, came_as=known.came_as).first()


def count_identical_message(known: MessageIdentity, *, now: datetime) -> None:
    """Count a message in the transaction that records it.

    TooManyIdenticalMessages (429) past the limit.
    """
    # each payment of ours can be named once, and without an id the same bytes are one message
    if known.linked or not known.stated:
        return
    of = macs.keyed_digest(what="travel-rule bytes", of=[known.sender, known.sha256])
    today = AlikeOfDay.objects.filter(came_of=of, day=_utc_day(now))
    AlikeOfDay.objects.bulk_create(
        [AlikeOfDay(came_of=of, day=_utc_day(now))], ignore_conflicts=True
    )
    # one statement: messages with the same bytes wait for the row, and none passes the limit
    if not today.filter(count__lt=MAX_IDENTICAL).update(count=F("count") + 1):
        midnight = start_of_day(_utc_day(now) + timedelta(days=1))
        logger.warning(
            "%s sent the same bytes under more than %s ids today", known.sender, MAX_IDENTICAL
        )
        raise TooManyIdenticalMessages(
            f"{MAX_IDENTICAL} messages of these very bytes were recorded today (UTC), each "
            f"under another id of a payment. This one is not recorded: send it again tomorrow.",
            retry_after=(midnight - now).total_seconds(),
        )


def delete_past_counts(key: str, now: datetime) -> None:
    """Remove the counts of days that are over; the job `travelrule.tidy`."""
    # a transaction that began before midnight may still count the day before
    AlikeOfDay.objects.filter(day__lt=_utc_day(now) - timedelta(days=1)).delete()


def _utc_day(now: datetime) -> date:
    return now.astimezone(UTC).date()
