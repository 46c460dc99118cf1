"""The part that is the last run of the stability oracle."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules.sample_marks import mark_of_sources
from apps.insight.stability.oracle import presenters
from apps.insight.stability.oracle.selectors import latest_run


def _gather_stability(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Return the last run; OracleUnavailable, OracleStale (503)."""
    last = latest_run.load_latest_run(now)
    wire = presenters.render_reliability(last, now)
    return PartResult(
        data=dict(wire),
        quality=wire["dataQuality"],
        mark=mark_of_sources(source["source"] for source in wire["sources"]),
        sources=[f"{source['source']}: {source['licence']}" for source in wire["sources"]],
        inputs={
            "service": "stability",
            "runId": str(last.run.run_id),
            "slot": last.run.slot,
            "method": last.run.method,
            "weights": last.run.weights,
        },
    )


PART = ReportPart(name="stability", title="Stability of settlement", gather=_gather_stability)
