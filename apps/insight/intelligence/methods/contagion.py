"""A loss that a caller names, of a sovereign or of an institution, passed on: DebtRank."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.comovement import (
    MonthlyMoves,
    align_monthly_moves,
    joint_moves_matrix,
    measure_against_mean,
    positive_monthly_values,
)
from apps.insight.intelligence.methods.months import Floats, first_day_of_month
from apps.insight.intelligence.methods.stale_inputs import compute_most_strained
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.currency_web import (
    ASSUMPTION,
    CONTAGION_BANDS,
    EURO_NODE,
    RATES,
    SOVEREIGNS,
    WINDOW_MONTHS,
    word_of_web_score,
)
from apps.insight.intelligence.rules.signals import signal_of_place
from apps.reference.signals.composition import split_score
from apps.reference.signals.quality import TooFewInputs


def compute_contagion(known: MethodInputs) -> MethodResult:
    """Return what a loss of `loss_share` at `origin` does to the others.

    An `institution` stands in the row of its country's `node`, which loses `country_share` of that.
    `contagionScore` is DebtRank in hundredths: the mean of what the others lose, beside the
    origin's own loss. Raises TooFewInputs where the origin or too many others are not known.
    """
    needed = SOVEREIGNS[_origin_node(known)]
    quality = known.judge([known.input(rate, required=rate == needed) for rate in RATES])
    then = known.ageless
    months = positive_monthly_values(then, RATES)

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        return _follow_loss(
            then, _sovereign_moves({node: months[node] for node in nodes if node in months})
        )

    return compute_most_strained(known, quality, RATES, computed, "contagion_score")


def _follow_loss(method_inputs: MethodInputs, monthly_moves: MonthlyMoves) -> dict[str, Any]:
    node, loss = _origin_node(method_inputs), _origin_loss(method_inputs)
    if node not in monthly_moves.names:
        raise TooFewInputs(f"Nothing is known of the origin's rate ({SOVEREIGNS[node]}).")
    impacts = joint_moves_matrix(monthly_moves.values[-WINDOW_MONTHS:]).T
    start = np.zeros(len(monthly_moves.names))
    start[monthly_moves.names.index(node)] = float(loss)
    losses, rounds = compute_debt_rank(impacts, start)
    added = [round_to_step(100 * float(one), FOUR_DECIMALS) for one in losses - start]
    shares = split_score(added, held=Decimal(len(added)))
    score = sum(shares, Decimal(0))
    return {
        "contagion_score": score,
        "regime": word_of_web_score(CONTAGION_BANDS, score),
        "origin": method_inputs.asked["origin"],
        "loss_share": method_inputs.asked["loss_share"],
        "origin_sovereign": node,
        "origin_loss": loss,
        "institution": method_inputs.asked.get("institution"),
        "assumption": _describe_assumption(method_inputs),
        "rounds": rounds,
        "window_months": min(WINDOW_MONTHS, len(monthly_moves.values)),
        "window_ends": first_day_of_month(monthly_moves.months[-1]),
        "components": [
            _serialize_sovereign_loss(method_inputs, name, float(lost), share)
            for name, lost, share in zip(monthly_moves.names, losses, shares, strict=True)
        ],
    }


def _origin_node(method_inputs: MethodInputs) -> str:
    """Return the node that the loss begins with: of an institution, that of its country."""
    return str(method_inputs.asked.get("node") or method_inputs.asked["origin"])


def _origin_loss(method_inputs: MethodInputs) -> Decimal:
    """Return what share of its value that node loses."""
    loss: Decimal = method_inputs.asked["loss_share"]
    of = method_inputs.asked.get("institution")
    return loss * of["country_share"] if of else loss


def _describe_assumption(method_inputs: MethodInputs) -> str | None:
    of = method_inputs.asked.get("institution")
    return (
        ASSUMPTION.format(country=of["country"], node=_origin_node(method_inputs)) if of else None
    )


def _sovereign_moves(months: Mapping[str, Mapping[int, float]]) -> MonthlyMoves:
    """Return the moves of currencies against the mean of all, named by their sovereigns."""
    names = {series: name for name, series in SOVEREIGNS.items()}
    return measure_against_mean(
        align_monthly_moves(
            {names[series]: one for series, one in months.items()}, extra=(EURO_NODE,)
        )
    )


def compute_debt_rank(impacts: Floats, start: Floats) -> tuple[Floats, int]:
    """Return what share of its value each node loses in the end, 0 to 1, and after how many rounds.

    Battiston et al. 2012: a node that loses passes that on once, by `impacts` from row to column,
    and is inactive afterwards, so that nothing goes round in circles.
    """
    links = impacts.copy()
    np.fill_diagonal(links, 0.0)
    lost = start.copy()
    distressed, done = start > 0, np.zeros(len(start), dtype=bool)
    count = 0
    while distressed.any():
        passed = (lost * distressed) @ links
        done |= distressed
        lost = np.minimum(1.0, lost + passed)
        distressed = (lost > 0) & ~done
        count += 1
    return lost, count


def _serialize_sovereign_loss(
    method_inputs: MethodInputs, name: str, lost: float, share: Decimal
) -> dict[str, Any]:
    """Return a sovereign: what it loses in all, and what it adds to the score."""
    point = method_inputs.point(SOVEREIGNS[name]) if SOVEREIGNS[name] else None
    lost_share = round_to_step(lost, FOUR_DECIMALS)
    return {
        "sovereign": name,
        "series": SOVEREIGNS[name],
        "value": lost_share,
        "signal": signal_of_place(100 * lost_share),
        "source": point.source if point else "",
        "contribution": share,
    }
