"""Outcomes of calls on 48 hours: append-only records."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.insight.intelligence.models.answers import IntelligenceAnswer
from apps.insight.intelligence.rules.calls_48h import NO_CALL
from apps.platform.ledger.records import LedgerRecord


class CallOutcome(LedgerRecord):
    """The outcome of one subject's call in a stored answer. Empty `came` means not known.

    `due` is the target day, `direction` the call. Scores are in millionths, of the call and of the
    base rates given with it; null for NO_CALL. Payload: `from` and `score`, the scores at the start
    and the end, and `day`, the day of the latter.
    """

    LEDGER: ClassVar[str] = "call_outcomes"
    YEARS: ClassVar[int] = 10

    # deliberately not unique by subject: a row that somebody inserted would keep the true one out
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
