"""Filters that examiners save, and samples of records that they draw."""

from typing import Any, ClassVar

from django.db import models

from apps.payments.travelrule.models.engagements import WHO, Engagement


class SavedFilter(models.Model):
    """A filter that an examiner keeps for the time of an engagement; `asked` is its address."""

    APPEND_ONLY: ClassVar[bool] = True

    engagement = models.ForeignKey(Engagement, on_delete=models.PROTECT, related_name="filters")
    name = models.CharField(max_length=80)
    asked = models.CharField(max_length=1000)
    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["engagement", "name"], name="tr_filter_named_once")
        ]

    def __str__(self) -> str:
        return self.name


class DrawnSample(models.Model):
    """Records that were drawn by chance: filter, seed and bound give the same ones again.

    `asked` is the filter's address, `bound` the highest number that a record had, `scope` the
    engagement whose records were drawn from. `picks` are numbers of records in the order drawn.
    """

    APPEND_ONLY: ClassVar[bool] = True

    scope = models.ForeignKey(Engagement, null=True, on_delete=models.PROTECT, related_name="+")
    asked = models.CharField(max_length=1000, blank=True)
    seed = models.CharField(max_length=64)
    bound = models.BigIntegerField()
    wanted = models.PositiveIntegerField()
    population = models.PositiveIntegerField()
    picks = models.JSONField()
    method = models.CharField(max_length=20)
    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        verbose_name = "sample of records"
        verbose_name_plural = "samples of records"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("draw_sample", "Can sample records")]
        indexes: ClassVar[list[Any]] = [models.Index(fields=["scope"], name="tr_sample_scope")]

    def __str__(self) -> str:
        return f"Sample {self.pk}"
