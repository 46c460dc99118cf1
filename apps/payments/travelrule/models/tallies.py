"""Counts of records, computed from the ledger up to one of its seals; they can be rebuilt."""

from typing import Any, ClassVar

from django.db import models

from apps.payments.travelrule.models.parties import Party
from apps.platform.common.money import MoneyField


class Tally(models.Model):
    """How many records of a month an institution has of a direction, in a status."""

    month = models.DateField(help_text="Its first day, in UTC")
    owner = models.CharField(max_length=80, blank=True)
    direction = models.CharField(max_length=8)
    status = models.CharField(max_length=8)
    count = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "tallies"
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["month", "owner", "direction", "status"], name="tr_tally_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.month:%b %Y} {self.owner} {self.status}: {self.count}"


class TallyHead(models.Model):
    """The last seal of the ledger that the tallies count; one row."""

    position = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"counted up to {self.position}"


class SameDay(models.Model):
    """A UTC day on which one originator's payments below the threshold reach it together.

    They are payments of one institution; `total_usd` is their sum.
    """

    day = models.DateField()
    owner = models.CharField(max_length=80)
    originator = models.ForeignKey(Party, on_delete=models.CASCADE, related_name="+")
    count = models.PositiveIntegerField()
    total_usd = MoneyField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["day", "owner", "originator"], name="tr_same_day_once")
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.count} payments, {self.total_usd} USD"
