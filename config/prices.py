"""Prices in one place. Document 1 section 8; what it leaves open is set here."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Tier:
    """Calls up to `upto` a month (None: all further ones) at `price` USD each."""

    upto: int | None
    price: Decimal


# document 1 section 8: Screen price per call
SCREEN_TIERS = (
    Tier(10_000, Decimal("0.01")),
    Tier(100_000, Decimal("0.008")),
    Tier(None, Decimal("0.005")),
)

# not shown in the specification: an ownership chain is several screens, a PEP screen is one
UBO_TIERS = (Tier(None, Decimal("0.05")),)
PEP_TIERS = (Tier(None, Decimal("0.02")),)

UNITS: dict[str, tuple[Tier, ...]] = {
    "screen": SCREEN_TIERS,
    "ubo_chain": UBO_TIERS,
    "pep_screen": PEP_TIERS,
}
