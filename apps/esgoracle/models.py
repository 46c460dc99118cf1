"""Runs of the live score: one for each ten minutes, also of those that came to no number."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q


class EsgRunQuerySet(models.QuerySet["EsgRun"]):
    def good(self) -> Self:
        """Return the runs that came to a score."""
        return self.filter(ok=True)


class EsgRun(models.Model):
    """One run. `slot` counts ten minutes since 1970; `detail` is what it came to, or why not."""

    slot = models.BigIntegerField(unique=True)
    ran_at = models.DateTimeField()
    ok = models.BooleanField()
    quality = models.CharField(max_length=10, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)

    objects = EsgRunQuerySet.as_manager()

    class Meta:
        verbose_name = "run of the live ESG score"
        verbose_name_plural = "runs of the live ESG score"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(ok=True, reason="") | (Q(ok=False, quality="") & ~Q(reason="")),
                name="esg_run_good_or_why_not",
            )
        ]

    def __str__(self) -> str:
        return f"{self.slot}"
