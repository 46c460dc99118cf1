"""The feed of events, for callers who missed a callback."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from rest_framework.exceptions import ValidationError

from apps.payments.callbacks.models import Event, FeedEntry, FeedHead, Unnumbered

LARGEST_PAGE = 200
# above the largest page, so that a page never ends where numbering stopped
NUMBERED_AT_ONCE = 1000
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One event as its owner reads it; `data` is the callback's body, None once it was deleted."""

    number: int
    event: UUID
    name: str
    subject: UUID
    at: datetime
    data: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Events in order; `next` leads on, None at the end; `last` is the place to continue later.

    `last` is the requested place if there is nothing new, empty before the first event.
    """

    items: list[FeedItem]
    next: str | None
    last: str


def read_feed(*, owner: str, after: str = "", limit: int = 50) -> FeedPage:
    """Return the events of an owner after a place, at most `limit` (1 to 200) of them.

    A place fixes the events up to it for good: later commits come later. It may write (new events
    get their places), so call it where writing is allowed. ValidationError for an invalid place.
    """
    # 18 digits fit the column; isdigit alone takes digits of other scripts
    plain = after.isascii() and after.isdigit() and len(after) <= 18
    if after and not plain:
        raise ValidationError({"cursor": ["This is not a valid cursor."]})
    place = int(after or 0)
    most = max(1, min(limit, LARGEST_PAGE))
    _number_new_events(owner)
    rows = FeedEntry.objects.filter(owner=owner, number__gt=place).select_related("event__delivery")
    # one more than shown tells whether there is a next page
    entries = list(rows.order_by("number")[: most + 1])
    shown = entries[:most]
    # counts entries that are withheld too, so that a reader gets past them
    last = str(shown[-1].number) if shown else after
    return FeedPage(
        items=[_build_feed_item(entry) for entry in shown if _is_verified_entry(entry)],
        next=last if len(entries) > most else None,
        last=last,
    )


def _is_verified_entry(entry: FeedEntry) -> bool:
    """Tell whether an entry is what was published to its owner; any other is never shown."""
    delivery = getattr(entry.event, "delivery", None)
    fault = entry.event.fault(delivery.url if delivery else "")
    if not fault and entry.event.owner != entry.owner:
        fault = "it is another owner's"
    if fault:
        logger.error("event %s is not delivered: %s", entry.event_id, fault)
    return not fault


def _build_feed_item(entry: FeedEntry) -> FeedItem:
    event: Event = entry.event
    data = json.loads(event.body) if event.body else None
    return FeedItem(
        number=entry.number,
        event=event.uid,
        name=event.name,
        subject=event.subject,
        at=event.at,
        data=data,
    )


def _number_new_events(owner: str) -> None:
    """Assign places to visible events without one, before anything is read."""
    # most reads find nothing new: no lock for them
    if not Unnumbered.objects.filter(owner=owner).exists():
        return
    FeedHead.objects.get_or_create(owner=owner)
    with transaction.atomic():
        # a reader that waited for the lock reads what is left, not what it saw before
        head = FeedHead.objects.select_for_update().get(owner=owner)
        # under the lock: an event that becomes visible later gets a later place
        rows = Unnumbered.objects.filter(owner=owner).order_by("event")
        waiting = list(rows.values_list("event", flat=True)[:NUMBERED_AT_ONCE])
        FeedEntry.objects.bulk_create(
            FeedEntry(owner=owner, number=head.last + place, event_id=event)
            for place, event in enumerate(waiting, start=1)
        )
        Unnumbered.objects.filter(event__in=waiting).delete()
        FeedHead.objects.filter(owner=owner).update(last=head.last + len(waiting))
