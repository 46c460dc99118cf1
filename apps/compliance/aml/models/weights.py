"""Weights in force, version by version, and the two-person way in which they change."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.desk.models import Proposal, ProposalEvent, four_eyes_constraints
from apps.platform.ledger.records import LedgerRecord


class WeightChange(Proposal):
    """Another set of weights, proposed by one senior officer and decided by another.

    `weights` by cohort and signal in thousandths of points; `grounds` are what moved and why, and
    `measured` how the labelled screens rank before and after. A return to an earlier version names
    it in `returns_to`. `based_on` is the version that it was computed from.
    """

    DECIDER: ClassVar[str] = "senior officer"

    weights = models.JSONField()
    grounds = models.JSONField()
    measured = models.JSONField()
    based_on = models.PositiveIntegerField()
    returns_to = models.PositiveIntegerField(null=True)

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

    def event_columns(self) -> dict[str, Any]:
        return {}


class WeightChangeEvent(ProposalEvent):
    """A step of a change of weights."""

    change = models.ForeignKey(WeightChange, on_delete=models.PROTECT, related_name="events")

    class Meta:
        default_permissions = ()


class WeightRecord(LedgerRecord):
    """One version of the weights, from when it was approved on; the newest is in force.

    Payload: `weights`, `grounds`, `measured`, `proposedBy`, `approvedBy`, `reason`.
    """

    LEDGER: ClassVar[str] = "aml_weights"
    YEARS: ClassVar[int] = 10

    version = models.PositiveIntegerField(unique=True)
    change = models.ForeignKey(WeightChange, on_delete=models.PROTECT, related_name="+")
    rules_version = models.CharField(max_length=20)

    class Meta:
        verbose_name = "weights of AML signals"
        verbose_name_plural = "weights of AML signals"
        ordering: ClassVar[list[str]] = ["-version"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"Weights {self.version}"
