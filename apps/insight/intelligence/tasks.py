"""Background work of the intelligence service."""

from datetime import datetime

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.regimes import predictions
from apps.insight.intelligence.services import (
    issue_graph_edition,
    recalibrate_regimes,
    resolve_calls,
)


def resolve_daily_forecasts(key: str, now: datetime) -> None:
    """Record due outcomes, recalibrate predictions (once a month), and write the day's edition of
    the causal graph.

    Idempotent.
    """
    predictions.resolve_predictions(now=now)
    # after the outcomes of today, which it may use
    recalibrate_regimes.issue_recalibration(now=now)
    call, graph = product_of("48h-call"), product_of("causal-graph")
    assert call is not None
    assert graph is not None
    resolve_calls.resolve_calls(call, now=now)
    issue_graph_edition.issue_graph_edition(graph, now=now)
