"""International wires: proposed by one officer and approved by another, then sent once."""

from typing import Any, ClassVar

from django.db import models

from apps.banking.models.recipients import Recipient
from apps.banking.rules.numbers import CATEGORIES
from apps.core.money import MoneyField
from apps.desk.models import Proposal, ProposalEvent, two_people

WIRE_KEY = "wire:"  # and its number: the key of the payment that it is
STATED = ("recipient_id", "account_id", "amount", "category", "additional_info", "memo")


class Wire(Proposal):
    """A wire as it is to be sent; it is the payment whose key names it once it is approved."""

    DECIDER: ClassVar[str] = "senior officer"

    recipient = models.ForeignKey(Recipient, on_delete=models.PROTECT, related_name="wires")
    account_id = models.UUIDField("account at the bank")
    amount = MoneyField("amount in USD")
    category = models.CharField("purpose", max_length=40, choices=[(c, c) for c in CATEGORIES])
    additional_info = models.CharField("explanation", max_length=300, blank=True)
    memo = models.CharField("note on the payment", max_length=200, blank=True)

    class Meta:
        verbose_name = "international wire"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_wire", "Can propose an international wire"),
            ("decide_wire", "Can approve or reject another's international wire"),
        ]
        constraints: ClassVar[list[Any]] = [*two_people("bank_wire")]

    def __str__(self) -> str:
        return f"{self.amount:,.2f} USD to {self.recipient}"

    def event_columns(self) -> dict[str, Any]:
        return {"amount": self.amount}


class WireEvent(ProposalEvent):
    """A step of a wire."""

    change = models.ForeignKey(Wire, on_delete=models.PROTECT, related_name="events")
    amount = MoneyField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.amount}: {self.state} by {self.by}"
