"""The travel-rule ledger: each step of each record, sealed."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models

from apps.payments.travelrule.models.parties import Party
from apps.payments.travelrule.models.records import RecordKey, TravelRecord
from apps.payments.travelrule.rules import us_threshold
from apps.platform.ledger.records import LedgerRecord


class TravelEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and its evidence.

    The first has `message` and `raw`, encrypted under the record's key, with their digests.
    """

    LEDGER: ClassVar[str] = "travel_rule"
    STEPS_OF: ClassVar[str] = "record_id"
    KEPT: ClassVar[timedelta | None] = us_threshold.RETENTION_PERIOD

    # no constraint: an event outlives a row that somebody deleted, and so reports it
    record = models.ForeignKey(
        TravelRecord, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    number = models.PositiveSmallIntegerField()
    event = models.CharField(max_length=12)
    status = models.CharField(max_length=8)
    turn = models.CharField(max_length=8)

    class Meta:
        verbose_name = "travel-rule event"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["record", "number"], name="tr_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.record_id}.{self.number} {self.event}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep the events of a record whose message has yet to be sent, however old it is."""
        return models.Q(record__status="PENDING")

    def forget(self, *, now: datetime) -> None:
        """Destroy the record's key, and its parties in the index if no other record has them."""
        # only the first event has the message; later ones say nothing about anybody
        if self.number != 1:
            return
        # without the key nobody can read the message, in backups of the events as well
        RecordKey.objects.filter(record=self.record_id).delete()
        # somebody removed the row, and with it the only reference to its parties: an order to erase
        # must be carried out all the same
        record = TravelRecord.objects.filter(pk=self.record_id).first()
        if record is None:
            return
        parties = [
            party_id for party_id in (record.originator_id, record.beneficiary_id) if party_id
        ]
        TravelRecord.objects.filter(pk=record.pk).update(originator=None, beneficiary=None)
        for party in parties:
            sides = models.Q(originator=party) | models.Q(beneficiary=party)
            if not TravelRecord.objects.filter(sides).exists():
                Party.objects.filter(pk=party).delete()
