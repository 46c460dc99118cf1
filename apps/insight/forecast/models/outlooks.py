"""Published outlooks, and the later moves of prices: each a record of its own, never changed."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord


class ForecastOutlook(LedgerRecord):
    """The outlook for one market on one day, sealed before the outcome could be known.

    It is compared with the newest price known at the end of the day `due`. Payload: `score`,
    `price`, `price_day` and `price_series` of the moment, `band`, the size of a move that counts
    as none, and `climatology`: how often prices rose, fell or did neither until then.
    """

    LEDGER: ClassVar[str] = "forecast_outlooks"
    # a hit rate needs years, because the eleven markets move together
    YEARS: ClassVar[int] = 10

    symbol = models.CharField(max_length=10)
    day = models.DateField()
    due = models.DateField()
    version = models.CharField(max_length=20)
    outlook = models.CharField(max_length=15)
    quality = models.CharField(max_length=10)

    class Meta:
        verbose_name = "outlook"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["due", "id"], name="forecast_outlook_due")
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                # the first outlook of a day counts: nobody can replace it by a better one later
                # that day
                fields=["symbol", "day", "version"],
                name="forecast_outlook_once",
            ),
            models.CheckConstraint(
                # an outlook recorded after its outcome would be no forecast
                condition=Q(due__gt=models.F("day")),
                name="forecast_outlook_ahead",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.symbol}: {self.outlook} on {self.day:%d %b %Y}"


class ForecastOutcome(LedgerRecord):
    """What a price did after one outlook; `came` is empty if no newer price was known on that day.

    `hit` says whether the outlook was right, null for UNCERTAIN; `usual_hit` whether climatology,
    the most frequent past outcome, was right. Payload: `price`, `price_day` and `move`.
    """

    LEDGER: ClassVar[str] = "forecast_outcomes"
    YEARS: ClassVar[int] = 10

    outlook = models.OneToOneField(
        ForecastOutlook, on_delete=models.PROTECT, related_name="outcome"
    )
    symbol = models.CharField(max_length=10)
    due = models.DateField()
    came = models.CharField(max_length=10, blank=True)
    hit = models.BooleanField(null=True)
    usual_hit = models.BooleanField(null=True)

    class Meta:
        verbose_name = "outlook outcome"
        verbose_name_plural = "outlook outcomes"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["symbol", "due"], name="forecast_outcome_by_day")
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(came="", hit=None, usual_hit=None)
                | (~Q(came="") & Q(usual_hit__isnull=False)),
                name="forecast_outcome_whole",
            )
        ]

    def __str__(self) -> str:
        return f"{self.symbol}: {self.came or 'not known'} on {self.due:%d %b %Y}"
