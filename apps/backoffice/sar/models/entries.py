"""What was blocked: an entry for each outcome, who and why in its payload."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.models.filings import KEPT, list_blocked_entries
from apps.backoffice.sar.models.matters import SarMatter
from apps.platform.crypto import macs
from apps.platform.ledger.records import LedgerRecord


class SarEntry(LedgerRecord):
    """One blocked outcome: where it came from, and in the payload who and why."""

    LEDGER: ClassVar[str] = "sar"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    kind = models.CharField(max_length=20)
    ref = models.CharField(max_length=64)

    class Meta:
        verbose_name = "SAR log entry"
        verbose_name_plural = "SAR log"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("file_sarentry", "Can record filing decisions")]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["kind", "ref"], name="sar_once_per_outcome")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"

    @classmethod
    def write(cls, *, payload: dict[str, Any], now: datetime, **columns: Any) -> Any:
        """Append one entry and start its clocks.

        `payload` says in `sanctions` whether a sanctioned party was matched, and in `zone` where
        the entry's days are counted (by default DESK_TIME_ZONE).
        """
        zone = str(payload.get("zone", settings.DESK_TIME_ZONE))
        with transaction.atomic():
            entry = super().write(payload=payload, now=now, **columns)
            matter = rules.build_new_matter(
                detected=local_date(now, zone=zone), sanctions=bool(payload.get("sanctions", False))
            )
            SarMatter.begin(entry=entry.pk, matter=matter, zone=zone, party_key=entry.party_key())
        return entry

    def party_key(self) -> str:
        """Return the key that entries of one party of one client share: 64 hex characters."""
        # keyed, because names are kept in payloads only; of a purged payload the record alone is
        # left, which makes a party of its own
        data = self.data
        key_fields = {name: str(data.get(name, "")) for name in ("owner", "party", "lei")}
        return macs.keyed_digest(
            what="party of a SAR matter", of=rules.identify_party(**key_fields, record=str(self))
        )

    def forget(self, *, now: datetime) -> None:
        # the key of an entry without a payload: the old one is made of the party's name
        nobody = SarEntry(kind=self.kind, ref=self.ref)
        for matter in SarMatter.objects.filter(pk=self.pk):
            matter.move(nobody.party_key())

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        return Q(pk__in=list_blocked_entries(before=before))
