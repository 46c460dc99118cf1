"""Corridors between the dollar and seven currencies: how they settle, what they weigh. Pure.

Weights are shares of turnover (BIS, Triennial Central Bank Survey, April 2022), per cent of all.
`safe` says whether CLS settles the pair payment versus payment; if not, the party that pays first
may lose the whole amount (BIS, settlement risk in foreign exchange, CPSS 1996). `days` are those
from trade to settlement by the market's convention.
"""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Corridor:
    """One pair with the dollar."""

    code: str
    turnover: Decimal
    safe: bool = True
    days: int = 2
    required: bool = False

    @property
    def series(self) -> str:
        """The series of its rate."""
        return f"fx.usd.{self.code}"


CORRIDORS: tuple[Corridor, ...] = (
    Corridor(code="EUR", turnover=Decimal("22.7"), required=True),
    Corridor(code="JPY", turnover=Decimal("13.5")),
    Corridor(code="GBP", turnover=Decimal("9.5")),
    Corridor(code="CNY", turnover=Decimal("6.6"), safe=False),
    Corridor(code="CAD", turnover=Decimal("5.5"), days=1),
    Corridor(code="AUD", turnover=Decimal("5.1")),
    Corridor(code="CHF", turnover=Decimal("3.9")),
)
PROCEED, CAUTION, HOLD, UNKNOWN = "PROCEED", "CAUTION", "HOLD", "UNKNOWN"
ADVICE_WORDS = (PROCEED, CAUTION, HOLD, UNKNOWN)
# percentile of today's volatility in its own history -> advice
ADVICE: tuple[tuple[int, str], ...] = ((80, PROCEED), (95, CAUTION))
# basis points that a stablecoin is off its peg -> advice (document 3 section 2.3: from 50, hold)
PEGS: tuple[tuple[int, str], ...] = ((25, PROCEED), (50, CAUTION))


def advise_corridor(place: Decimal | None, *, safe: bool) -> str:
    """Return what to do with a payment over a corridor."""
    if place is None:
        return UNKNOWN
    advice = next((word for bound, word in ADVICE if place < bound), HOLD)
    # without payment versus payment the whole amount is at risk, however calm the rate is
    return CAUTION if advice == PROCEED and not safe else advice


def advise_stablecoin(deviation: Decimal | None) -> str:
    """Return what to do with a payment in a stablecoin so many basis points off its dollar."""
    if deviation is None:
        return UNKNOWN
    return next((word for bound, word in PEGS if abs(deviation) < bound), HOLD)
