"""Runs of the live score as tests write them, without the series that they rest on."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle.rules.live_score import PILLARS
from apps.insight.esg.oracle.services import oracle_runs

INPUT = {
    "series": "x", "value": "1", "unit": "%", "source": "SAMPLE", "licence": "public domain",
    "as_of": "2026-11-01", "nominal_weight": "1", "weight": "1", "strain": "50", "share": "50",
}  # fmt: skip
TOLD: dict[str, Any] = {
    "average": "50",
    "data_quality": "LIVE",
    "as_of": "2026-11-01T00:00:00Z",
    "pillars": [
        {
            "pillar": one.pillar, "score": "50", "contribution": part, "composite": one.composite,
            "version": "1", "strain": "50", "band": "CALM", "coverage": "1",
            "data_quality": "LIVE", "reasons": [], "inputs": [INPUT],
        }
        for one, part in zip(PILLARS, ("16.6667", "16.6667", "16.6666"), strict=True)
    ],
}  # fmt: skip


def ran(at: datetime, *, ok: bool = True) -> EsgRun:
    """Write a run of a moment: one that came to 50 in every pillar, or to nothing."""
    if ok:
        run = oracle_runs.store_run(payload=TOLD, points=Decimal(50), quality="LIVE", now=at)
    else:
        run = oracle_runs.store_run(payload={"fault": "no data"}, points=None, quality="", now=at)
    assert run is not None
    return run
