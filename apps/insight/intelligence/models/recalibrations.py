"""Monthly recalibrations of predictions by earlier outcomes, as immutable editions."""

from typing import ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class Recalibration(LedgerRecord):
    """What the outcomes that were known in a month said of the chain of a `version`.

    The newest one holds for predictions that are made after it. Payload: `horizons`, by days, each
    with `weight`, `cases`, `days`, `apart`, `before` and `after` (rules/recalibration.py).
    """

    LEDGER: ClassVar[str] = "regime_recalibrations"
    YEARS: ClassVar[int] = 10

    # not unique in the database: a row that is not ours would keep the true one out
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
