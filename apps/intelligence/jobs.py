"""Background work of the intelligence service."""

from datetime import datetime

from apps.intelligence.catalogue import product_of
from apps.intelligence.daily import calls, editions, recalibrating
from apps.intelligence.regimes import keeping


def resolve(key: str, now: datetime) -> None:
    """Write what came of what was foretold, what that says of the next predictions (once a month),
    and the day's edition of the causal graph.

    Run twice, it writes nothing twice.
    """
    keeping.resolve(now=now)
    recalibrating.issue(now=now)
    call, graph = product_of("48h-call"), product_of("causal-graph")
    assert call is not None
    assert graph is not None
    calls.resolve(call, now=now)
    editions.issue(graph, now=now)
