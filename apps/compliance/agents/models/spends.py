"""What agents spent: the sum of a day is the sum of its rows, and of nothing else."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.agents.models.agents import Agent
from apps.compliance.agents.models.mandates import Mandate
from apps.platform.common.money import MoneyField


class Spend(models.Model):
    """One payment that was allowed; a released one counts for nothing."""

    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="spends")
    reference = models.CharField(max_length=100)
    amount = MoneyField("amount (USD)")
    pair = models.CharField(max_length=11, blank=True)
    counterparty_lei = models.CharField("counterparty", max_length=20, blank=True)
    esg_score = models.PositiveSmallIntegerField("ESG score", null=True, blank=True)
    mandate = models.ForeignKey(Mandate, null=True, on_delete=models.PROTECT, related_name="+")
    day = models.DateField("UTC day")
    spent_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            # a payment that is sent twice counts once, even at the same moment
            models.UniqueConstraint(fields=["agent", "reference"], name="spend_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="spend_positive"),
        ]
        indexes: ClassVar[list[Any]] = [models.Index(fields=["agent", "day"], name="spend_of_day")]

    def __str__(self) -> str:
        return f"{self.amount} USD: {self.reference}"
