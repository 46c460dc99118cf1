"""The ESG score by which payments are priced: the live one (document 3 section 2.4).

An entity's own score is not taken: one is held for those alone of whom somebody asked within seven
days, with what that caller told of it, so that the fee of a payment would be a stranger's to move.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.esgoracle import standing
from apps.esgoracle.standing import ScoreStale, ScoreUnavailable
from apps.stability.rules.fees import DEFAULT_SCORE

LOOK_EVERY = 1.0  # seconds between looks at the ledger, per process


@dataclass(frozen=True, slots=True)
class Score:
    """0 to 100, and the slot of the run that it is of; none where the default stands for it."""

    points: Decimal
    slot: int | None


_held: dict[str, Any] = {"looked": float("-inf"), "found": None}


def score(now: datetime) -> Score:
    """Return the live score, and the default of a quote where there is none."""
    if time.monotonic() - _held["looked"] >= LOOK_EVERY:
        _held.update(found=_now(now), looked=time.monotonic())
    found: Score = _held["found"]
    return found


def forget() -> None:
    """Look anew at the next call."""
    _held.update(looked=float("-inf"), found=None)


def _now(now: datetime) -> Score:
    try:
        run = standing.last(now=now)
    except (ScoreUnavailable, ScoreStale):
        return Score(Decimal(DEFAULT_SCORE), None)
    return Score(run.points or Decimal(), run.slot)
