"""Mandates: what an owner lets an agent spend, version by version."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.agents.models.agents import Agent
from apps.platform.common.money import MoneyField


class Mandate(models.Model):
    """One version of an agent's mandate; the last one holds, and none ever changes.

    Limits are as they were given, clamped to the level of that moment; an empty limit is none.
    """

    APPEND_ONLY: ClassVar[bool] = True

    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="mandates")
    mandate_id = models.CharField("mandate", max_length=32, db_index=True)
    version = models.PositiveIntegerField()
    max_notional = MoneyField("one payment (USD)", null=True)
    daily_cap = MoneyField("a day (USD)", null=True)
    currency_pairs = models.JSONField(default=list)
    whitelist = models.JSONField("counterparties", default=list)
    esg_floor = models.PositiveSmallIntegerField("ESG floor", null=True)
    ap2_compatible = models.BooleanField("AP2 document", default=False)
    level = models.CharField(max_length=10)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["agent", "version"], name="mandate_version_once"),
            models.CheckConstraint(
                condition=Q(esg_floor=None) | Q(esg_floor__lte=100), name="mandate_floor_in_range"
            ),
            models.CheckConstraint(
                condition=(Q(max_notional=None) | Q(max_notional__gt=0))
                & (Q(daily_cap=None) | Q(daily_cap__gt=0)),
                name="mandate_limits_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mandate_id}, version {self.version}"
