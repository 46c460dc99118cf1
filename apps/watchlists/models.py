"""Lists, their versions and the states of the parties on them; parties that we came across.

A list is stored by change: a row is one state of one listed party and says from which version
of its source it holds and up to which. Version N is every row with `first <= N` and `last`
empty or `>= N`. So an import writes only what changed, readers name the version they mean and
never see a half-staged one, and every older version can be read again.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q

from apps.core.ledger import LedgerRecord
from apps.watchlists import digests
from apps.watchlists.parties import Party, PartyKind
from apps.watchlists.sources import FORMATS
from apps.watchlists.values import ListedEntity, from_data
from apps.watchlists.words import Kind, Status, Topic

__all__ = [
    "READ_BATCH",
    "EntityState",
    "EntityStates",
    "Kind",
    "ListRecord",
    "ListVersion",
    "Party",
    "PartyKind",
    "Source",
    "SourceChange",
    "Status",
    "Topic",
]
READ_BATCH = 2000


def formats() -> list[tuple[str, str]]:
    """Return the formats of lists with their titles; asked when needed, so none is migrated."""
    return [(slug, row.title) for slug, row in FORMATS.items()]


class Source(models.Model):
    """A list that is screened against, and the version of it that is live."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    topic = models.CharField(max_length=10, choices=Topic.choices)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    format = models.CharField(max_length=30, choices=formats)
    urls = models.JSONField(default=list, blank=True, help_text="Files to download, in order")
    columns = models.JSONField(
        default=dict, blank=True, help_text="In-house CSV: field to column name"
    )
    licence = models.CharField(max_length=300, blank=True)
    enabled = models.BooleanField(default=True, help_text="Off: not screened, not refreshed")
    required = models.BooleanField(
        default=False, help_text="Without a current version of it nothing is screened"
    )
    max_age_hours = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Older than this it is not screened against; empty: LISTS_MAX_AGE_HOURS for "
        "official sanctions lists, else no limit",
    )
    minimum_percent = models.PositiveSmallIntegerField(
        default=90, help_text="A version with fewer parties than this share of the live is refused"
    )
    live = models.ForeignKey(
        "ListVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    live_since = models.DateTimeField(
        null=True, blank=True, help_text="When what is screened of it last changed"
    )
    last_checked_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True)
    validators = models.JSONField(
        default=dict, blank=True, help_text="ETag and Last-Modified of the files by address"
    )

    class Meta:
        ordering = ("slug",)
        permissions = (("refresh_source", "Can refresh and import lists"),)

    def __str__(self) -> str:
        return self.slug

    def remap(self, columns: dict[str, str]) -> None:
        """Read the in-house files through another column mapping from now on."""
        self.columns = columns
        self.save(update_fields=["columns"])

    def switch(self, *, enabled: bool, now: datetime) -> None:
        """Screen against the source from now on, or no longer."""
        if self.enabled != enabled:
            self.enabled, self.live_since = enabled, now
            with transaction.atomic():
                self.save(update_fields=["enabled", "live_since"])
                ListRecord.of(self, now=now)

    def still_published(self, *, now: datetime, by_hand: bool, published: datetime | None) -> None:
        """Note that the files of the live version are what there is.

        From its publisher that renews its age; an operator's word is the publication alone.
        """
        live = self.versions.filter(status=Status.LIVE)
        if not by_hand or self.kind != Kind.OFFICIAL:
            self.last_checked_at = now
            live.update(by_hand=False)
        elif published:
            live.update(published_at=published)
        self.last_error = ""
        self.save(update_fields=["last_checked_at", "last_error"])
        self.refresh_from_db()

    def move(self, urls: list[str]) -> None:
        """Download from other addresses from now on; nothing that the old ones said holds."""
        self.urls, self.validators = urls, {}
        self.save(update_fields=["urls", "validators"])

    def set_policy(self, field: str, value: bool | int | None) -> None:
        """Judge the list by another age limit or floor, or require it, from now on."""
        setattr(self, field, value)
        self.save(update_fields=[field])

    def note_error(self, text: str) -> None:
        """Keep why the last refresh failed, for operators to see."""
        self.last_error = text[:500]
        self.save(update_fields=["last_error"])

    def note_validators(self, validators: dict[str, dict[str, str]]) -> None:
        """Keep what the publisher said of its files, so that unchanged ones are not sent again."""
        self.validators = validators
        self.save(update_fields=["validators"])


