"""What happened, as it is told: events, and the order in which their owner reads them.

An event has no place in its owner's feed when it is written: ids are given before a commit, so
that one with a lower id may become visible after one with a higher. Places are given when the
feed is read, under a lock of the owner's head, to what is visible then (selectors/feed.py).
"""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.db import models

from apps.platform.crypto import macs

LONGEST_OWNER = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Event(models.Model):
    """Something that happened to a subject of an owner; `body` is the very text that is sent.

    Rows are append-only; the body alone leaves, at the end of its retention. `mac` is over all of
    it and over the address that it goes to, under a key that the database does not hold: what was
    written or altered in the database is neither sent nor told.
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
        """Set the proof that this was told, and to which address (empty: the feed alone)."""
        self.mac_key, self.mac = macs.make_mac(self._told(url))

    def fault(self, url: str) -> str:
        """Return why it is not proved that this was told, and to this address; or an empty text."""
        if self.body and sha256(self.body.encode()).hexdigest() != self.digest:
            return "its body was altered"
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._told(url))

    def _told(self, url: str) -> dict[str, Any]:
        said = {"owner": self.owner, "name": self.name, "digest": self.digest, "url": url}
        at = (self.at - _EPOCH) // timedelta(microseconds=1)
        ids = {"uid": str(self.uid), "subject": str(self.subject)}
        return {"what": "callback event", "at": at} | ids | said


class Unnumbered(models.Model):
    """An event that has no place in its owner's feed yet."""

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
    """How many events of an owner have a place; who gives places holds its lock."""

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
