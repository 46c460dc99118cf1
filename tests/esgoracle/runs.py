"""Runs of the live score as tests write them, without the series that they rest on."""

from datetime import datetime
from typing import Any

from apps.esgoracle import running
from apps.esgoracle.models import EsgRun
from apps.esgoracle.rules.live import PILLARS

INPUT = {
    "series": "x", "value": "1", "unit": "%", "source": "SAMPLE", "licence": "public domain",
    "as_of": "2026-11-01", "weight": "1", "strain": "50", "share": "50",
}  # fmt: skip
DETAIL: dict[str, Any] = {
    "version": "x",
    "average": "50",
    "as_of": "2026-11-01T00:00:00Z",
    "pillars": [
        {
            "pillar": one.pillar, "score": "50", "composite": one.composite, "version": "1",
            "strain": "50", "band": "CALM", "coverage": "1", "data_quality": "LIVE",
            "reasons": [], "inputs": [INPUT],
        }
        for one in PILLARS
    ],
}  # fmt: skip


def ran(at: datetime, *, ok: bool = True) -> None:
    """Write a run of a moment: one that came to 50 in every pillar, or to nothing."""
    words = {"quality": "LIVE", "detail": DETAIL} if ok else {"reason": "no data"}
    EsgRun.objects.create(slot=running.slot_of(at), ran_at=at, ok=ok, **words)
