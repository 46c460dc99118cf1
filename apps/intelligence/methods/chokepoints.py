"""Straits and canals that world trade passes, as two products show them."""

from typing import Any

from apps.intelligence.known import Known, rounded
from apps.intelligence.rules import straits

STRAITS = {
    "suez": "trade.suez",
    "panama": "trade.panama",
    "hormuz": "trade.hormuz",
    "malacca": "trade.malacca",
}


def strait_of(known: Known, name: str, series: str) -> dict[str, Any]:
    """Return how far ships keep away from a strait or canal; see StraitOut."""
    past, point = known.history(series), known.point(series)
    missing, usual, ships = straits.shortfall(past), straits.usual(past), straits.now(past)
    return {
        "name": name,
        "series": series,
        "ships_per_day": None if ships is None else rounded(ships),
        "usual_per_day": None if usual is None else rounded(usual),
        "shortfall_pct": None if missing is None else rounded(missing),
        "status": straits.status(missing),
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
