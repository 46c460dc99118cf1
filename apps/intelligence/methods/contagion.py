"""A loss that a caller names, of a sovereign or of an institution, passed on: DebtRank."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.comoving import Moves, basket, moves, of_months, together
from apps.intelligence.methods.lapsing import graver
from apps.intelligence.methods.months import Floats, first_day
from apps.intelligence.methods.triggering import FINE
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.rules.webs import (
    ASSUMED,
    CONTAGION,
    RATES,
    SOVEREIGNS,
    UNION,
    WINDOW,
    band,
)
from apps.signals.composing import split
from apps.signals.quality import Unavailable


def compute(known: Known) -> Made:
    """Return what a loss of `loss_share` at `origin` does to the others.

    An `institution` stands in the row of its country's `node`, which loses `country_share` of that.
    `contagionScore` is DebtRank in hundredths: the mean of what the others lose, beside the
    origin's own loss. Raises Unavailable where the origin or too many others are not known.
    """
    needed = SOVEREIGNS[_node(known)]
    quality = known.judge([known.input(one, required=one == needed) for one in RATES])
    then = known.ageless
    months = of_months(then, RATES)

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        return _computed(then, _sovereigns({one: months[one] for one in nodes if one in months}))

    return graver(known, quality, RATES, computed, "contagion_score")


def _computed(known: Known, found: Moves) -> dict[str, Any]:
    node, loss = _node(known), _loss(known)
    if node not in found.names:
        raise Unavailable("The history of the origin is too short.")
    impacts = together(found.values[-WINDOW:]).T
    start = np.zeros(len(found.names))
    start[found.names.index(node)] = float(loss)
    losses, rounds = debt_rank(impacts, start)
    added = [rounded(100 * float(one), FINE) for one in losses - start]
    shares = split(added, held=Decimal(len(added)))
    score = sum(shares, Decimal(0))
    return {
        "contagion_score": score,
        "regime": band(CONTAGION, score),
        "origin": known.asked["origin"],
        "loss_share": known.asked["loss_share"],
        "origin_sovereign": node,
        "origin_loss": loss,
        "institution": known.asked.get("institution"),
        "assumption": _assumed(known),
        "rounds": rounds,
        "window_months": min(WINDOW, len(found.values)),
        "window_ends": first_day(found.months[-1]),
        "components": [
            _component(known, name, float(lost), share)
            for name, lost, share in zip(found.names, losses, shares, strict=True)
        ],
    }


def _node(known: Known) -> str:
    """Return the node that the loss begins with: of an institution, that of its country."""
    return str(known.asked.get("node") or known.asked["origin"])


def _loss(known: Known) -> Decimal:
    """Return what share of its value that node loses."""
    loss: Decimal = known.asked["loss_share"]
    of = known.asked.get("institution")
    return loss * of["country_share"] if of else loss


def _assumed(known: Known) -> str | None:
    of = known.asked.get("institution")
    return ASSUMED.format(country=of["country"], node=_node(known)) if of else None


def _sovereigns(months: Mapping[str, Mapping[int, float]]) -> Moves:
    """Return the moves of currencies against the mean of all, named by their sovereigns."""
    names = {series: name for name, series in SOVEREIGNS.items()}
    return basket(moves({names[series]: one for series, one in months.items()}, extra=(UNION,)))


def debt_rank(impacts: Floats, start: Floats) -> tuple[Floats, int]:
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


def _component(known: Known, name: str, lost: float, share: Decimal) -> dict[str, Any]:
    """Return a sovereign: what it loses in all, and what it adds to the score."""
    point = known.point(SOVEREIGNS[name]) if SOVEREIGNS[name] else None
    lost_share = rounded(lost, FINE)
    return {
        "sovereign": name,
        "series": SOVEREIGNS[name],
        "value": lost_share,
        "signal": signal_of(100 * lost_share),
        "source": point.source if point else "",
        "contribution": share,
    }
