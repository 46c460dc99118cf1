"""The web of settlement and trade: which node carries most, and how strained what carries is."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.comoving import Moves, basket, central, connected, moves, of_months
from apps.intelligence.methods.lapsing import graver
from apps.intelligence.methods.months import last_values
from apps.intelligence.methods.triggering import FINE
from apps.intelligence.rules.webs import GOODS, RATES, STRAIN, WINDOW, band
from apps.signals.composing import LONG, place, split
from apps.signals.quality import Unavailable

SERIES = (*RATES, *GOODS)


def compute(known: Known) -> Made:
    """Return the strain of the web; raises Unavailable under six tenths of its nodes."""
    quality = known.judge([known.input(name) for name in SERIES])
    then = known.ageless
    months = of_months(then, SERIES)
    strained = {name: one for name in months if (one := strain_of(then, name)) is not None}

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        found = _moves({name: months[name] for name in nodes if name in months})
        return _computed(then, found, strained)

    return graver(known, quality, SERIES, computed, "mycelium_score")


def _computed(known: Known, found: Moves, strained: dict[str, Decimal]) -> dict[str, Any]:
    joined = connected(found.values[-WINDOW:])
    centre = central(joined)
    strains = {name: strained[name] for name in found.names if name in strained}
    if len(strains) < len(SERIES) * 0.6:
        raise Unavailable("Too few nodes of the web have ten years of figures.")
    nodes = _nodes(known, found, centre.tolist(), strains)
    score = sum((one["contribution"] for one in nodes), Decimal(0))
    others = 1.0 - float(np.trace(joined)) / len(joined)
    return {
        "mycelium_score": score,
        "regime": band(STRAIN, score),
        "hub": nodes[0]["series"],
        "concentration": rounded(float((centre**2).sum()), FINE),
        "connectedness": rounded(others, FINE),
        "window_months": min(WINDOW, len(found.values)),
        "components": nodes,
    }


def _moves(together: Mapping[str, Mapping[int, float]]) -> Moves:
    """Return moves of currencies, against the mean of all, and of goods, in the same months."""
    rates = {name: one for name, one in together.items() if name in RATES}
    goods = moves(together)
    chosen = basket(moves({name: together[name] for name in rates}))
    at = [chosen.months.index(month) for month in goods.months]
    values = goods.values.copy()
    for column, name in enumerate(goods.names):
        if name in rates:
            values[:, column] = chosen.values[at, chosen.names.index(name)]
    return Moves(goods.names, goods.months, values)


def strain_of(known: Known, name: str) -> Decimal | None:
    """Return the place of the newest monthly move among all, whichever way it went, 0 to 100."""
    past = known.history(name)
    if not past or past[-1][0] - past[0][0] < LONG:
        return None
    months = last_values(past)
    sizes = {
        month: abs(value / months[month - 1] - 1)
        for month, value in months.items()
        if months.get(month - 1)
    }
    if not sizes:
        return None
    exact = [rounded(one, Decimal("1e-12")) for one in sizes.values()]
    return place(exact[-1], sorted(exact), 1)


def _nodes(
    known: Known, found: Moves, centre: list[float], strains: dict[str, Decimal]
) -> list[dict[str, Any]]:
    """Return the nodes whose strain is known, most central first; they sum to the score."""
    weights = {
        name: rounded(weight, Decimal("1e-12"))
        for name, weight in zip(found.names, centre, strict=True)
        if name in strains
    }
    held = sum(weights.values(), Decimal(0))
    shares = split([weights[name] * strains[name] for name in weights], held=held)
    told = [
        telling.seen(point, score=strains[name])
        | {"weight": rounded(weights[name] / held, FINE), "contribution": share}
        for name, share in zip(weights, shares, strict=True)
        if (point := known.point(name))
    ]
    return sorted(told, key=lambda one: (-one["weight"], one["series"]))
