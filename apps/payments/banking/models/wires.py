"""International wires: proposed by one officer and approved by another, then sent once."""

from typing import Any, ClassVar

from django.db import models

from apps.payments.banking.models.recipients import Recipient
from apps.payments.banking.rules.send_fields import CATEGORIES
from apps.platform.common.money import MoneyField
from apps.platform.desk.models import Proposal, ProposalEvent, four_eyes_constraints

# followed by its number: the key of the wire's payment, so that one wire is sent once
WIRE_KEY_PREFIX = "wire:"
PROPOSED_FIELDS = ("recipient_id", "account_id", "amount", "category", "additional_info", "memo")


class Wire(Proposal):
    """A proposed wire; once approved, the payment whose key names it."""

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
        constraints: ClassVar[list[Any]] = [*four_eyes_constraints("bank_wire")]

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
