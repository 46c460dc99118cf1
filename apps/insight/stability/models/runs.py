"""Runs of the oracle, one per slot of ten minutes, and a language model's notes on them."""

from decimal import Decimal
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord

# units of a score per point, in which rules/layers.py of the oracle computes
FINEST = 10_000_000
# units of a deviation per basis point
MICRO = 1_000_000
# units of coverage in the whole weight
PARTS = 10_000


class StabilityRun(LedgerRecord):
    """One run: the envelope has the result, the payload the inputs.

    `score` in ten-millionths of a point, `deviation` in millionths of a basis point and `coverage`
    in ten-thousandths; all are null where the run could not compute: its payload then says why.
    `due` and `good` are the runs of the window up to this one (rules/uptime.py). Payload: see
    `computation.py`.
    """

    LEDGER: ClassVar[str] = "stability_runs"

    run_id = models.UUIDField(unique=True)
    slot = models.PositiveBigIntegerField(unique=True)
    score = models.PositiveBigIntegerField(null=True)
    deviation = models.PositiveBigIntegerField(null=True)
    coverage = models.PositiveIntegerField(null=True)
    quality = models.CharField(max_length=10, blank=True)
    sample = models.BooleanField()
    due = models.PositiveIntegerField()
    good = models.PositiveIntegerField()
    weights = models.PositiveIntegerField()
    method = models.CharField(max_length=20)

    class Meta:
        verbose_name = "stability run"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            # for the uptime: how many runs of the window had a score
            models.Index(fields=["slot"], condition=Q(score__isnull=False), name="run_scored"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(
                    score__isnull=True, deviation__isnull=True, coverage__isnull=True, quality=""
                )
                | (
                    Q(score__isnull=False, deviation__isnull=False, coverage__isnull=False)
                    & Q(quality__in=["LIVE", "PARTIAL", "ESTIMATED"])
                ),
                name="run_scored_whole",
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__lte=100 * FINEST), name="run_percent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recorded_at:%d %b %Y %H:%M} UTC: {self.points or 'no score'}"

    @property
    def points(self) -> Decimal | None:
        """The score, 0 to 100, or None."""
        return None if self.score is None else Decimal(self.score) / FINEST

    @property
    def deviation_bps(self) -> Decimal | None:
        """How far the peg was off, in basis points, or None."""
        return None if self.deviation is None else Decimal(self.deviation) / MICRO

    @property
    def weight_in_age(self) -> Decimal | None:
        """The share of the weight that was current, 0 to 1, or None."""
        return None if self.coverage is None else Decimal(self.coverage) / PARTS


class RunNote(models.Model):
    """A language model's note on a run, shown with the figures and not part of them."""

    APPEND_ONLY: ClassVar[bool] = True

    run = models.OneToOneField(StabilityRun, on_delete=models.PROTECT, related_name="note")
    reasoning = models.CharField(max_length=900)
    confidence = models.DecimalField(max_digits=3, decimal_places=2)
    alerts = models.JSONField()
    outlook = models.CharField(max_length=13)
    model = models.CharField(max_length=100)
    generated_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.model} on run {self.run_id}"
