"""The part that is the last run of the stability oracle."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.reports.rules.marks import of_sources
from apps.reports.shape import Part, Piece
from apps.stability.oracle import answers, standing


def _gather(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Return the last run; OracleUnavailable, OracleStale (503)."""
    last = standing.last(now)
    wire = answers.reliability(last, now)
    return Piece(
        data=dict(wire),
        quality=wire["dataQuality"],
        mark=of_sources(one["source"] for one in wire["sources"]),
        sources=[f"{one['source']}: {one['licence']}" for one in wire["sources"]],
        inputs={
            "service": "stability",
            "runId": str(last.run.run_id),
            "slot": last.run.slot,
            "method": last.run.method,
            "weights": last.run.weights,
        },
    )


PART = Part(name="stability", title="Stability of settlement", gather=_gather)
