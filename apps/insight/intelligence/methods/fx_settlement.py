"""Settlement risk between currencies: how far rates move until a payment is final."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.rules import price_volatility
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.dollar_corridors import (
    CORRIDORS,
    Corridor,
    advise_corridor,
    advise_stablecoin,
)
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.weighted_scores import (
    ScoredInput,
    combine_scored_inputs,
    place_of_last_value,
)
from apps.reference.signals.composites.catalogue import CALM

COINS = {"USDC": "stable.usdc.price", "USDT": "stable.usdt.price"}
SERIES = (*(corridor.series for corridor in CORRIDORS), *COINS.values())
BASIS_POINTS = 10_000
TURNOVER = sum((corridor.turnover for corridor in CORRIDORS), Decimal(0))


def compute_fx_settlement(known: MethodInputs) -> MethodResult:
    """Return the risk of settlement; raises TooFewInputs without the euro's rate."""
    then = known.ageless
    past = {
        corridor.code: price_volatility.rolling_volatilities(then.history(corridor.series))
        for corridor in CORRIDORS
    }
    places = {code: place_of_last_value(history) for code, history in past.items()}
    scored_inputs = combine_scored_inputs(
        known,
        [
            ScoredInput(
                series=corridor.series,
                weight=corridor.turnover / TURNOVER,
                score=places[corridor.code],
                required=corridor.required,
            )
            for corridor in CORRIDORS
        ],
    )
    newest = {
        corridor.code: past[corridor.code][-1][1]
        for corridor in CORRIDORS
        if past[corridor.code] and known.point(corridor.series)
    }
    body: dict[str, Any] = {
        "settlement_risk_index": scored_inputs.score,
        "regime": label_of_score(scored_inputs.score, CALM),
        "components": scored_inputs.components,
        "corridors": [
            _serialize_corridor(known, corridor, newest.get(corridor.code), places[corridor.code])
            for corridor in CORRIDORS
        ],
        "stablecoins": [
            _serialize_stablecoin(known, symbol, series) for symbol, series in COINS.items()
        ],
    }
    return MethodResult(body=body, quality=scored_inputs.quality)


def _serialize_corridor(
    method_inputs: MethodInputs, corridor: Corridor, volatility: float | None, place: Decimal | None
) -> dict[str, Any]:
    """Return one corridor; see CorridorOut."""
    risk = None if volatility is None else price_volatility.loss_at_risk(volatility, corridor.days)
    # the percentile of an old figure may be held in the score, but gives no advice of today
    place = None if volatility is None else place
    return {
        "pair": f"USD/{corridor.code}",
        "rate": method_inputs.value(corridor.series),
        "settlement_days": corridor.days,
        "payment_versus_payment": corridor.safe,
        "volatility_pct": None if volatility is None else round_to_step(volatility, FOUR_DECIMALS),
        "move_at_risk_pct": None if risk is None else round_to_step(risk, FOUR_DECIMALS),
        "signal": signal_of_place(place),
        "advice": advise_corridor(place, safe=corridor.safe),
    }


def _serialize_stablecoin(method_inputs: MethodInputs, symbol: str, series: str) -> dict[str, Any]:
    """Return a stablecoin against its dollar; see PeggedOut."""
    point = method_inputs.point(series)
    off = None if point is None else round_to_step((point.value - 1) * BASIS_POINTS)
    return {
        "symbol": symbol,
        "price": point.value if point else None,
        "deviation_bps": off,
        "advice": advise_stablecoin(off),
        "source": point.source if point else "",
    }
