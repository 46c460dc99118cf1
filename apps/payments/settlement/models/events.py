"""The ledger of settlements: each step of each, with how it stood after it."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.payments.settlement.models.settlements import FORGOTTEN, Settlement
from apps.platform.ledger.records import LedgerRecord


class SettlementEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and what it rests on.

    The first has what was asked; each that was checked what the checks came to. By
    `reference_key`, which the first alone has, a reference settles once, whatever became of rows.
    """

    LEDGER: ClassVar[str] = "settlement_events"
    STEPS_OF: ClassVar[str] = "settlement_id"

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
        """Keep what a settlement that has not ended rests on, however old it is."""
        return models.Q(settlement__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Let go of the recipient, which the settlement's row repeats."""
        Settlement.objects.filter(pk=self.settlement_id).update(
            recipient=FORGOTTEN, found={}, reasoning=""
        )
