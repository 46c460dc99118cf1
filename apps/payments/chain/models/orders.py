"""Orders that wait for a transfer."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.chain.models.transfers import ADDRESS, HASH, LONGEST_WHY, Transfer
from apps.payments.chain.rules.transitions import STATES
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_digest


class Order(models.Model):
    """One expected transfer.

    Only `record_transition` moves it, with a sealed event. `transfer` is the one that
    settles it, and settles no other. `depth` is the last counted value, and not sealed.
    """

    order_id = models.UUIDField(unique=True)
    about = models.CharField(max_length=20)
    owner = models.CharField(max_length=80)
    chain = models.CharField(max_length=24, help_text="CAIP-2")
    chain_id = models.BigIntegerField()
    asset = models.CharField(max_length=8)
    asset_address = models.CharField(max_length=ADDRESS)
    amount = MoneyField()
    recipient = models.CharField(max_length=ADDRESS)
    sender = models.CharField(max_length=ADDRESS, blank=True)
    reference = models.CharField(max_length=HASH, unique=True)
    deadline = models.DateTimeField()
    opened_at = models.DateTimeField()
    state = models.CharField(max_length=12)
    steps = models.PositiveSmallIntegerField(default=1)
    named = models.CharField("reported transaction", max_length=HASH, blank=True)
    transfer = models.OneToOneField(
        Transfer, null=True, on_delete=models.PROTECT, related_name="order"
    )
    why = models.CharField(max_length=LONGEST_WHY, blank=True)
    depth = models.PositiveIntegerField("confirmations", default=0)
    changed_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="When nothing can happen to it any more")

    class Meta:
        verbose_name = "expected transfer"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(state__in=STATES), name="chain_state_known"),
            models.CheckConstraint(
                # the database itself refuses an order that is settled by nothing
                condition=~Q(state__in=("CONFIRMING", "FINAL")) | Q(transfer__isnull=False),
                name="chain_settled_by",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            # partial: a scan reads the orders that may still change, a small part of all
            models.Index(fields=["chain", "id"], condition=Q(ended_at=None), name="chain_watched"),
            models.Index(fields=["state", "-id"], name="chain_state"),
            models.Index(fields=["owner", "-id"], name="chain_owner"),
            models.Index(fields=["recipient", "-id"], name="chain_recipient"),
            models.Index(fields=["named"], condition=~Q(named=""), name="chain_named"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.asset} {self.state}"

    @property
    def stands(self) -> str:
        """A digest of its state, as its last event has it."""
        return canonical_digest(
            {
                "orderId": self.order_id,
                "about": self.about,
                "owner": self.owner,
                "chain": self.chain,
                "assetAddress": self.asset_address,
                "amount": self.amount,
                "recipient": self.recipient,
                "sender": self.sender,
                "reference": self.reference,
                "deadline": self.deadline,
                "openedAt": self.opened_at,
                "state": self.state,
                "steps": self.steps,
                "named": self.named,
                # with the transfer's own digest: swapping what an order refers to shows as well
                "transfer": self.transfer.stands if self.transfer else "",
                "why": self.why,
                "endedAt": self.ended_at,
            }
        )
