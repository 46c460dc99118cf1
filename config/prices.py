"""Prices in one place. Document 1 section 8; what it leaves open is set here."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Tier:
    """Calls up to `upto` a month (None: all further ones) at `price` USD each."""

    upto: int | None
    price: Decimal


@dataclass(frozen=True)
class Unit:
    """What is counted and billed: an endpoint's row names one of these, never its name."""

    name: str
    tiers: tuple[Tier, ...]


# document 1 section 8: Screen price per call
SCREEN = Unit(
    "screen",
    (
        Tier(10_000, Decimal("0.01")),
        Tier(100_000, Decimal("0.008")),
        Tier(None, Decimal("0.005")),
    ),
)

# not shown in the specification: an ownership chain is several screens, a PEP screen is one
UBO_CHAIN = Unit("ubo_chain", (Tier(None, Decimal("0.05")),))
PEP_SCREEN = Unit("pep_screen", (Tier(None, Decimal("0.02")),))

UNITS: dict[str, Unit] = {unit.name: unit for unit in (SCREEN, UBO_CHAIN, PEP_SCREEN)}
