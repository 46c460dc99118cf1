"""The lists that are screened against, and what each is judged by."""

from datetime import datetime

from django.db import models, transaction

from apps.platform.jobs import job_queue
from apps.reference.watchlists.choices import RESCREEN, SourceKind, SourceTopic
from apps.reference.watchlists.models.list_records import ListRecord
from apps.reference.watchlists.sources import FORMATS


def formats() -> list[tuple[str, str]]:
    """Return the formats of lists with their titles; asked when needed, so none is migrated."""
    return [(slug, row.title) for slug, row in FORMATS.items()]


class Source(models.Model):
    """A list that is screened against, and the version of it that is live."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    topic = models.CharField(max_length=10, choices=SourceTopic.choices)
    kind = models.CharField(max_length=10, choices=SourceKind.choices)
    format = models.CharField(max_length=30, choices=formats)
    urls = models.JSONField(default=list, blank=True, help_text="Files to download, in order")
    columns = models.JSONField(
        default=dict, blank=True, help_text="In-house CSV: field to column name"
    )
    licence = models.CharField(max_length=300, blank=True)
    enabled = models.BooleanField(
        default=True,
        help_text="While this is off, the list is neither screened nor refreshed",
    )
    required = models.BooleanField(
        default=False, help_text="Without a current version of it, all screens are refused"
    )
    max_age_hours = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="A version older than this is not screened; empty: LISTS_MAX_AGE_HOURS for "
        "official sanctions lists, else no limit",
    )
    minimum_percent = models.PositiveSmallIntegerField(
        default=90,
        help_text="A version with fewer parties than this share of the live version is refused",
    )
    live = models.ForeignKey(
        "ListVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    live_since = models.DateTimeField(
        null=True, blank=True, help_text="When its screened content last changed"
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

    def remap(self, columns: dict[str, str], *, now: datetime) -> None:
        """Read the in-house files through another column mapping from now on."""
        self.columns = columns
        with transaction.atomic():
            self.save(update_fields=["columns"])
            ListRecord.of(self, now=now, changed=("columns",))

    def switch(self, *, enabled: bool, now: datetime) -> None:
        """Screen against the source from now on, or no longer."""
        if self.enabled != enabled:
            self.enabled, self.live_since = enabled, now
            with transaction.atomic():
                self.save(update_fields=["enabled", "live_since"])
                ListRecord.of(self, now=now, changed=("enabled",))
                job_queue.enqueue_job(job=RESCREEN, key=self.slug, now=now)

    def still_published(self, *, now: datetime, by_hand: bool, published: datetime | None) -> None:
        """Note that the files of the live version are what there is.

        From its publisher that renews its age; an operator's word is the publication alone. What
        changes of its age is recorded, and nothing else with it.
        """
        live = self.versions.filter(pk=self.live_id or 0)
        changed: tuple[str, ...] = ()
        with transaction.atomic():
            if not by_hand or self.kind != SourceKind.OFFICIAL:
                changed = ("checked_at", "by_hand")
                live.update(by_hand=False)
                type(self).objects.filter(pk=self.pk).update(last_checked_at=now)
            elif published:
                changed = ("published_at",)
                live.update(published_at=published)
            type(self).objects.filter(pk=self.pk).update(last_error="")
            # a file given by hand once more, without a date, changes nothing of what is recorded
            if changed:
                ListRecord.of(self, now=now, changed=changed)
        self.refresh_from_db()

    def move(self, urls: list[str], *, now: datetime) -> None:
        """Download from other addresses from now on; nothing that the old ones said holds."""
        # an ETag of the old address could make the new one answer 304 for a file that we never had
        self.urls, self.validators = urls, {}
        with transaction.atomic():
            self.save(update_fields=["urls", "validators"])
            ListRecord.of(self, now=now, changed=("urls",))

    def set_policy(self, field: str, value: bool | int | None, *, now: datetime) -> None:
        """Judge the list by another age limit or floor, or require it, from now on."""
        setattr(self, field, value)
        with transaction.atomic():
            self.save(update_fields=[field])
            ListRecord.of(self, now=now, changed=(field,))

    def note_error(self, text: str) -> None:
        """Keep why the last refresh failed, for operators to see."""
        # the column's length: messages of publishers have no bound
        self.last_error = text[:500]
        self.save(update_fields=["last_error"])

    def note_validators(self, validators: dict[str, dict[str, str]]) -> None:
        """Keep what the publisher said of its files, so that unchanged ones are not sent again."""
        self.validators = validators
        self.save(update_fields=["validators"])
