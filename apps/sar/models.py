"""The SAR log: what was blocked and must be looked at for a suspicious activity report.

A ledger of its own, seen by its permission alone: that an entry exists is confidential.
"""

from typing import Any, ClassVar

from django.db import models

from apps.core.ledger import LedgerRecord


class SarEntry(LedgerRecord):
    """One blocked outcome: where it came from, and in the payload who and why."""

    LEDGER: ClassVar[str] = "sar"

    kind = models.CharField(max_length=20)
    ref = models.CharField(max_length=64)

    class Meta:
        verbose_name = "SAR log entry"
        verbose_name_plural = "SAR log"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["kind", "ref"], name="sar_once_per_outcome")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"
