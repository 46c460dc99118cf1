"""Ownership and PEP reports as they were answered, cached for a limited time."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.platform.crypto import macs

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A cached report that is still current, as returned."""

    body: dict[str, Any]


class CachedReport(models.Model):
    """An answered report; `key` is a digest over the question and the versions of the lists.

    The cache is shared by all clients: a report holds nothing of who asked for it.
    """

    key = models.CharField(max_length=64, primary_key=True)
    body = models.JSONField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    mac_key = models.CharField(max_length=20, blank=True)
    mac = models.CharField(max_length=64, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def kept(cls, *, key: str, now: datetime) -> dict[str, Any] | None:
        """Return the current cached report of a request as it was answered, or None."""
        cached_report = cls._default_manager.filter(key=key, expires_at__gt=now).first()
        if cached_report is None:
            return None
        # a row that this platform did not write could clear a listed owner: it is computed again
        if why := macs.find_mac_fault(
            key_id=cached_report.mac_key, mac=cached_report.mac, said=cached_report._said()
        ):
            logger.error("the cached report %s is computed again: %s", cached_report, why)
            return None
        return dict(cached_report.body)

    @classmethod
    def keep(
        cls, *, key: str, body: dict[str, Any], now: datetime, until: datetime, **columns: str
    ) -> None:
        """Keep a report until a moment, in place of an older one of the same question."""
        report = cls(key=key, body=dict(body), made_at=now, expires_at=until, **columns)
        report.mac_key, report.mac = macs.make_mac(report._said())
        # two calls may make the same report at once: the later one replaces the other's
        cls._default_manager.bulk_create(
            [report],
            update_conflicts=True,
            update_fields=["body", "made_at", "expires_at", "mac_key", "mac"],
            unique_fields=["key"],
        )

    def _said(self) -> dict[str, Any]:
        """Return what the MAC covers."""
        # the table's name is part of it: a row copied to the other table must not verify
        return {
            "report": self._meta.label_lower,
            "key": self.key,
            # as text: scores are floats, which have no canonical form
            "body": json.dumps(self.body, sort_keys=True),
            "until": int(self.expires_at.timestamp()),
        }

    def __str__(self) -> str:
        return f"{self.key[:12]} of {self.made_at:%F %R}"


class UboReport(CachedReport):
    """An ownership chain with its screens, kept 24 hours (document 1 section 8)."""

    lei = models.CharField(max_length=20, db_index=True)

    class Meta(CachedReport.Meta):
        abstract = False
        verbose_name = "ownership report"
        ordering: ClassVar = ["-made_at"]


class PepReport(CachedReport):
    """A PEP screen, kept 6 hours (document 1 section 8)."""

    class Meta(CachedReport.Meta):
        abstract = False
        verbose_name = "PEP report"
        ordering: ClassVar = ["-made_at"]


def delete_expired_reports(key: str, now: datetime) -> None:
    """Remove reports whose time has passed; the job `screening.tidy`."""
    for model in (UboReport, PepReport):
        model.objects.filter(expires_at__lte=now).delete()
