"""Reads of the SAR log, and the permission to see it."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models

from apps.backoffice.sar.models.filings import KEPT
from apps.platform.ledger.records import LedgerRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class SarRead(LedgerRecord):
    """A user opened the SAR log: kept apart from other reads, because it discloses the log."""

    LEDGER: ClassVar[str] = "sar_reads"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=60)
    ref = models.CharField(max_length=100, blank=True)

    class Meta:
        verbose_name = "SAR log read"
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["by", "-recorded_at"], name="sarread_by_reader")
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.ref}"


def can_see_log(user: "User") -> bool:
    """Tell whether a user may know that the log exists."""
    return bool(user.is_active and user.has_perm("sar.view_sarentry"))
