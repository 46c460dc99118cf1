"""Runs of the forecasts: one for each hour, which all requests of the hour read."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class ForecastRun(LedgerRecord):
    """Everything that was computed for one hour.

    `slot` counts hours since 1970; the first of two workers that compute the same hour wins.
    Payload: `body` (text, JSON; see services/hourly_run.py) and `inputs` (day, vintage and source
    of every series that counted), by which it can be computed again.
    """

    LEDGER: ClassVar[str] = "forecast_runs"
    YEARS: ClassVar[int] = 5

    slot = models.PositiveBigIntegerField()
    version = models.CharField(max_length=20)
    quality = models.CharField(max_length=10, blank=True)

    class Meta:
        verbose_name = "forecast run"
        verbose_name_plural = "forecast runs"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["slot", "version"], name="forecast_run_once"),
        ]

    def __str__(self) -> str:
        return f"forecasts of {self.recorded_at:%d %b %Y %H:%M} UTC"
