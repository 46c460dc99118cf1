"""Runs of the live score, one per slot of ten minutes, including those without a number."""

from decimal import Decimal
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord

FINEST = 10_000  # of a point: what rules/live_score.py rounds averages to


class EsgRun(LedgerRecord):
    """One run: the envelope has the result, the payload the inputs.

    `average` is in ten-thousandths of a point, null if the run has no score: the payload's `fault`
    then says why. `due` and `good` count the runs of the window up to this one, as for the
    stability oracle. Payload: see `services/oracle_runs.py`.
    """

    LEDGER: ClassVar[str] = "esg_runs"

    # slots of ten minutes since 1970; unique, so that of two workers one stores the run
    slot = models.PositiveBigIntegerField(unique=True)
    average = models.PositiveIntegerField(null=True)
    quality = models.CharField(max_length=10, blank=True)
    due = models.PositiveIntegerField()
    good = models.PositiveIntegerField()
    method = models.CharField(max_length=20)

    class Meta:
        db_table = "esgoracle_esgrun"
        verbose_name = "live ESG score run"
        verbose_name_plural = "live ESG score runs"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            # for the uptime: how many runs of the window had a score
            models.Index(fields=["slot"], condition=Q(average__isnull=False), name="esg_run_good"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(average__isnull=True, quality="")
                # IS NOT NULL is explicit: a comparison with NULL is neither true nor false, and a
                # CHECK refuses only what is false
                | Q(
                    average__isnull=False,
                    average__lte=100 * FINEST,
                    quality__in=["LIVE", "PARTIAL", "ESTIMATED"],
                ),
                name="esg_run_scored_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recorded_at:%d %b %Y %H:%M} UTC: {self.points or 'no score'}"

    @property
    def points(self) -> Decimal | None:
        """The average, 0 to 100, or None."""
        return None if self.average is None else Decimal(self.average) / FINEST
