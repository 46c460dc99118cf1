"""Evidence about entities and countries."""

from datetime import UTC
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.crypto import macs

COVERAGES = ("FULL", "PARTIAL", "COUNTRY")


class Evidence(models.Model):
    """One figure about an entity (LEI) or a country (ISO 3166-1), as its source published it.

    Nothing is changed: a corrected figure is a further row, and the last of a source and period
    counts. `key` is one of rules/measures.py, `as_of` the day of the publication.
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
    # under a key outside the database, so that write access to it does not suffice to make a figure
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
        """Set the MAC of the row."""
        self.mac_key, self.mac = macs.make_mac(self._stated())

    def fault(self) -> str:
        """Return what is wrong with its MAC, or an empty text."""
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._stated())

    def _stated(self) -> dict[str, Any]:
        """Return what the MAC is made over."""
        # a fixed number of decimals: databases differ in the trailing zeros they return
        texts = [self.subject, self.key, f"{self.value:.6f}", self.period, self.source, self.url]
        return {
            "evidence": texts,
            "days": [self.period_end.isoformat(), self.as_of.isoformat()],
            "estimated": self.estimated,
            # one time zone, since the same moment has many spellings
            "recorded": self.recorded_at.astimezone(UTC).isoformat(),
        }
