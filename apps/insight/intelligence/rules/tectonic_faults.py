"""Where strain builds slowly: each fault with what it is measured by, and why. Pure."""

from dataclasses import dataclass
from decimal import Decimal

# years over which strain builds: shorter than a financial cycle of fifteen to twenty years
STRAIN_YEARS = 5
# stress that markets show releases what has built up
RELEASE_SERIES = "ofr.fsi"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault: the series whose slow change is strain, +1 where a rise is, and its weight.

    Changes are per cent, or `points` of the series' unit.
    """

    name: str
    series: str
    direction: int
    weight: Decimal
    why: str
    reference: str
    points: bool = False


def _build_fault(
    name: str, series: str, direction: int, why: str, reference: str, *, points: bool = False
) -> Fault:
    return Fault(
        name=name,
        series=series,
        direction=direction,
        weight=Decimal("0.2"),
        why=why,
        reference=reference,
        points=points,
    )


# each weighs the same: no work says which of them breaks first
FAULTS: tuple[Fault, ...] = (
    _build_fault(
        "PUBLIC_DEBT",
        "debt.us",
        1,
        "Debt of the issuer of the main reserve currency.",
        "Reinhart and Rogoff 2011, AER 101(5)",
        points=True,
    ),
    _build_fault(
        "PRICES",
        "us.cpi",
        1,
        "Lost purchasing power, which wages and rents follow with a delay.",
        "Blanchard and Bernanke 2023, NBER 31417",
    ),
    _build_fault(
        "TRUST_IN_MONEY",
        "gold",
        1,
        "Gold in dollars.",
        "Arslanalp, Eichengreen and Simpson-Bell 2023, JIE 145",
    ),
    _build_fault(
        "LONG_RATES",
        "us.dgs10",
        1,
        "The cost of rolling over old debt.",
        "Reinhart and Sbrancia 2015, Economic Policy 30(82)",
        points=True,
    ),
    _build_fault(
        "CHINA_PRICES",
        "fx.usd.CNY",
        1,
        "The renminbi against the dollar: trade imbalances.",
        "Obstfeld and Rogoff 2009, Asia Economic Policy Conference",
    ),
)
