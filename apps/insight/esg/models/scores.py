"""The ledger of ESG scores that were served."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.insight.esg.models.evidence import COVERAGES
from apps.insight.stability.fees.rules.esg_fee_tiers import TIERS
from apps.platform.ledger.records import LedgerRecord


class EsgScore(LedgerRecord):
    """One computed score: the envelope has the result, the payload the inputs.

    Payload: `inputs` (every figure that counted, the country, the LEI's status), `result` (as it
    returned), `versions` (reference), `known` (number of stored figures about the entity).
    """

    LEDGER: ClassVar[str] = "esg_scores"

    lei = models.CharField(max_length=20)
    lei_status = models.CharField(max_length=30)
    composite = models.PositiveSmallIntegerField()
    fee_tier = models.CharField(max_length=14)
    coverage = models.CharField(max_length=7)
    sample = models.BooleanField()
    reference = models.CharField(max_length=20)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = "ESG score"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        # the newest score of an entity is read on each request for it
        indexes: ClassVar[list[Any]] = [models.Index(fields=["lei", "-id"], name="esgscore_lei")]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(composite__gte=0, composite__lte=100), name="esgscore_percent"
            ),
            models.CheckConstraint(
                condition=Q(fee_tier__in=[tier.tier for tier in TIERS]), name="esgscore_tier_known"
            ),
            models.CheckConstraint(
                condition=Q(coverage__in=COVERAGES), name="esgscore_coverage_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lei}: {self.composite}"
