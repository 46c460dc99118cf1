"""The network of settlement and trade: the centrality of its nodes, and their strain."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.comovement import (
    MonthlyMoves,
    align_monthly_moves,
    connectedness_matrix,
    measure_against_mean,
    node_centrality,
    positive_monthly_values,
)
from apps.insight.intelligence.methods.monthly_values import last_value_by_month
from apps.insight.intelligence.methods.stale_inputs import compute_most_strained
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import (
    GOODS,
    RATES,
    STRAIN_BANDS,
    WINDOW_MONTHS,
)
from apps.reference.signals.composition import (
    LONG_ENOUGH,
    find_history_fault,
    rank_in_history,
    split_score,
)
from apps.reference.signals.quality import TooFewInputs

SERIES = (*RATES, *GOODS)


def compute_mycelium(known: MethodInputs) -> MethodResult:
    """Return the strain of the network; raises TooFewInputs below six tenths of its nodes."""
    quality = known.judge([known.input(name) for name in SERIES])
    then = known.ageless
    months = positive_monthly_values(then, SERIES)
    strained = {
        name: node_strain
        for name in months
        if (node_strain := measure_node_strain(then, name)) is not None
    }

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        together = {name: months[name] for name in nodes if name in months}
        rates = {name: moves for name, moves in together.items() if name in RATES}
        goods = align_monthly_moves(together)
        chosen = measure_against_mean(align_monthly_moves({name: together[name] for name in rates}))
        at = [chosen.months.index(month) for month in goods.months]
        # goods move in their own prices, currencies against the mean of all currencies
        values = goods.values.copy()
        for column, name in enumerate(goods.names):
            if name in rates:
                values[:, column] = chosen.values[at, chosen.names.index(name)]
        monthly_moves = MonthlyMoves(goods.names, goods.months, values)
        return _score_web(then, monthly_moves, strained)

    return compute_most_strained(known, quality, SERIES, computed, "mycelium_score")


def _score_web(
    method_inputs: MethodInputs, monthly_moves: MonthlyMoves, strained: dict[str, Decimal]
) -> dict[str, Any]:
    joined = connectedness_matrix(monthly_moves.values[-WINDOW_MONTHS:])
    centre = node_centrality(joined)
    strains = {name: strained[name] for name in monthly_moves.names if name in strained}
    if len(strains) < len(SERIES) * 0.6:
        short = [
            f"{series}: {history_fault}"
            for series in SERIES
            if (history_fault := find_history_fault(method_inputs.history(series)))
        ]
        raise TooFewInputs(f"Too few nodes have ten years of history. {'; '.join(short)}.")
    # centrality in steps that sum exactly, so that the contributions sum to the score
    weights = {
        name: round_to_step(weight, Decimal("1e-12"))
        for name, weight in zip(monthly_moves.names, centre.tolist(), strict=True)
        if name in strains
    }
    held_weight = sum(weights.values(), Decimal(0))
    shares = split_score([weights[name] * strains[name] for name in weights], held=held_weight)
    nodes = [
        component_payloads.serialize_component(point, score=strains[name])
        | {
            "weight": round_to_step(weights[name] / held_weight, FOUR_DECIMALS),
            "contribution": share,
        }
        for name, share in zip(weights, shares, strict=True)
        if (point := method_inputs.point(name))
    ]
    nodes = sorted(nodes, key=lambda node: (-node["weight"], node["series"]))
    score = sum((node["contribution"] for node in nodes), Decimal(0))
    others = 1.0 - float(np.trace(joined)) / len(joined)
    return {
        "mycelium_score": score,
        "regime": label_of_score(score, STRAIN_BANDS),
        "hub": nodes[0]["series"],
        "concentration": round_to_step(float((centre**2).sum()), FOUR_DECIMALS),
        "connectedness": round_to_step(others, FOUR_DECIMALS),
        "window_months": min(WINDOW_MONTHS, len(monthly_moves.values)),
        "components": nodes,
    }


def measure_node_strain(known: MethodInputs, name: str) -> Decimal | None:
    """Return the percentile of the size of the newest monthly move, 0 to 100."""
    past = known.history(name)
    if not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    months = last_value_by_month(past)
    sizes = {
        month: abs(value / months[month - 1] - 1)
        for month, value in months.items()
        if months.get(month - 1)
    }
    if not sizes:
        return None
    exact = [round_to_step(size, Decimal("1e-12")) for size in sizes.values()]
    return rank_in_history(exact[-1], sorted(exact), 1)
