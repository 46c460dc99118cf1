"""Ownership and PEP reports as they were answered: an append-only, sealed record of each."""

import json
from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class ReportRecord(LedgerRecord):
    """One report that a caller received, new or cached.

    Payload: `request` as received and `response`, the answer as JSON text: scores of these reports
    are fractions, which have no canonical form. The envelope names no party.
    """

    LEDGER: ClassVar[str] = "reports"
    YEARS: ClassVar[int] = 10  # as screens: 31 CFR 501.601

    kind = models.CharField(max_length=3, choices=[("PEP", "PEP report"), ("UBO", "Ownership")])
    owner = models.CharField(max_length=80)
    result = models.CharField(max_length=20)
    # whether the answer came from the cache of an earlier call with the same question
    kept = models.BooleanField()

    class Meta:
        verbose_name = "report"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="reportrecord_owner")
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["PEP", "UBO"]), name="reportrecord_kind_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.result}"

    @property
    def answer(self) -> dict[str, Any]:
        """The answer as returned; empty if its payload was purged."""
        return json.loads(self.data["response"]) if self.payload else {}
