"""Compute settlement fees from one table of components, in whole numbers. Pure.

Document 3 section 2.1. Amounts are whole micro-units of USD (10^-6), ESG scores whole micro-points
(10^-6 of a point). Rates are whole parts of 10^-12 of the amount, of which a basis point has
100,000,000: in them the ESG fee of a score of six decimals and every discounted core fee are whole.
Each component is rounded down to the micro-unit separately and the total is their sum, as the
contract computes it, so parts and total cannot differ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from apps.insight.stability.fees.rules.esg_fee_tiers import esg_fee_bps
from config.prices import CORE_BPS, FX_BPS, LICENSE_BPS, MICRO

# Raised whenever a component, a tier or the rounding changes; part of every quote.
VERSION = "2026-11.1"
# parts of an amount in which rates are expressed
WHOLE = 10**12
# parts of a basis point
BPS = WHOLE // 10_000
# document 3 section 2.2; its schema also has 75, which is not used
DEFAULT_SCORE = 50
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class PricedPayment:
    """What is to be settled: `amount` and `monthly_volume` in micro-units, `score` in micro-points.

    `fx` says that it crosses currencies.
    """

    amount: int
    fx: bool = False
    score: int = DEFAULT_SCORE * MICRO
    monthly_volume: int = 0


@dataclass(frozen=True, slots=True)
class VolumeTier:
    """What a month's volume of `least` USD or more takes off the core fee. `code` never changes."""

    code: str
    ref: str
    name: str
    least: int
    discount: int


VOLUME_TIERS: tuple[VolumeTier, ...] = (
    VolumeTier("FEE-TIER-4", "3 §2.1", "Sovereign", 10_000_000, 30),
    VolumeTier("FEE-TIER-3", "3 §2.1", "Institutional", 1_000_000, 20),
    VolumeTier("FEE-TIER-2", "3 §2.1", "Growth", 100_000, 10),
    VolumeTier("FEE-TIER-1", "3 §2.1", "Standard", 0, 0),
)


def tier_of_volume(monthly_volume: int) -> VolumeTier:
    """Return the tier of a month's volume in micro-units: the first whose `least` it reaches."""
    return next(
        volume_tier for volume_tier in VOLUME_TIERS if monthly_volume >= volume_tier.least * MICRO
    )


class FractionalRate(ArithmeticError):
    """A rate has more decimals than a part of 10^-12 holds."""


def bps_to_rate(bps: Decimal) -> int:
    """Return basis points as whole parts of 10^-12 of the amount; FractionalRate for what is
    finer.
    """
    above, below = bps.as_integer_ratio()
    quotient, rest = divmod(above * BPS, below)
    if rest:
        raise FractionalRate(f"{bps} bps is not a whole multiple of 10^-12")
    return quotient


def rate_to_bps(rate: int) -> Decimal:
    """Return a rate in basis points, exactly."""
    return Decimal(rate) / BPS


def _core_component_rate(payment: PricedPayment) -> int:
    return core_rate_of_tier(tier_of_volume(payment.monthly_volume))


def core_rate_of_tier(tier: VolumeTier) -> int:
    """Return the core rate of a tier, less its discount."""
    # document 3 section 2.1: volume discounts apply to core only
    return bps_to_rate(CORE_BPS) * (PER_CENT - tier.discount) // PER_CENT


def _fx_component_rate(payment: PricedPayment) -> int:
    return bps_to_rate(FX_BPS) if payment.fx else 0


def _esg_component_rate(payment: PricedPayment) -> int:
    return bps_to_rate(esg_fee_bps(Decimal(payment.score) / MICRO))


def _license_component_rate(payment: PricedPayment) -> int:
    return bps_to_rate(LICENSE_BPS)


@dataclass(frozen=True, slots=True)
class FeeComponent:
    """One row of the fee table; `rate` in parts of 10^-12. `code` never changes."""

    code: str
    ref: str
    name: str
    title: str
    rate: Callable[[PricedPayment], int]


COMPONENTS: tuple[FeeComponent, ...] = (
    FeeComponent(
        "FEE-CORE",
        "3 §2.1",
        "core",
        "Settlement, less the tier's discount.",
        _core_component_rate,
    ),
    FeeComponent("FEE-FX", "3 §2.1", "fx", "Exchange, only across currencies.", _fx_component_rate),
    FeeComponent(
        "FEE-ESG",
        "3 §2.1",
        "esg",
        "(100 - esgScore) / 200 %; to impact pools.",
        _esg_component_rate,
    ),
    FeeComponent(
        "FEE-LICENSE", "3 §2.1", "license", "Token license, fixed.", _license_component_rate
    ),
)


@dataclass(frozen=True, slots=True)
class Fee:
    """One component of one payment: its rate, and what it takes in micro-units."""

    name: str
    rate: int
    units: int


@dataclass(frozen=True, slots=True)
class Fees:
    """What a payment costs, component by component in the order of the table."""

    payment: PricedPayment
    tier: VolumeTier
    listed: tuple[Fee, ...]

    def of(self, name: str) -> Fee:
        """Return one component."""
        return next(fee for fee in self.listed if fee.name == name)

    @property
    def rate(self) -> int:
        """The rates of all components together."""
        return sum(fee.rate for fee in self.listed)

    @property
    def total(self) -> int:
        """What all components take, in micro-units."""
        return sum(fee.units for fee in self.listed)

    @property
    def net(self) -> int:
        """What arrives, in micro-units."""
        return self.payment.amount - self.total


def compute_fees(payment: PricedPayment) -> Fees:
    """Return what a payment costs."""
    listed = tuple(_compute_component_fee(component, payment) for component in COMPONENTS)
    return Fees(payment, tier_of_volume(payment.monthly_volume), listed)


def _compute_component_fee(component: FeeComponent, payment: PricedPayment) -> Fee:
    rate = component.rate(payment)
    return Fee(component.name, rate, payment.amount * rate // WHOLE)
