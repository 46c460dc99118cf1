"""The ledger of the banking connector: each step of each delivery, transaction and send."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.apps import apps
from django.db import models
from django.db.models import Value
from django.db.models.functions import Cast, Concat

from apps.payments.banking.models.recorded_row import Kept
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
    # unique, and null after the first step: nulls do not collide in either database
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

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep the events of rows that have not ended or are still in use, however old."""
        spared = models.Q(pk__in=[])
        for model in _recorded_models():
            subject = Concat(
                Value(f"{model.THING}:"), Cast("pk", models.CharField()),
                output_field=models.CharField(),
            )  # fmt: skip
            rows = model.rows_in_use(before=before).annotate(of_events=subject)
            spared |= models.Q(subject__in=rows.values("of_events"))
        return spared

    def forget(self, *, now: datetime) -> None:
        """Clear personal data that the row repeats: the bank's messages, and the names."""
        # an event names its row by kind and number: its tables share no foreign key
        thing, _, number = self.subject.partition(":")
        for model in _recorded_models():
            rows = model._default_manager.filter(pk=int(number), steps=self.number)
            # only with the last step: until then the row is compared with that event
            if thing == model.THING and rows.exists():
                model.forget_row(int(number))


def _recorded_models() -> Iterator[type[Kept]]:
    for model in apps.get_app_config("banking").get_models():
        if issubclass(model, Kept):
            yield model
