"""Confirmations that a transfer needs before it counts, by chain and amount. Pure.

A block of Base depends on its sequencer alone until it is part of a batch on Ethereum (`safe`,
about two minutes), and cannot be taken back once that batch is final (`finalized`, about twenty;
docs.base.org, "Transaction finality"). On Ethereum a block is justified after one epoch (`safe`)
and final after two (ethereum.org, "Proof-of-stake: finality"). The amounts are our judgement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Mark = Literal["", "safe", "finalized"]


@dataclass(frozen=True, slots=True)
class DepthTier:
    """Amounts below `below` (in the asset; None: all others).

    They need `depth` blocks, including that of the transfer, and a block with the chain's mark
    `mark`. `about` is the usual number of blocks until then, as information for callers.
    """

    ref: str
    below: Decimal | None
    depth: int
    mark: Mark
    about: int


# a block each 2 seconds: `safe` after about two minutes, `finalized` after about twenty
_BASE = (
    DepthTier("CHAIN-DEPTH-1", Decimal(1_000), 12, "", 12),
    DepthTier("CHAIN-DEPTH-2", Decimal(100_000), 12, "safe", 60),
    DepthTier("CHAIN-DEPTH-3", None, 12, "finalized", 600),
)
# a block each 12 seconds: `safe` after an epoch of 32 blocks, `finalized` after two
_ETHEREUM = (
    DepthTier("CHAIN-DEPTH-4", Decimal(1_000), 12, "", 12),
    DepthTier("CHAIN-DEPTH-5", Decimal(100_000), 12, "safe", 32),
    DepthTier("CHAIN-DEPTH-6", None, 12, "finalized", 64),
)
TIERS: Mapping[int, tuple[DepthTier, ...]] = {8453: _BASE, 84532: _BASE, 1: _ETHEREUM}


@dataclass(frozen=True, slots=True)
class ChainHeads:
    """Numbers of blocks: the newest, and the newest that the chain calls safe and finalized."""

    latest: int
    safe: int
    finalized: int


def tier_of_amount(*, chain_id: int, amount: Decimal) -> DepthTier:
    """Return the row for an amount; KeyError for a chain without rows."""
    return next(tier for tier in TIERS[chain_id] if tier.below is None or amount < tier.below)


def count_confirmations(*, block: int, heads: ChainHeads) -> int:
    """Count the blocks on top of a block, including itself; 0 for one that is ahead."""
    # the block of the transfer is the first confirmation
    return max(0, heads.latest - block + 1)


def is_deep_enough(*, row: DepthTier, block: int, heads: ChainHeads) -> bool:
    """Tell whether a block is as deep as a row requires."""
    marks = {"": heads.latest, "safe": heads.safe, "finalized": heads.finalized}
    return count_confirmations(block=block, heads=heads) >= row.depth and block <= marks[row.mark]
