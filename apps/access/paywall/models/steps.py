"""The steps of payments and sessions after the money came; a ledger."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.common.money import MoneyField
from apps.platform.ledger.records import LedgerRecord


class PaymentStep(LedgerRecord):
    """One step after a payment settled: an answer, or the opening, a use or the end of a session.

    `amount` is what the step moved: the price of an answer, the credit of a session, what was taken
    from it, the rest at its end. `stands` in the payload is the session's state after the step.
    """

    LEDGER: ClassVar[str] = "payments"
    STEPS_OF: ClassVar[str] = "claim_id"
    # as long as the receipts that they explain
    YEARS: ClassVar[int] = 10

    class Step(models.TextChoices):
        ANSWERED = "ANSWERED", "Answered"
        OPENED = "OPENED", "Session opened"
        USED = "USED", "Taken from a session"
        ENDED = "ENDED", "Session ended"

    OF_SESSIONS: ClassVar[tuple[str, ...]] = ("OPENED", "USED", "ENDED")

    claim_id = models.BigIntegerField("payment")
    session = models.BigIntegerField(null=True)
    step = models.CharField(max_length=8, choices=Step.choices)
    amount = MoneyField("amount (USDC)")

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["claim_id", "step"], condition=~models.Q(step="USED"), name="step_once"
            ),
            models.CheckConstraint(
                condition=models.Q(step="ANSWERED") | models.Q(session__isnull=False),
                name="step_of_a_session",
            ),
            # a copy of an earlier step would confirm an old state of the session
            models.UniqueConstraint(
                fields=["session", "salt"],
                condition=~models.Q(salt=""),
                name="step_of_session_no_copy",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["session", "id"], name="step_of_session"),
        ]

    def __str__(self) -> str:
        return f"{self.get_step_display()}: {self.amount} USDC"
