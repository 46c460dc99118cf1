"""Weights in force, version by version, and the two-person way in which they change."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.desk.learnt_weights import WeightsProposal, WeightsRecord
from apps.platform.desk.models import ProposalEvent, four_eyes_constraints


class WeightChange(WeightsProposal):
    """Another set of weights, proposed by one senior officer and decided by another.

    `weights` by cohort and signal in thousandths of points; `measured` is how the labelled screens
    rank before and after.
    """

    DECIDER: ClassVar[str] = "senior officer"

    class Meta:
        verbose_name = "change of weights"
        verbose_name_plural = "changes of weights"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_weightchange", "Can propose other weights of AML signals"),
            ("decide_weightchange", "Can approve or reject another's proposal of weights"),
        ]
        constraints: ClassVar[list[Any]] = four_eyes_constraints("weight_change")

    def __str__(self) -> str:
        if self.returns_to is not None:
            return f"Return to weights {self.returns_to}"
        return f"Weights learnt since version {self.based_on}"


class WeightChangeEvent(ProposalEvent):
    """A step of a change of weights."""

    change = models.ForeignKey(WeightChange, on_delete=models.PROTECT, related_name="events")

    class Meta:
        default_permissions = ()


class WeightRecord(WeightsRecord):
    """One version of the weights."""

    LEDGER: ClassVar[str] = "aml_weights"

    change = models.ForeignKey(WeightChange, on_delete=models.PROTECT, related_name="+")
    rules_version = models.CharField(max_length=20)

    class Meta:
        verbose_name = "weights of AML signals"
        verbose_name_plural = "weights of AML signals"
        ordering: ClassVar[list[str]] = ["-version"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"Weights {self.version}"
