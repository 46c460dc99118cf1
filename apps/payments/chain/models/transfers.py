"""Transfers as they were seen on a chain."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.crypto.canonical import canonical_digest

# characters: 0x with 64 and with 40 hexadecimal digits
HASH, ADDRESS = 66, 42
LONGEST_WHY = 300


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
    # 2^256 has 78 decimal digits
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
