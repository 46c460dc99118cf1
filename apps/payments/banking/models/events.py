"""The ledger of the banking connector: each step of each delivery, transaction and send."""

from datetime import datetime
from typing import Any, ClassVar

from django.apps import apps
from django.db import models

from apps.platform.ledger.records import LedgerRecord


class BankEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and its evidence.

    `subject` names the row, as `transaction:7`; `once`, in its first step, is a keyed digest of a
    value that no other row has, so that a deleted row is never created again. No account number is
    stored here, nor a name.
    """

    LEDGER: ClassVar[str] = "bank_events"
    STEPS_OF: ClassVar[str] = "subject"

    subject = models.CharField(max_length=40)
    number = models.PositiveSmallIntegerField()
    event = models.CharField(max_length=12)
    state = models.CharField(max_length=12)
    turn = models.CharField(max_length=8)
    once = models.CharField(max_length=64, null=True, editable=False)

    class Meta:
        verbose_name = "step at the bank"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["subject", "number"], name="bank_event_once"),
            models.UniqueConstraint(fields=["once"], name="bank_event_begun_once"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}.{self.number} {self.event}"

    def forget(self, *, now: datetime) -> None:
        """Clear personal data that the row repeats: the bank's messages, and the names."""
        thing, _, number = self.subject.partition(":")
        for model in apps.get_app_config("banking").get_models():
            if getattr(model, "THING", None) == thing:
                model.forget_row(int(number))  # type: ignore[attr-defined]
