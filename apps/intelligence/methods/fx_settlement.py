"""Risk of settlement between currencies: how far rates move until a payment is final."""

from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.rules import moves
from apps.intelligence.rules.bands import band
from apps.intelligence.rules.corridors import CORRIDORS, Corridor, advice, peg
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.telling import HUNDREDTH
from apps.intelligence.weighing import Scored, last_place, weigh
from apps.signals.composites.rows import CALM

COINS = {"USDC": "stable.usdc.price", "USDT": "stable.usdt.price"}
SERIES = (*(one.series for one in CORRIDORS), *COINS.values())
BASIS_POINTS = 10_000
TURNOVER = sum((one.turnover for one in CORRIDORS), Decimal(0))


def compute(known: Known) -> Made:
    """Return the risk of settlement; raises Unavailable without the euro's rate."""
    then = known.ageless
    past = {one.code: moves.volatilities(then.history(one.series)) for one in CORRIDORS}
    places = {code: last_place(found) for code, found in past.items()}
    made = weigh(
        known,
        [
            Scored(
                series=one.series,
                weight=one.turnover / TURNOVER,
                score=places[one.code],
                required=one.required,
            )
            for one in CORRIDORS
        ],
    )
    newest = {
        one.code: past[one.code][-1][1]
        for one in CORRIDORS
        if past[one.code] and known.point(one.series)
    }
    body: dict[str, Any] = {
        "settlement_risk_index": made.score,
        "regime": band(made.score, CALM),
        "components": made.components,
        "corridors": [
            _corridor(known, one, newest.get(one.code), places[one.code]) for one in CORRIDORS
        ],
        "stablecoins": [_coin(known, symbol, series) for symbol, series in COINS.items()],
    }
    return Made(body=body, quality=made.quality)


def _corridor(
    known: Known, one: Corridor, volatility: float | None, place: Decimal | None
) -> dict[str, Any]:
    """Return one corridor; see CorridorOut."""
    risk = None if volatility is None else moves.at_risk(volatility, one.days)
    place = None if volatility is None else place  # that of an old figure is held, and not shown
    return {
        "pair": f"USD/{one.code}",
        "rate": known.value(one.series),
        "settlement_days": one.days,
        "payment_versus_payment": one.safe,
        "volatility_pct": None if volatility is None else rounded(volatility, HUNDREDTH),
        "move_at_risk_pct": None if risk is None else rounded(risk, HUNDREDTH),
        "signal": signal_of(place),
        "advice": advice(place, safe=one.safe),
    }


def _coin(known: Known, symbol: str, series: str) -> dict[str, Any]:
    """Return a stablecoin against its dollar; see PeggedOut."""
    point = known.point(series)
    off = None if point is None else rounded((point.value - 1) * BASIS_POINTS)
    return {
        "symbol": symbol,
        "price": point.value if point else None,
        "deviation_bps": off,
        "advice": peg(off),
        "source": point.source if point else "",
    }
