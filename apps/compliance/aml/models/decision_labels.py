"""Officers' decisions on AML screens as labels, and the counts that weights are learnt from."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.aml.rules.scorecard import COHORTS

ALL = ""  # the count of all labels of a cohort


class Label(models.Model):
    """The decision on one screen, counted once. `signals` are those that held, as a text."""

    APPEND_ONLY: ClassVar[bool] = True

    screen_id = models.UUIDField(unique=True)
    cohort = models.CharField(max_length=11)
    bad = models.BooleanField()
    sampled = models.BooleanField()
    # ids of signals, separated by blanks, in the order of the screen's answer
    signals = models.TextField()
    decided_at = models.DateTimeField()

    class Meta:
        verbose_name = "finding of officers"
        verbose_name_plural = "findings of officers"
        ordering: ClassVar[list[str]] = ["pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["cohort", "bad", "-id"], name="aml_label_class"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(cohort__in=COHORTS), name="aml_label_cohort")
        ]

    def __str__(self) -> str:
        return f"Found {'bad' if self.bad else 'good'}: screen {self.screen_id}"


class LabelCount(models.Model):
    """How many labels of a cohort had a signal, and all of them under an empty one."""

    cohort = models.CharField(max_length=11)
    signal = models.CharField(max_length=20, blank=True)
    bad = models.PositiveIntegerField(default=0)
    good = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["cohort", "signal"], name="aml_count_once")
        ]

    def __str__(self) -> str:
        return f"{self.cohort} {self.signal or 'all'}: {self.bad} bad, {self.good} good"
