"""Weights of the tiers: outcomes they are learnt from, versions, and how two people change them."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.desk.learnt_weights import WeightsProposal, WeightsRecord
from apps.platform.desk.models import ProposalEvent, four_eyes_constraints
from apps.platform.ledger.records import LedgerRecord


class TierOutcome(LedgerRecord):
    """How the week after a run turned out: one for each day.

    Payload: `runId`, `values` of its layers in ten-thousandths of a point, the largest `deviation`
    of that week in basis points and the move of EUR/USD in per cent (`moved`).
    """

    LEDGER: ClassVar[str] = "stability_outcomes"
    YEARS: ClassVar[int] = 10

    # unique: resolving a day twice must not count its outcome twice
    day = models.DateField(unique=True)
    bad = models.BooleanField()

    class Meta:
        verbose_name = "resolved outcome"
        ordering: ClassVar[list[str]] = ["-day"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"Week from {self.day:%d %b %Y}: {'bad' if self.bad else 'good'}"


class TierChange(WeightsProposal):
    """Other weights of the tiers, proposed by one operator and decided by another.

    `weights` of all layers in thousandths; `measured` is how well bad and good weeks are separated
    before and after.
    """

    DECIDER: ClassVar[str] = "operator"

    class Meta:
        verbose_name = "tier weight change"
        verbose_name_plural = "tier weight changes"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_tierchange", "Can propose changes of the oracle's tier weights"),
            ("decide_tierchange", "Can approve or reject another operator's tier weight proposal"),
        ]
        constraints: ClassVar[list[Any]] = four_eyes_constraints("tier_change")

    def __str__(self) -> str:
        if self.returns_to is not None:
            return f"Return to tier weights {self.returns_to}"
        return f"Tier weights learnt since version {self.based_on}"


class TierChangeEvent(ProposalEvent):
    """A step of a change of tier weights."""

    change = models.ForeignKey(TierChange, on_delete=models.PROTECT, related_name="events")

    class Meta:
        default_permissions = ()


class TierRecord(WeightsRecord):
    """One version of the weights."""

    LEDGER: ClassVar[str] = "stability_weights"

    change = models.ForeignKey(TierChange, on_delete=models.PROTECT, related_name="+")
    method = models.CharField(max_length=20)

    class Meta:
        verbose_name = "weights of the oracle's tiers"
        verbose_name_plural = "weights of the oracle's tiers"
        ordering: ClassVar[list[str]] = ["-version"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"Tier weights {self.version}"
