"""Pass on a caller's loss of a sovereign or an institution to the others: DebtRank."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.comovement import (
    align_monthly_moves,
    joint_moves_matrix,
    measure_against_mean,
    positive_monthly_values,
)
from apps.insight.intelligence.methods.monthly_values import Floats, first_day_of_month
from apps.insight.intelligence.methods.stale_inputs import compute_most_strained
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import (
    ASSUMPTION,
    CONTAGION_BANDS,
    EURO_NODE,
    RATES,
    SOVEREIGNS,
    WINDOW_MONTHS,
)
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.reference.signals.composition import split_score
from apps.reference.signals.quality import TooFewInputs


def compute_contagion(known: MethodInputs) -> MethodResult:
    """Return the effect of a loss of `loss_share` at `origin` on the others.

    An `institution` enters at its country's `node`, which loses `country_share` of that loss.
    `contagionScore` is DebtRank in hundredths: the mean loss of the others, without the origin's
    own. Raises TooFewInputs if the origin or too many others are not known.
    """
    needed = SOVEREIGNS[_origin_node(known)]
    quality = known.judge([known.input(rate, required=rate == needed) for rate in RATES])
    then = known.ageless
    months = positive_monthly_values(then, RATES)

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        names = {series: name for name, series in SOVEREIGNS.items()}
        sovereign_moves = measure_against_mean(
            align_monthly_moves(
                {names[series]: months[series] for series in nodes if series in months},
                extra=(EURO_NODE,),
            )
        )
        node, loss = _origin_node(then), _origin_loss(then)
        if node not in sovereign_moves.names:
            raise TooFewInputs(f"No exchange rate is known for the origin ({SOVEREIGNS[node]}).")
        # transposed: a row says whose moves a node shares, a loss goes from the mover to the node
        impacts = joint_moves_matrix(sovereign_moves.values[-WINDOW_MONTHS:]).T
        start = np.zeros(len(sovereign_moves.names))
        start[sovereign_moves.names.index(node)] = float(loss)
        losses, rounds = compute_debt_rank(impacts, start)
        added = [
            round_to_step(100 * float(node_loss), FOUR_DECIMALS) for node_loss in losses - start
        ]
        shares = split_score(added, held=Decimal(len(added)))
        score = sum(shares, Decimal(0))
        of = then.asked.get("institution")
        assumption = (
            ASSUMPTION.format(country=of["country"], node=_origin_node(then)) if of else None
        )
        return {
            "contagion_score": score,
            "regime": label_of_score(score, CONTAGION_BANDS),
            "origin": then.asked["origin"],
            "loss_share": then.asked["loss_share"],
            "origin_sovereign": node,
            "origin_loss": loss,
            "institution": then.asked.get("institution"),
            "assumption": assumption,
            "rounds": rounds,
            "window_months": min(WINDOW_MONTHS, len(sovereign_moves.values)),
            "window_ends": first_day_of_month(sovereign_moves.months[-1]),
            "components": [
                _serialize_sovereign_loss(then, name, float(lost), share)
                for name, lost, share in zip(sovereign_moves.names, losses, shares, strict=True)
            ],
        }

    return compute_most_strained(known, quality, RATES, computed, "contagion_score")


def _origin_node(method_inputs: MethodInputs) -> str:
    """Return the node where the loss begins: for an institution, that of its country."""
    return str(method_inputs.asked.get("node") or method_inputs.asked["origin"])


def _origin_loss(method_inputs: MethodInputs) -> Decimal:
    """Return the share of its value that this node loses."""
    loss: Decimal = method_inputs.asked["loss_share"]
    of = method_inputs.asked.get("institution")
    return loss * of["country_share"] if of else loss


def compute_debt_rank(impacts: Floats, start: Floats) -> tuple[Floats, int]:
    """Return the share of its value that each node loses in the end, 0 to 1, and the rounds.

    `impacts` are from row to column.
    """
    links = impacts.copy()
    np.fill_diagonal(links, 0.0)
    lost = start.copy()
    distressed, done = start > 0, np.zeros(len(start), dtype=bool)
    count = 0
    while distressed.any():
        passed = (lost * distressed) @ links
        # Battiston et al. 2012: a node passes its loss on once and is inactive afterwards, so that
        # no loss goes round in circles
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
