"""Outcomes of calls on 48 hours: append-only records."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.insight.intelligence.models.answers import IntelligenceAnswer
from apps.insight.intelligence.rules.calls_48h import NO_CALL
from apps.platform.ledger.records import LedgerRecord


class CallOutcome(LedgerRecord):
    """What came of one subject's call of a kept answer. Without `came` nothing was known.

    `due` is the day that was called, `direction` what was said of it. Scores are in millionths, of
    the call and of the base rates that stood beside it; there are none where nothing was called.
    Payload: `from` and `score`, between which it went, and `day`, of which the latter is.
    """

    LEDGER: ClassVar[str] = "call_outcomes"
    YEARS: ClassVar[int] = 10

    # no constraint says that there is one of a subject: a row that is not ours would keep it out
    answer = models.ForeignKey(
        IntelligenceAnswer, on_delete=models.PROTECT, related_name="call_outcomes"
    )
    subject = models.CharField(max_length=40)
    due = models.DateField()
    direction = models.CharField(max_length=10)
    came = models.CharField(max_length=10, blank=True)
    right = models.BooleanField(null=True)
    brier = models.PositiveIntegerField(null=True)
    brier_base = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = "call outcome"
        verbose_name_plural = "call outcomes"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["subject", "due"], name="call_outcome_by_day")
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(right=None, brier=None, brier_base=None)
                | Q(right__isnull=False, brier__isnull=False, brier_base__isnull=False)
                & ~Q(came="")
                & ~Q(direction=NO_CALL),
                name="call_outcome_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} on {self.due:%d %b %Y}: {self.came or 'not known'}"
