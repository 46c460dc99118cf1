"""Runs that screen parties against a change of a list."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from apps.reference.watchlists.models import Source


class Stage(models.TextChoices):
    """The stage of a run. LATE checks parties screened while hosts still had the old index."""

    MAIN = "MAIN", "Running"
    LATE = "LATE", "Waits for parties screened in the meantime"
    DONE = "DONE", "Done"


class Rescreen(models.Model):
    """One run: all known parties, screened against a list's changes between two versions.

    `since` is the version that parties were screened against before, 0 for none. A run resumes
    after `entry` (the last entry whose slice is done) and `party` (the last party of the next
    slice); the counters are updated with them in one transaction.
    """

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    since = models.PositiveIntegerField("from version")
    through = models.PositiveIntegerField("to version")
    stage = models.CharField(max_length=4, choices=Stage, default=Stage.MAIN)
    planned_at = models.DateTimeField("planned")
    settles_at = models.DateTimeField("late check", null=True)
    finished_at = models.DateTimeField("finished", null=True)
    entry = models.CharField(max_length=200, blank=True, editable=False)
    party = models.BigIntegerField(default=0, editable=False)
    entries = models.PositiveIntegerField("changed entries", default=0)
    immaterial = models.PositiveIntegerField("of these, not compared", default=0)
    removed = models.PositiveIntegerField("entries removed", default=0)
    parties = models.PositiveIntegerField("parties", default=0)
    candidates = models.PositiveIntegerField("candidates", default=0)
    verified = models.PositiveIntegerField("looked up", default=0)
    opened = models.PositiveIntegerField("cases opened", default=0)
    skipped = models.JSONField("no news", default=dict)
    last_error = models.CharField(max_length=500, blank=True)

    class Meta:
        # a table keeps the name of the app that it was made in
        db_table = "ongoing_rescreen"
        verbose_name = "run over known parties"
        verbose_name_plural = "runs over known parties"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["source"], condition=~Q(stage="DONE"), name="rescreen_one_at_a_time"
            ),
            models.CheckConstraint(condition=Q(since__lte=F("through")), name="rescreen_forward"),
        ]

    def __str__(self) -> str:
        return f"{self.source.slug} {self.since} to {self.through}"

    def went_wrong(self, error: str) -> None:
        """Store why the run stopped, for operators; it resumes where it was."""
        type(self).objects.filter(pk=self.pk).update(last_error=error[:500])

    def ends(self, *, now: datetime) -> None:
        """Record that all parties were screened against the change."""
        self.stage, self.finished_at, self.last_error = Stage.DONE, now, ""
        self.save(update_fields=["stage", "finished_at", "last_error"])

    def waits(self, *, until: datetime) -> None:
        """Note that parties screened with the old index until then are to be screened again."""
        self.stage, self.settles_at, self.last_error = Stage.LATE, until, ""
        # the late check goes through all changed entries again, for the parties that came up since
        self.entry, self.party = "", 0
        self.save(update_fields=["stage", "settles_at", "entry", "party", "last_error"])
