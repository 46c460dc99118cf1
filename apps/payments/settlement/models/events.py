"""The ledger of settlements: each step of each, with its state afterwards."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.payments.settlement.models.settlements import Settlement
from apps.platform.ledger.records import FORGOTTEN, LedgerRecord


class SettlementEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and its evidence.

    Each with checks has their results. Only the first has a `reference_key`.
    """

    LEDGER: ClassVar[str] = "settlement_events"
    STEPS_OF: ClassVar[str] = "settlement_id"

    # no constraint: an event outlives a row that somebody deleted, and so reports it
    settlement = models.ForeignKey(
        Settlement, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    number = models.PositiveSmallIntegerField()
    event = models.CharField(max_length=16)
    state = models.CharField(max_length=20)
    turn = models.CharField(max_length=8)
    reference_key = models.CharField(max_length=64, null=True)

    class Meta:
        verbose_name = "step of a settlement"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["settlement", "number"], name="set_event_once"),
            # a reference settles once, even if the settlement's row is deleted
            models.UniqueConstraint(
                fields=["reference_key"],
                condition=models.Q(reference_key__isnull=False),
                name="set_reference_recorded_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.settlement_id}.{self.number} {self.event}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep the events of a settlement that has not ended, however old it is."""
        return models.Q(settlement__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Clear the recipient, which the settlement's row repeats."""
        # only with the last step: until then the row is compared with that event
        last = Settlement.objects.filter(pk=self.settlement_id, steps=self.number)
        last.update(recipient=FORGOTTEN, found={}, reasoning="")
