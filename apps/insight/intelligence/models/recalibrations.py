"""Monthly recalibrations of predictions by earlier outcomes, as immutable editions."""

from typing import ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class Recalibration(LedgerRecord):
    """The adjustment of a `version` of the chain, from the outcomes known in a month.

    The newest one is in force for predictions made after it. Payload: `horizons`, by days, each
    with `weight`, `cases`, `days`, `apart`, `before` and `after` (rules/recalibration.py).
    """

    LEDGER: ClassVar[str] = "regime_recalibrations"
    YEARS: ClassVar[int] = 10

    # deliberately not unique: a row that somebody inserted would keep the true one out
    number = models.PositiveIntegerField()
    month = models.DateField()
    version = models.CharField(max_length=20)

    class Meta:
        verbose_name = "regime recalibration"
        verbose_name_plural = "regime recalibrations"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"Recalibration {self.number} of {self.month:%b %Y}"
