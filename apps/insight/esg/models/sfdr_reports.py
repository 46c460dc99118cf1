"""SFDR reports and screens as they were given: an append-only, sealed record of each."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord

OVERALL = ("ELEVATED_RISK", "REVIEW", "WITHIN_THRESHOLD")


class PaiReport(LedgerRecord):
    """One report of a portfolio, or one screen of an entity.

    Payload: `request`, `response` (as given), `figures` (every input with source and day),
    `versions`. `payer` is the wallet that paid for a screen, who alone may read it again.
    """

    LEDGER: ClassVar[str] = "sfdr_reports"

    class Kind(models.TextChoices):
        REPORT = "REPORT", "Portfolio report"
        SCREEN = "SCREEN", "Entity screening"

    report_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=6, choices=Kind)
    owner = models.CharField(max_length=80, blank=True, help_text="Empty for callers without a key")
    payer = models.CharField(max_length=64, blank=True)
    period = models.CharField(max_length=20, blank=True)
    holdings = models.PositiveSmallIntegerField()
    overall = models.CharField(max_length=16)
    computed = models.PositiveSmallIntegerField()
    required = models.PositiveSmallIntegerField(help_text="Indicators with missing data")
    sample = models.BooleanField()
    rules_version = models.CharField(max_length=20)

    class Meta:
        db_table = "sfdr_paireport"
        verbose_name = "SFDR report"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(overall__in=OVERALL), name="paireport_overall_known"
            ),
            models.CheckConstraint(
                # only the payer may read a screen again
                condition=~Q(kind="SCREEN") | ~Q(payer=""),
                name="paireport_screen_paid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.report_id}"
