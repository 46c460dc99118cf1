"""Tiers of ESG scores, and the ESG fee. Pure.

Document 1 section 2.5; the fee is document 3 section 2.1.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

FeeTier = Literal["EXCELLENT", "GOOD", "AVERAGE", "BELOW_AVERAGE", "POOR"]
# percent, document 3 section 2.1
FORMULA = "(100 - esgScore) / 200"
PER_CENT = Decimal(100)


@dataclass(frozen=True, slots=True)
class Tier:
    """One tier: the first whose `least` the composite reaches decides. `code` never changes."""

    code: str
    ref: str
    tier: FeeTier
    least: int
    fee: str


TIERS: tuple[Tier, ...] = (
    Tier("ESG-1", "1 §2.5", "EXCELLENT", 85, "lowest"),
    Tier("ESG-2", "1 §2.5", "GOOD", 70, "low"),
    Tier("ESG-3", "1 §2.5", "AVERAGE", 50, "moderate"),
    Tier("ESG-4", "1 §2.5", "BELOW_AVERAGE", 30, "elevated"),
    Tier("ESG-5", "1 §2.5", "POOR", 0, "maximum"),
)


def tier_of_score(composite: int | Decimal) -> Tier:
    """Return the tier of a composite from 0 to 100."""
    return next(tier for tier in TIERS if composite >= tier.least)


def format_tier(tier: Tier) -> str:
    """Return a tier as people read it: `Below average` (document 3 section 2.4)."""
    return tier.tier.replace("_", " ").capitalize()


def esg_fee_bps(score: int | Decimal) -> Decimal:
    """Return the ESG fee in basis points of the amount: (100 - score) / 200 per cent."""
    return (PER_CENT - Decimal(score)) / 2


def esg_surcharge(composite: int) -> Decimal:
    """Return the ESG fee as a fraction of the amount: (100 - composite) / 200 per cent."""
    return esg_fee_bps(composite) / 10_000
