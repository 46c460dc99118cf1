"""The ESG score by which payments are priced: the live one (document 3 section 2.4).

An entity's own score is not used: it is stored only for entities requested within seven days, with
data supplied by that caller, so a third party could influence the fee of a payment.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.insight.esg.oracle.selectors import latest_run
from apps.insight.esg.oracle.selectors.latest_run import ScoreStale, ScoreUnavailable
from apps.insight.stability.fees.rules.fees import DEFAULT_SCORE

REREAD_EVERY = 1.0  # seconds between reads of the ledger, per process


@dataclass(frozen=True, slots=True)
class EsgScore:
    """0 to 100, and the slot of its run; none if it is the default.

    `quality` is that of the run, and `sample` tells whether any of it is of the bundled sample.
    """

    points: Decimal
    slot: int | None
    quality: str
    sample: bool


_cached: dict[str, Any] = {"looked": float("-inf"), "found": None}


def load_live_esg_score(now: datetime) -> EsgScore:
    """Return the live score, and the default of a quote where there is none."""
    # each payment is priced with it, and it changes with a run of the oracle only
    if time.monotonic() - _cached["looked"] >= REREAD_EVERY:
        _cached.update(found=_read_live_score(now), looked=time.monotonic())
    esg_score: EsgScore = _cached["found"]
    return esg_score


def clear_esg_score_cache() -> None:
    """Look anew at the next call."""
    _cached.update(looked=float("-inf"), found=None)


def _read_live_score(now: datetime) -> EsgScore:
    try:
        run = latest_run.load_latest_run(now=now)
    except (ScoreUnavailable, ScoreStale):
        return EsgScore(Decimal(DEFAULT_SCORE), None, "ESTIMATED", sample=False)
    sample = any("sample" in pillar["reasons"] for pillar in run.data["pillars"])
    return EsgScore(run.points or Decimal(), run.slot, run.quality, sample)
