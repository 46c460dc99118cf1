"""The current state of a settlement."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.payees.wallets import LONGEST_WALLET
from apps.payments.payments.instructions import LONGEST_REFERENCE
from apps.payments.settlement.rules.transitions import STATES
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_digest

LONGEST_REASONING = 1000


def reference_key(owner: str, reference: str) -> str:
    """Return the key of an owner's reference in the ledger of settlements."""
    return canonical_digest(["settlement", owner, reference])


class Settlement(models.Model):
    """One settlement. Only `record_transition` changes its state, and writes an event
    of each step.

    `steps` counts its events and is compared by every transition, so one of two concurrent ones
    wins. `order_id` identifies it on the chain. `found` holds the results of the checks, `price`
    the quote and the amount paid, `held_for` the checks that hold it, `seen` those that an officer
    released. A rehearsal (`sandbox`) transfers nothing and has no events: it is deleted after some
    days.
    """

    settlement_id = models.CharField("settlementId", max_length=80, unique=True)
    order_id = models.UUIDField(unique=True, editable=False)
    owner = models.CharField(max_length=80, help_text="The institution, as `account:7`")
    reference = models.CharField("referenceId", max_length=LONGEST_REFERENCE, null=True)
    fingerprint = models.CharField(max_length=64)
    sandbox = models.BooleanField()
    state = models.CharField(max_length=20)
    steps = models.PositiveSmallIntegerField(default=1)
    amount = MoneyField()
    source = models.CharField(max_length=3)
    destination = models.CharField(max_length=3)
    asset = models.CharField(max_length=8)
    recipient = models.CharField(max_length=LONGEST_WALLET)
    sender = models.CharField(max_length=LONGEST_WALLET, blank=True)
    amount_usd = MoneyField(null=True)
    agent_id = models.CharField(max_length=64, blank=True)
    found = models.JSONField(default=dict, blank=True)
    price = models.JSONField(default=dict, blank=True)
    held_for = models.JSONField(default=list, blank=True)
    seen = models.JSONField(default=list, blank=True)
    reasoning = models.CharField(max_length=LONGEST_REASONING, blank=True)
    tx_hash = models.CharField(max_length=80, blank=True)
    tx_place = models.PositiveIntegerField(default=0, help_text="Of the transfer, among its logs")
    asked_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "settlement"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            # null references do not collide
            models.UniqueConstraint(fields=["owner", "reference"], name="set_reference_once"),
            models.CheckConstraint(condition=Q(state__in=STATES), name="set_state_known"),
            models.CheckConstraint(
                condition=Q(state="SETTLED", settled_at__isnull=False)
                | (~Q(state="SETTLED") & Q(settled_at=None)),
                name="set_settled_when",
            ),
            # one transfer settles one settlement; a transaction may have several transfers
            models.UniqueConstraint(
                fields=["tx_hash", "tx_place"],
                condition=~Q(tx_hash=""),
                name="set_transfer_once",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="set_owner"),
            models.Index(fields=["state", "-id"], name="set_state"),
            models.Index(fields=["recipient"], name="set_recipient"),
            # for the removal of old rehearsals (retention.py)
            models.Index(fields=["asked_at"], condition=Q(sandbox=True), name="set_rehearsal"),
        ]

    def __str__(self) -> str:
        return f"{self.settlement_id} {self.state}"

    @property
    def subject(self) -> str:
        """The name of the settlement in feeds and cases."""
        return self.settlement_id

    @property
    def stands(self) -> str:
        """A digest of its state, as its last event has it."""
        # every column but the key: an altered one no longer matches the last event
        return canonical_digest(
            {
                "settlementId": self.settlement_id,
                "orderId": self.order_id,
                "owner": self.owner,
                "reference": self.reference,
                "fingerprint": self.fingerprint,
                "sandbox": self.sandbox,
                "state": self.state,
                "steps": self.steps,
                "amount": self.amount,
                "from": self.source,
                "to": self.destination,
                "asset": self.asset,
                "recipient": self.recipient,
                "sender": self.sender,
                "amountUsd": self.amount_usd,
                "agent": self.agent_id,
                "found": self.found,
                "price": self.price,
                "heldFor": self.held_for,
                "seen": self.seen,
                "reasoning": self.reasoning,
                "txHash": self.tx_hash,
                "txPlace": self.tx_place,
                "askedAt": self.asked_at,
                "settledAt": self.settled_at,
                "endedAt": self.ended_at,
            }
        )
