"""Transactions that the bank reported."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.rules.routes import ROUTED_STATES, RoutedTerms
from apps.payments.banking.rules.transitions import states_of
from apps.platform.common.money import MoneyField

MAX_ID_LENGTH = 100


class BankTransaction(Kept):
    """One transaction at the bank, as far as reported; its details are in its deliveries.

    `order_id` is that of its settlement, the same for every attempt. `owner` is the institution
    that sent it through us, else the operator. `routed` is what the bank reported when it was
    routed, `amount` the amount that is settled.
    """

    THING: ClassVar[str] = "transaction"
    LOOSE: ClassVar[frozenset[str]] = frozenset({"tries", "trouble", "due_at"})

    resource_id = models.CharField("transaction", max_length=MAX_ID_LENGTH, unique=True)
    order_id = models.UUIDField("order", unique=True)
    owner = models.CharField(max_length=80)
    rule = models.CharField(max_length=8, blank=True)
    wallet = models.CharField(max_length=64, blank=True)
    destination = models.CharField(max_length=3, blank=True)
    amount = MoneyField(null=True)
    # kept after the settlement was cancelled: cases and events refer to it
    quote_id = models.CharField(max_length=36, blank=True)
    routed = models.JSONField(default=dict)
    tx_hash = models.CharField("transaction of the chain", max_length=80, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    due_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = "bank transaction"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(state__in=states_of("transaction")), name="bank_transaction_state"
            ),
            models.UniqueConstraint(
                # a quote settles one payment, whatever two workers do at once
                fields=["quote_id"],
                condition=~Q(quote_id=""),
                name="bank_quote_once",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["state", "-id"], name="bank_transaction_listed"),
            models.Index(fields=["wallet"], condition=~Q(wallet=""), name="bank_wallet"),
            models.Index(fields=["due_at"], condition=Q(state="WAITING"), name="bank_waits"),
        ]

    def __str__(self) -> str:
        return f"{self.resource_id} {self.state}"

    @property
    def once(self) -> list[str]:
        """A value that no other transaction ever has."""
        return [self.resource_id]

    @property
    def went(self) -> RoutedTerms | None:
        """The routed terms, if it was routed."""
        routed = self.state in ROUTED_STATES
        return RoutedTerms(self.amount, self.wallet, self.destination) if routed else None

    @classmethod
    def rows_in_use(cls, *, before: datetime) -> "models.QuerySet[Any]":
        """Return the transactions whose settlement has not ended."""
        return cls._default_manager.filter(state__in=("WAITING", "HELD", "HALTED", "ROUTED"))

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the recipient."""
        cls.objects.filter(pk=number).update(wallet="", routed={})
