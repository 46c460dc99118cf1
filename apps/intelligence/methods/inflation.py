"""What something has told of consumer prices: the lead of its changes over those of inflation."""

from typing import Any

from apps.intelligence.known import Known, rounded
from apps.intelligence.rules import leads
from apps.intelligence.rules.leads import Levels
from apps.intelligence.telling import HUNDREDTH

PRICES = "us.cpi.yoy"
SPAN = 3  # months over which both change


def lead_of(known: Known, leader: Levels) -> dict[str, Any]:
    """Return what a monthly leader tells of inflation; see InflationLeadOut.

    `leader` is by month (`leads.month_of`). Changes of a quarter of it and of the yearly change of
    consumer prices are held against each other at lags of 1 to 18 months.
    """
    moves = leads.changes(leader, SPAN)
    prices = leads.periods(known.history(PRICES), leads.month_of)
    found = leads.lead(moves, leads.changes(prices, SPAN), leads.MONTHS)
    return {
        "signal": leads.turned(found, moves, leads.PRICES),
        "lead_months": found.lag if found and found.stands else None,
        "correlation": rounded(found.correlation, HUNDREDTH) if found else None,
        "pairs": found.pairs if found else 0,
    }
