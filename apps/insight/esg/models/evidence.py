"""Evidence about entities and countries, scores as they were given, and lookups of entities."""

from datetime import UTC
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.insight.stability.rules.esg_fee_tiers import TIERS
from apps.platform.crypto import macs
from apps.platform.ledger.records import LedgerRecord

COVERAGES = ("FULL", "PARTIAL", "COUNTRY")


class Evidence(models.Model):
    """One figure about an entity (LEI) or a country (ISO 3166-1), as its source published it.

    Nothing is changed: a corrected figure is a further row, and the last of a source and period
    counts. `key` is one of rules/measures.py, `as_of` the day of the publication. Each carries a
    MAC over what it says: an attacker who can write the database cannot make a figure.
    """

    APPEND_ONLY: ClassVar[bool] = True

    subject = models.CharField(max_length=20, help_text="An LEI, or a two-letter country code")
    key = models.CharField("measure", max_length=40)
    value = models.DecimalField(max_digits=24, decimal_places=6)
    period = models.CharField(max_length=20, help_text="Such as 2024 or FY2024")
    period_end = models.DateField()
    source = models.CharField(max_length=20, help_text="Such as SEC, or SAMPLE")
    url = models.CharField(max_length=400, blank=True)
    as_of = models.DateField()
    estimated = models.BooleanField(default=False)
    recorded_at = models.DateTimeField()
    mac_key = models.CharField(max_length=macs.LONGEST_ID, editable=False)
    mac = models.CharField(max_length=64, editable=False)

    class Meta:
        verbose_name = "figure"
        verbose_name_plural = "ESG evidence"
        ordering: ClassVar[list[str]] = ["subject", "key", "-period_end", "-recorded_at"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["subject", "key", "period_end", "source", "recorded_at"],
                name="evidence_once",
            ),
            models.CheckConstraint(
                condition=~Q(source="") & ~Q(subject="") & ~Q(key=""), name="evidence_sourced"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.key} {self.period}"

    def stamp(self) -> None:
        """Give it its MAC."""
        self.mac_key, self.mac = macs.make_mac(self._stated())

    def fault(self) -> str:
        """Return what is wrong with its MAC, or an empty text."""
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._stated())

    def _stated(self) -> dict[str, Any]:
        """Return what the MAC is made over."""
        texts = [self.subject, self.key, f"{self.value:.6f}", self.period, self.source, self.url]
        return {
            "evidence": texts,
            "days": [self.period_end.isoformat(), self.as_of.isoformat()],
            "estimated": self.estimated,
            "recorded": self.recorded_at.astimezone(UTC).isoformat(),
        }


class EsgScore(LedgerRecord):
    """One computed score: the envelope says what came out, the payload of what.

    Payload: `inputs` (every figure that counted, the country, the LEI's status), `result` (as it
    was given), `versions` (reference), `known` (how many figures were held about it).
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


class EsgLookup(models.Model):
    """When the sources were last asked about an entity, and what came of it.

    `name` (empty where nobody vouches for one) and `country` are what they are asked by; `faults`
    has a sentence for each source that gave no answer.
    """

    lei = models.CharField(max_length=20, primary_key=True)
    name = models.CharField(max_length=300, blank=True)
    country = models.CharField(max_length=2, blank=True)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    found = models.PositiveIntegerField(default=0, help_text="New figures")
    faults = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = "lookup"
        verbose_name_plural = "ESG lookups"
        ordering: ClassVar[list[str]] = ["-asked_at"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.lei
