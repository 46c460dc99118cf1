"""Ownership and PEP reports as they were given, kept for their time."""

from datetime import datetime
from typing import ClassVar

from django.db import models


class CachedReport(models.Model):
    """An answered report; `key` is a digest over the question and the versions of the lists."""

    key = models.CharField(max_length=64, primary_key=True)
    body = models.JSONField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.key[:12]} of {self.made_at:%F %R}"


class UboReport(CachedReport):
    """An ownership chain with its screens, kept 24 hours (document 1 section 8)."""

    lei = models.CharField(max_length=20, db_index=True)

    class Meta(CachedReport.Meta):
        abstract = False
        verbose_name = "ownership report"
        ordering: ClassVar = ["-made_at"]


class PepReport(CachedReport):
    """A PEP screen, kept 6 hours (document 1 section 8)."""

    class Meta(CachedReport.Meta):
        abstract = False
        verbose_name = "PEP report"
        ordering: ClassVar = ["-made_at"]


def tidy(key: str, now: datetime) -> None:
    """Remove reports whose time has passed; a job of config/jobs.py."""
    for model in (UboReport, PepReport):
        model.objects.filter(expires_at__lte=now).delete()
