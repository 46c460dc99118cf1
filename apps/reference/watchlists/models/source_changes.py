"""Changes of a source that take two operators, and what happened to each."""

from typing import Any

from django.db import models

from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.reference.watchlists.models.sources import Source


class SourceChange(Proposal):
    """A change of a source that one operator proposes and another decides."""

    DECIDER = "operator"

    class Field(models.TextChoices):
        URLS = "urls", "Addresses to download from"
        ENABLED = "enabled", "Screened against"
        REQUIRED = "required", "Required for every screen"
        MAX_AGE = "max_age_hours", "Age limit in hours"
        FLOOR = "minimum_percent", "Least share of the live version, in percent"
        SHRINK = "shrink", "A much smaller version, accepted once"
        PUBLISHED = "published", "A publication date, stated once"

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="changes")
    field = models.CharField(max_length=20, choices=Field, default=Field.URLS)
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering = ("-pk",)
        permissions = (
            ("propose_sourcechange", "Can propose a change of a list's source"),
            ("decide_sourcechange", "Can approve or reject another's proposal for a source"),
        )
        constraints = (
            *four_eyes_constraints("source_change"),
            one_pending_constraint("source", "field", name="source_change_one_pending"),
        )

    def __str__(self) -> str:
        return f"{self.source.slug}: {self.get_field_display().lower()}"

    def event_columns(self) -> dict[str, Any]:
        what = {name: getattr(self, name) for name in ("field", "before", "after")}
        return what | {"source": self.source.slug}


class SourceEvent(ProposalEvent):
    """What happened to a source's change, kept for ever: the database takes nothing back."""

    change = models.ForeignKey(SourceChange, on_delete=models.PROTECT, related_name="events")
    # a copy of the slug: the event stays readable whatever becomes of the source
    source = models.CharField(max_length=60)
    field = models.CharField(max_length=20)
    before = models.JSONField()
    after = models.JSONField()

    def __str__(self) -> str:
        return f"{self.source}: {self.state} by {self.by}"
