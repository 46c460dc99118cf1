"""Changes of a source that take two operators, and what happened to each."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.watchlists.models.sources import Source


class SourceChange(models.Model):
    """A change of a source that one operator proposes and another decides."""

    class Field(models.TextChoices):
        URLS = "urls", "Addresses to download from"
        ENABLED = "enabled", "Screened against"
        REQUIRED = "required", "Required for every screen"
        MAX_AGE = "max_age_hours", "Age limit in hours"
        FLOOR = "minimum_percent", "Least share of the live version, in percent"
        SHRINK = "shrink", "A much smaller version, taken once"
        PUBLISHED = "published", "A day of publication, told once"

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
