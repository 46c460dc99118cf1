"""The Merkle tree over the ledger: what is stored of it, and its signed roots."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class TreeNode(models.Model):
    """A complete subtree of 256 ** (level / 8) leaves; the leaves are the seals themselves."""

    APPEND_ONLY: ClassVar[bool] = True

    level = models.PositiveSmallIntegerField()
    index = models.BigIntegerField()
    digest = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["level", "index"], name="tr_node_once")
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class TreeRoot(LedgerRecord):
    """The root of the first `size` seals, signed; the payload is the signed statement.

    A ledger of its own: who removes or alters a root breaks its chain.
    """

    LEDGER: ClassVar[str] = "travel_roots"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    size = models.BigIntegerField(unique=True)
    root = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"root of {self.size}"


class TreeStamp(LedgerRecord):
    """The time-stamp of a signed root (RFC 3161), given by an authority at `stamped_at`.

    Payload: `token` (DER in base64), `imprint` (SHA-256 of the root's payload, hexadecimal),
    `policy`, `serial`, `authority`, and in `chain` whether its certificates were verified.
    """

    LEDGER: ClassVar[str] = "travel_stamps"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    size = models.BigIntegerField(unique=True)
    stamped_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"time-stamp of the root of {self.size}"
