"""Straits and canals of world trade, for supply-chain and shipping-stress."""

from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.insight.intelligence.rules import straits

STRAITS = {
    "suez": "trade.suez",
    "panama": "trade.panama",
    "hormuz": "trade.hormuz",
    "malacca": "trade.malacca",
}


def serialize_strait(known: MethodInputs, name: str, series: str) -> dict[str, Any]:
    """Return how far ships keep away from a strait or canal; see StraitOut."""
    past, point = known.history(series), known.point(series)
    missing, usual, ships = (
        straits.traffic_shortfall_pct(past),
        straits.usual_traffic(past),
        straits.current_traffic(past),
    )
    return {
        "name": name,
        "series": series,
        "ships_per_day": None if ships is None else round_to_step(ships),
        "usual_per_day": None if usual is None else round_to_step(usual),
        "shortfall_pct": None if missing is None else round_to_step(missing),
        "status": straits.status_of_shortfall(missing),
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
