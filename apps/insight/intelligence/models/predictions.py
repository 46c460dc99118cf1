"""Regime predictions and their outcomes, as separate immutable records."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.insight.intelligence.rules.regimes import HORIZONS
from apps.platform.ledger.records import LedgerRecord


class RegimePrediction(LedgerRecord):
    """The prediction for one horizon, sealed before the outcome could be known.

    `slot` and `version` identify the answer that contains it. The outcome is the regime as known at
    the end of the day `due`. Payload: current `score` and `current` regime, `probability` of the
    predicted `regime`, `chances` of all regimes, those of the `chain` before recalibration, and
    `climatology`: the frequency of each regime until then.
    """

    LEDGER: ClassVar[str] = "regime_predictions"
    # skill needs years of cases, above all at long horizons
    YEARS: ClassVar[int] = 10

    slot = models.PositiveBigIntegerField()
    version = models.CharField(max_length=20)
    horizon = models.PositiveSmallIntegerField()
    due = models.DateField()
    regime = models.CharField(max_length=10)
    quality = models.CharField(max_length=10)

    class Meta:
        verbose_name = "regime prediction"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [models.Index(fields=["due"], name="regime_prediction_due")]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["slot", "version", "horizon"], name="regime_prediction_once"
            ),
            models.CheckConstraint(
                condition=Q(horizon__in=HORIZONS), name="regime_prediction_horizon"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.regime} on {self.due:%d %b %Y}, {self.horizon} days ahead"


class RegimeOutcome(LedgerRecord):
    """The outcome of one prediction. An empty `regime` means that it was not known on that day.

    Scores are in millionths, of the prediction and of its two reference forecasts; `sure` is the
    probability of the predicted regime, in hundredths. Payload: `score` of the day, `coverage`,
    `quality`, and the `inputs` to recompute it.
    """

    LEDGER: ClassVar[str] = "regime_outcomes"
    YEARS: ClassVar[int] = 10

    # deliberately not one to one: a row that somebody inserted would keep the true one out
    prediction = models.ForeignKey(
        RegimePrediction, on_delete=models.PROTECT, related_name="outcomes"
    )
    horizon = models.PositiveSmallIntegerField()
    due = models.DateField()
    regime = models.CharField(max_length=10, blank=True)
    right = models.BooleanField(null=True)
    sure = models.PositiveSmallIntegerField(null=True)
    brier = models.PositiveIntegerField(null=True)
    rps = models.PositiveIntegerField(null=True)
    brier_climatology = models.PositiveIntegerField(null=True)
    brier_persistence = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = "regime outcome"
        verbose_name_plural = "regime outcomes"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["horizon", "due"], name="regime_outcome_by_day")
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(regime="", right=None, sure=None, brier=None, rps=None)
                | (~Q(regime="") & Q(brier__isnull=False, rps__isnull=False, sure__isnull=False)),
                name="regime_outcome_whole",
            )
        ]

    def __str__(self) -> str:
        return f"{self.regime or 'not known'} on {self.due:%d %b %Y}"
