"""Versions of lists, and the states of the parties on them."""

from collections.abc import Iterator

from django.db import models
from django.db.models import Q

from apps.reference.watchlists.choices import VersionStatus
from apps.reference.watchlists.listed_entity import ListedEntity, deserialize_entity
from apps.reference.watchlists.models.sources import Source

READ_BATCH = 2000


class ListVersion(models.Model):
    """One import of a source, with what it changed; sequences of a source only grow."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="versions")
    sequence = models.PositiveIntegerField()
    status = models.CharField(
        max_length=10, choices=VersionStatus.choices, default=VersionStatus.STAGING
    )
    checksum = models.CharField(max_length=64, help_text="SHA-256 over files and mapping")
    files = models.JSONField(default=list, help_text="Names and sizes of the files read")
    fetched_at = models.DateTimeField()
    live_at = models.DateTimeField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict, help_text="Examples of what changed, or the error")
    counts = models.JSONField(
        default=dict, help_text="Numbers of names, aliases, addresses and identifiers"
    )
    published_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it was published, by its files or else as stated at the import",
    )
    by_hand = models.BooleanField(
        default=False, help_text="Its files were given by an operator, not by their publisher"
    )
    partial = models.BooleanField(
        default=False, help_text="It is known to be only part of the list"
    )

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(fields=("source", "sequence"), name="list_version_sequence"),
        )

    def __str__(self) -> str:
        return f"{self.source_id and self.source.slug} {self.sequence}"


class EntityStates(models.QuerySet["EntityState"]):
    """Reads of listed parties at a version that is named."""

    def at(self, *, source_id: int, sequence: int) -> "EntityStates":
        """Return the states that make up one version of a source."""
        still = Q(last_sequence=None) | Q(last_sequence__gte=sequence)
        return self.filter(still, source_id=source_id, first_sequence__lte=sequence)

    def entities(self) -> Iterator[ListedEntity]:
        """Yield the parties in the order of their ids, streaming."""
        # a fixed order, so that every host builds the same index
        rows = self.order_by("entity_id").values_list("data", flat=True)
        for data in rows.iterator(chunk_size=READ_BATCH):
            yield deserialize_entity(data)


class EntityState(models.Model):
    """One state of one listed party: as it was from version `first` up to version `last`."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="states")
    entity_id = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    data = models.JSONField()
    first_sequence = models.PositiveIntegerField()
    last_sequence = models.PositiveIntegerField(null=True)

    objects = EntityStates.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("source", "entity_id", "first_sequence"), name="entity_state_first"
            ),
            models.CheckConstraint(
                name="entity_state_order",
                condition=Q(last_sequence=None) | Q(last_sequence__gte=models.F("first_sequence")),
            ),
        )
        indexes = (
            models.Index(fields=("source", "first_sequence"), name="entity_state_started"),
            models.Index(fields=("source", "last_sequence"), name="entity_state_ended"),
        )

    def __str__(self) -> str:
        return f"{self.entity_id} from {self.first_sequence}"
