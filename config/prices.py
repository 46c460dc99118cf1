"""Prices in one place. Document 1 section 8; what it leaves open is set here.

Keys are billed by tier, in USD. Who pays by x402 pays per call: a flat price in micro-units of
USDC (10⁻⁶), whole numbers, whatever the volume.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

MICRO = 1_000_000


@dataclass(frozen=True)
class Tier:
    """Calls up to `upto` a month (None: all further ones) at `price` USD each."""

    upto: int | None
    price: Decimal


@dataclass(frozen=True)
class Unit:
    """A counted and billed unit; operations refer to the object and never to its name.

    `title` is for people; `paid` is the price of one paid call in micro-units of USDC,
    None if it cannot be paid for.
    """

    name: str
    title: str
    tiers: tuple[Tier, ...] = ()
    paid: int | None = None

    def due(self, values: Mapping[str, Any]) -> int:
        """Return the price of one paid call, in micro-units of USDC."""
        # Access refuses an operation that is paid for and has no price
        assert self.paid is not None
        return self.paid


@dataclass(frozen=True)
class Bucket:
    """Credit that a caller buys: the amount is in the request, within bounds in micro-units.

    `field` is the request's field for it, in USDC as text with at most six decimals. `paid` and
    `most` are the smallest and the largest amount.
    """

    name: str
    field: str
    paid: int
    most: int

    def due(self, values: Mapping[str, Any]) -> int:
        """Return how much credit is bought, in micro-units."""
        return int(Decimal(values[self.field]) * MICRO)


# document 1 section 8: Screen price per call
SCREEN = Unit(
    "screen",
    "Screen",
    (
        Tier(10_000, Decimal("0.01")),
        Tier(100_000, Decimal("0.008")),
        Tier(None, Decimal("0.005")),
    ),
    paid=10_000,
)

# not shown in the specification: an ownership chain is several screens, a PEP screen is one
UBO_CHAIN = Unit("ubo_chain", "Ownership chain", (Tier(None, Decimal("0.05")),), paid=50_000)
PEP_SCREEN = Unit("pep_screen", "PEP screen", (Tier(None, Decimal("0.02")),), paid=20_000)

# document 1 section 8: 0.075 USDC per call; only paid for, never counted
VOP = Unit("vop", "Payee check", paid=75_000)

# document 1 section 4: 10 USD for a full Annex I screen; only paid for, never counted
SFDR_SCREEN = Unit("sfdr_screen", "SFDR screen", paid=10 * MICRO)

# document 3 section 4: one call of the intelligence service, in cents; keys are billed the same
INTELLIGENCE_15 = Unit(
    "intelligence_15", "Intelligence, 15 cents", (Tier(None, Decimal("0.15")),), paid=150_000
)
INTELLIGENCE_25 = Unit(
    "intelligence_25", "Intelligence, 25 cents", (Tier(None, Decimal("0.25")),), paid=250_000
)
INTELLIGENCE_50 = Unit(
    "intelligence_50", "Intelligence, 50 cents", (Tier(None, Decimal("0.50")),), paid=500_000
)
INTELLIGENCE_75 = Unit(
    "intelligence_75", "Intelligence, 75 cents", (Tier(None, Decimal("0.75")),), paid=750_000
)
INTELLIGENCE = (INTELLIGENCE_15, INTELLIGENCE_25, INTELLIGENCE_50, INTELLIGENCE_75)

# document 2 section 8: 2.00 USDC for the climate report; the others are not shown. A report on the
# world costs less than the answers that it is made of, one on somebody as much work as it is.
REPORT_CLIMATE = Unit("report_climate", "Climate report", paid=2 * MICRO)
REPORT_MACRO = Unit("report_macro", "Macro report", paid=2 * MICRO)
REPORT_ESG = Unit("report_esg", "ESG report", paid=3 * MICRO)
REPORT_COMPLIANCE = Unit("report_compliance", "Compliance report", paid=3 * MICRO)
REPORT_TREASURY = Unit("report_treasury", "Treasury report", paid=5 * MICRO)

# document 1 section 8: Stream session amount
STREAM = Bucket("stream", field="amount_usdc", paid=10_000, most=10_000 * MICRO)
# not shown: what one unit takes from a session
STREAM_UNITS: Mapping[str, int] = {"second": 100, "token": 10, "call": 10_000, "byte": 1}

# document 3 section 2.1: fees of a settlement, in basis points of its amount; core and fx not shown
# core: 1.50 USD of 1,000, what a bank's flat 15 to 45 USD for a wire is of 10,000 to 30,000 USD
CORE_BPS = Decimal(15)
# fx: beside core, a quarter of the one per cent and more that banks add to a company's rate
FX_BPS = Decimal(25)
# shown, as 0.0100 %: fixed in the token contract, and no setting
LICENSE_BPS = Decimal(1)

UNITS: dict[str, Unit] = {
    unit.name: unit for unit in (SCREEN, UBO_CHAIN, PEP_SCREEN, *INTELLIGENCE)
}