class SourceChange(models.Model):
    """A change of a source that one operator proposes and another decides."""

    class Field(models.TextChoices):
        URLS = "urls", "Addresses to download from"
        ENABLED = "enabled", "Screened against"
        REQUIRED = "required", "Required for every screen"
        MAX_AGE = "max_age_hours", "Age limit in hours"
        FLOOR = "minimum_percent", "Least share of the live version, in percent"

    class State(models.TextChoices):
        PROPOSED = "PROPOSED", "Proposed"
        APPROVED = "APPROVED", "Approved"
        REJECTED = "REJECTED", "Rejected"

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="changes")
    field = models.CharField(max_length=20, choices=Field, default=Field.URLS)
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=500)
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-pk",)
        permissions = (
            ("propose_sourcechange", "Can propose a change of a list's source"),
            ("decide_sourcechange", "Can approve or reject another's proposal for a source"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=models.F("proposed_by")),
                name="source_change_four_eyes",
            ),
            models.CheckConstraint(
                condition=Q(state="PROPOSED", decided_by__isnull=True, decided_at__isnull=True)
                | Q(
                    state__in=["APPROVED", "REJECTED"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="source_change_decided_by_somebody",
            ),
            models.UniqueConstraint(
                fields=("source", "field"),
                condition=Q(state="PROPOSED"),
                name="source_change_one_pending",
            ),
        )

    def __str__(self) -> str:
        return f"{self.source.slug}: {self.get_field_display().lower()}"


class SourceEvent(models.Model):
    """What happened to a source's change, kept for ever: the database takes nothing back."""

    APPEND_ONLY: ClassVar[bool] = True

    change = models.ForeignKey(SourceChange, on_delete=models.PROTECT, related_name="events")
    state = models.CharField(max_length=8, choices=SourceChange.State)
    by = models.CharField(max_length=150, help_text="User name")
    at = models.DateTimeField()
    source = models.CharField(max_length=60)
    field = models.CharField(max_length=20)
    before = models.JSONField()
    after = models.JSONField()
    words = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return f"{self.source}: {self.state} by {self.by}"


class ListVersion(models.Model):
    """One import of a source, with what it changed; sequences of a source only grow."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="versions")
    sequence = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STAGING)
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
        default=dict, help_text="Names, aliases, addresses, identifiers that it has"
    )
    published_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was published: by its files, else as was told"
    )
    by_hand = models.BooleanField(
        default=False, help_text="Its files were given by an operator, not by their publisher"
    )
    partial = models.BooleanField(default=False, help_text="It is known to be a part of the list")

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
        rows = self.order_by("entity_id").values_list("data", flat=True)
        for data in rows.iterator(chunk_size=READ_BATCH):
            yield from_data(data)


class EntityState(models.Model):
    """One state of one listed party: as it stood from version `first` up to version `last`."""

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


class ListRecord(LedgerRecord):
    """What is screened of a source from now on: a version that went live, or a switch.

    The payload has `enabled` and, for a version, digests of what it lists anew and no longer.
    """

    LEDGER: ClassVar[str] = "lists"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    slug = models.CharField(max_length=60)
    sequence = models.PositiveIntegerField(null=True, help_text="The version that went live")

    class Meta:
        verbose_name = "list record"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.slug} {self.sequence or 'switched'}"

    @classmethod
    def of(cls, source: Source, *, now: datetime, version: ListVersion | None = None) -> None:
        """Record that a version went live, or how the source is switched now."""
        # as it stands now: the source in hand may have been read before it was switched
        enabled = Source.objects.values_list("enabled", flat=True).get(pk=source.pk)
        stated: dict[str, Any] = {"enabled": enabled}
        if version is not None:
            stated |= digests.of_version(EntityState.objects.filter(source=source), version)
        sequence = version.sequence if version else None
        cls.write(payload=stated, now=now, slug=source.slug, sequence=sequence)
