"""The eleven markets: their names, prices, and weights of climate components. Pure.

Weights of each market sum to 1; they are ours. Their basis: drought and heat cause most weather
losses of harvests (Lesk, Rowhani and Ramankutty 2016); storms stop the Gulf's wells; cold drives
gas demand and cuts gas supply (FERC and NERC 2021, 2023); lack of water stops mines in the Atacama;
fire and beetles destroy timber. Prices reflect everything else that is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

HEAT, DROUGHT, FLOOD, STORM, FIRE, PRICE = "heat", "drought", "flood", "storm", "fire", "price"
# takes the place of heat in months of frost
COLD = "cold"
COMPONENTS = (HEAT, DROUGHT, FLOOD, STORM, FIRE, PRICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """A market. `prices` are series, of which the first current one is used; `months` is the long
    monthly series for price changes. `storms` are the regions whose output storms stop; if empty,
    all of them.
    """

    symbol: str
    title: str
    prices: tuple[str, ...]
    months: str
    weights: Mapping[str, Decimal]
    proxy: str = ""
    storms: frozenset[str] = frozenset()


def _parse_weights(**weights: str) -> Mapping[str, Decimal]:
    return {name: Decimal(weight) for name, weight in weights.items()}


CROP = _parse_weights(
    heat="0.25", drought="0.35", flood="0.10", storm="0.05", fire="0.05", price="0.20"
)
MARKETS: tuple[Market, ...] = (
    Market(symbol="WHEAT", title="Wheat", prices=("wheat",), months="wheat", weights=CROP),
    Market(symbol="CORN", title="Maize", prices=("corn",), months="corn", weights=CROP),
    Market(symbol="SOYB", title="Soybeans", prices=("soybeans",), months="soybeans", weights=CROP),
    Market(
        symbol="COFFEE", title="Coffee, arabica", prices=("coffee",), months="coffee", weights=CROP
    ),
    Market(symbol="COCOA", title="Cocoa", prices=("cocoa",), months="cocoa", weights=CROP),
    Market(symbol="COTTON", title="Cotton", prices=("cotton",), months="cotton", weights=CROP),
    Market(symbol="SUGAR", title="Sugar", prices=("sugar",), months="sugar", weights=CROP),
    Market(
        symbol="WTI",
        title="Oil, West Texas",
        prices=("oil.wti", "oil.wti.month"),
        months="oil.wti.month",
        weights=_parse_weights(heat="0.25", flood="0.05", storm="0.40", price="0.30"),
        storms=frozenset({"us-gulf"}),
    ),
    Market(
        symbol="NG",
        title="Natural gas, Henry Hub",
        prices=("gas.us", "gas.us.month"),
        months="gas.us.month",
        weights=_parse_weights(heat="0.40", storm="0.35", price="0.25"),
        storms=frozenset({"us-gulf"}),
    ),
    Market(
        symbol="COPPER",
        title="Copper",
        prices=("copper",),
        months="copper",
        weights=_parse_weights(drought="0.45", flood="0.15", storm="0.10", price="0.30"),
    ),
    Market(
        symbol="LUMBER",
        title="Lumber",
        prices=("us.lumber", "timber"),
        months="timber",
        weights=_parse_weights(
            fire="0.35", drought="0.25", heat="0.10", storm="0.10", price="0.20"
        ),
        proxy="No lumber futures price may be redistributed for free. The price is the US "
        "producer price index or, without it, that of Malaysian sawnwood, whose moves are always "
        "used.",
    ),
)
SYMBOLS = tuple(market.symbol for market in MARKETS)
_NAMED = {market.symbol: market for market in MARKETS}


def market_of_symbol(symbol: str) -> Market | None:
    """Return the row of a market; None for a symbol that is none."""
    return _NAMED.get(symbol)
