"""Events, and the order in which their owner reads them.

An event has no place in its owner's feed when it is written: ids are assigned before the commit, so
an event with a lower id may become visible after one with a higher. Places are assigned when the
feed is read, under a lock of the owner's head, to the events visible then (selectors/feed.py).
"""

from datetime import timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.db import models

from apps.platform.common.clock import EPOCH
from apps.platform.crypto import macs

LONGEST_OWNER = 200


class Event(models.Model):
    """An event about a subject of an owner; `body` is exactly the text that is sent.

    Rows are append-only; only the body is deleted, at the end of its retention. `mac` covers all of
    it and the address that it goes to, with a key that is not in the database: an event that was
    written or altered in the database is neither sent nor shown.
    """

    APPEND_ONLY: ClassVar[bool] = True
    PURGEABLE: ClassVar[tuple[str, ...]] = ("body",)

    uid = models.UUIDField("event", unique=True)
    owner = models.CharField(max_length=LONGEST_OWNER)
    name = models.CharField("what happened", max_length=60)
    subject = models.UUIDField()
    body = models.TextField()
    digest = models.CharField("SHA-256 of the body", max_length=64)
    at = models.DateTimeField()
    mac_key = models.CharField(max_length=macs.LONGEST_ID, null=True, editable=False)
    mac = models.CharField(max_length=64, null=True, editable=False)

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["subject", "id"], name="callback_event_subject"),
            models.Index(fields=["at"], name="callback_event_at"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.uid}"

    def stamp(self, url: str) -> None:
        """Set the proof of this event and its address (empty: only the feed)."""
        self.mac_key, self.mac = macs.make_mac(self._told(url))

    def fault(self, url: str) -> str:
        """Return why the event or its address cannot be verified, or an empty text."""
        # after its retention the body is gone, and the MAC still covers its digest
        if self.body and sha256(self.body.encode()).hexdigest() != self.digest:
            return "its body was altered"
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._told(url))

    def _told(self, url: str) -> dict[str, Any]:
        signed_fields = {"owner": self.owner, "name": self.name, "digest": self.digest, "url": url}
        # whole microseconds: what both databases return of a time, without a float or a zone
        at = (self.at - EPOCH) // timedelta(microseconds=1)
        ids = {"uid": str(self.uid), "subject": str(self.subject)}
        return {"what": "callback event", "at": at} | ids | signed_fields


class Unnumbered(models.Model):
    """An event without a place in its owner's feed."""

    event = models.OneToOneField(
        Event, primary_key=True, on_delete=models.PROTECT, related_name="unnumbered"
    )
    owner = models.CharField(max_length=LONGEST_OWNER)

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "event"], name="callback_unnumbered_owner")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.event_id}"


class FeedHead(models.Model):
    """The number of an owner's events that have a place; its lock guards assigning them."""

    owner = models.CharField(max_length=LONGEST_OWNER, primary_key=True)
    last = models.BigIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.owner}: {self.last}"


class FeedEntry(models.Model):
    """The place of an event in its owner's feed: 1, 2, 3 and so on without gaps, for good."""

    APPEND_ONLY: ClassVar[bool] = True

    owner = models.CharField(max_length=LONGEST_OWNER)
    number = models.BigIntegerField()
    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="entry")

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "number"], name="callback_feed_place_once")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.number}"
