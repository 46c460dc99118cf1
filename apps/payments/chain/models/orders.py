"""Orders that wait for a transfer, and the transfers that were seen."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.chain.rules.lifecycle import STATES
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_digest

LONGEST_WHY = 300
HASH, ADDRESS = 66, 42


class Transfer(models.Model):
    """One Transfer log to a watched recipient, as the chain had it.

    `units` is a text, because a token's numbers have 256 bits. `reference` is the nonce of the
    authorization (EIP-3009) by which it came, if any. `gone` is set once its block is no longer
    part of the chain; if the transaction comes again, block and hash are those of its new block.
    """

    chain_id = models.BigIntegerField()
    tx_hash = models.CharField(max_length=HASH)
    log_index = models.PositiveIntegerField()
    block = models.PositiveBigIntegerField()
    block_hash = models.CharField(max_length=HASH)
    block_time = models.DateTimeField()
    asset_address = models.CharField(max_length=ADDRESS)
    payer = models.CharField(max_length=ADDRESS)
    payee = models.CharField(max_length=ADDRESS)
    units = models.CharField(max_length=78)
    reference = models.CharField(max_length=HASH, blank=True)
    gone = models.BooleanField(default=False)
    why = models.CharField(max_length=LONGEST_WHY, blank=True, help_text="Why it does not settle")
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = "transfer"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["chain_id", "tx_hash", "log_index"], name="chain_log_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["payee", "-id"], name="chain_payee"),
        ]

    def __str__(self) -> str:
        return f"{self.tx_hash}:{self.log_index}"

    @property
    def in_full(self) -> dict[str, str | int]:
        """The chain's data of it, as events keep it."""
        return {
            "chainId": self.chain_id,
            "txHash": self.tx_hash,
            "logIndex": self.log_index,
            "block": self.block,
            "blockHash": self.block_hash,
            "asset": self.asset_address,
            "from": self.payer,
            "to": self.payee,
            "units": self.units,
            "reference": self.reference,
        }

    @property
    def stands(self) -> str:
        """A digest of all data that an order relies on."""
        return canonical_digest(
            [
                self.chain_id, self.tx_hash, self.log_index, self.block, self.block_hash,
                self.block_time, self.asset_address, self.payer, self.payee, self.units,
                self.reference, self.gone, self.why,
            ]
        )  # fmt: skip


class Order(models.Model):
    """One expected transfer.

    Only `transitions.record_transition` moves it, with a sealed event. `transfer` is the one that
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
                condition=~Q(state__in=("CONFIRMING", "FINAL")) | Q(transfer__isnull=False),
                name="chain_settled_by",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
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
                "transfer": self.transfer.stands if self.transfer else "",
                "why": self.why,
                "endedAt": self.ended_at,
            }
        )
