"""Lists, their versions and the states of the parties on them; parties that we came across.

A list is stored by change: a row is one state of one listed party and says from which version
of its source it holds and up to which. Version N is every row with `first <= N` and `last`
empty or `>= N`. So an import writes only what changed, readers name the version they mean and
never see a half-staged one, and every older version can be read again.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db import models
from django.db.models import Q

from apps.watchlists.sources import FORMATS
from apps.watchlists.values import ListedEntity, from_data

READ_BATCH = 2000


class Topic(models.TextChoices):
    """What a source lists; MIXED sources say so party by party."""

    SANCTION = "sanction", "Sanctions"
    PEP = "pep", "Politically exposed persons"
    MIXED = "mixed", "Sanctions and politically exposed persons"
    OTHER = "other", "Other (stored, not screened)"


class Kind(models.TextChoices):
    """Where a source's files come from; production never screens against SAMPLE."""

    OFFICIAL = "official", "Official list"
    IN_HOUSE = "in_house", "In-house list"
    SAMPLE = "sample", "Bundled sample"


class Source(models.Model):
    """A list that is screened against, and the version of it that is live."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    topic = models.CharField(max_length=10, choices=Topic.choices)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    format = models.CharField(
        max_length=30, choices=[(slug, row.title) for slug, row in FORMATS.items()]
    )
    urls = models.JSONField(default=list, blank=True, help_text="Files to download, in order")
    columns = models.JSONField(
        default=dict, blank=True, help_text="In-house CSV: field to column name"
    )
    licence = models.CharField(max_length=300, blank=True)
    enabled = models.BooleanField(default=True, help_text="Off: not screened, not refreshed")
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
            self.save(update_fields=["enabled", "live_since"])

    def note_error(self, text: str) -> None:
        """Keep why the last refresh failed, for operators to see."""
        self.last_error = text[:500]
        self.save(update_fields=["last_error"])

    def note_validators(self, validators: dict[str, dict[str, str]]) -> None:
        """Keep what the publisher said of its files, so that unchanged ones are not sent again."""
        self.validators = validators
        self.save(update_fields=["validators"])


class Status(models.TextChoices):
    """How far a version came; only one is LIVE, and only while a source points at it."""

    STAGING = "staging", "Being staged"
    LIVE = "live", "Live"
    SUPERSEDED = "superseded", "Superseded"
    REJECTED = "rejected", "Refused"
    FAILED = "failed", "Failed"


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


class PartyKind(models.TextChoices):
    """How we came across a party."""

    SCREENED = "screened", "Screened"
    OWNER = "owner", "Owner of a screened party"
    REGISTERED = "registered", "Registered"


class Party(models.Model):
    """A party that was screened or registered, so that new list entries can be held against it."""

    digest = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=12, choices=PartyKind.choices)
    schema = models.CharField(max_length=20)
    reference = models.CharField(max_length=200, blank=True, help_text="Where it came up last")
    name = models.CharField(max_length=500)
    country = models.CharField(max_length=2, blank=True)
    birth_date = models.CharField(max_length=10, blank=True)
    keys = models.CharField(max_length=500, help_text="Normalised tokens, sorted")
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        verbose_name_plural = "parties"

    def __str__(self) -> str:
        return self.name
