"""Models of all ledgers: seals, heads, purges, and legal holds with their events."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord


class Seal(models.Model):
    """One link of a ledger's chain: the record's content hash and the digest over the link."""

    APPEND_ONLY: ClassVar[bool] = True

    ledger = models.CharField(max_length=40)
    position = models.BigIntegerField()
    record_id = models.BigIntegerField()
    previous = models.CharField(max_length=64)
    content = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["ledger", "position"], name="seal_one_per_position"),
            models.UniqueConstraint(fields=["ledger", "record_id"], name="seal_one_per_record"),
            # unique, so that a chain cannot fork
            models.UniqueConstraint(fields=["ledger", "previous"], name="seal_one_successor"),
        ]
        # unique, because a copied record has the content of another
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["ledger", "content"], name="seal_content")
        ]

    def __str__(self) -> str:
        return f"{self.ledger} {self.position}"


class LedgerHead(models.Model):
    """The sealer's lock and bookmark of one ledger; `verify` never trusts it.

    Every record with an id up to `watermark` is sealed. An id is only allocated to a record
    when it is inserted and may commit later than a higher one, so the bookmark moves to
    `candidate` no earlier than ten minutes after `candidate` was the highest id in sight.
    """

    ledger = models.CharField(max_length=40, primary_key=True)
    position = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=64)
    # records up to it are not read again: the sealer checks that nobody moved it ahead
    watermark = models.BigIntegerField(default=0)
    candidate = models.BigIntegerField(default=0)
    candidate_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.ledger} at {self.position}"


class PurgeReason(models.TextChoices):
    """Why a payload was purged."""

    RETENTION = "RETENTION", "Its retention ended"
    ERASURE = "ERASURE", "An erasure order"


class PurgeEvent(LedgerRecord):
    """The record of a purged payload: which record's, why, by whom. Never purged itself."""

    LEDGER: ClassVar[str] = "purges"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    of_ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    reason = models.CharField(max_length=10, choices=PurgeReason.choices)
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            # of two purges at once one fails, and only one event says why
            models.UniqueConstraint(fields=["of_ledger", "record_id"], name="purge_once")
        ]

    def __str__(self) -> str:
        return f"{self.of_ledger} {self.record_id}"

    def is_of(self, seal: Seal) -> bool:
        """Tell whether the event records the purge of what this seal covers."""
        data = self.data
        return (data.get("position"), data.get("content")) == (seal.position, seal.content)


class LegalHold(models.Model):
    """A record that must keep its payload whatever its age, until the hold is lifted."""

    ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    placed_by = models.CharField(max_length=150)
    placed_at = models.DateTimeField()
    lifted_by = models.CharField(max_length=150, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_why = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("place_legalhold", "Can place legal holds"),
            ("lift_legalhold", "Can lift legal holds"),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(
                fields=["ledger", "record_id"],
                condition=Q(lifted_at=None),
                name="hold_standing",
            )
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(lifted_at=None, lifted_by="")
                | (Q(lifted_at__isnull=False) & ~Q(lifted_by="")),
                name="hold_lifted_by_someone",
            )
        ]

    def __str__(self) -> str:
        return f"{self.ledger} {self.record_id}"


class HoldEvent(LedgerRecord):
    """A legal hold that was placed or lifted: on which record, why, by whom. Never purged."""

    LEDGER: ClassVar[str] = "holds"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    class Action(models.TextChoices):
        """What happened to a hold."""

        PLACED = "PLACED"
        LIFTED = "LIFTED"

    hold = models.BigIntegerField()  # no foreign key: records outlive deleted rows
    of_ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    action = models.CharField(max_length=6, choices=Action.choices)
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["hold", "action"], name="hold_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.of_ledger} {self.record_id}"
