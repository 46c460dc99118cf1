"""A call on the coming 48 hours: whether stress will be higher or lower, by what followed."""

from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.rules import calls
from apps.intelligence.rules.calls import Chances, Record
from apps.intelligence.rules.subjects import SUBJECTS
from apps.intelligence.telling import HUNDREDTH
from apps.intelligence.trails import trail_of
from apps.signals import holding
from apps.signals.composites import Composite
from apps.signals.quality import Input

HEADLINE = SUBJECTS[0]


def compute(known: Known) -> Made:
    """Return the call; raises Unavailable without credit and volatility."""
    made = known.compose(HEADLINE)
    told = [_told(known, row) for row in SUBJECTS]
    first = next((one for one in told if one["direction"] != calls.NO_CALL), told[0])
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": made.band,
        "call": first,
        "calls": told,
        "components": telling.components(made),
    }
    quality = holding.also(known.judge(_inputs(known)), made.quality)
    return Made(body=body, quality=quality)


def _inputs(known: Known) -> list[Input]:
    """Return what all calls rest on, each subject alike; without the first one there is none."""
    return [
        known.input(
            part.series,
            part.weight / len(SUBJECTS),
            required=part.required and row is HEADLINE,
        )
        for row in SUBJECTS
        for part in row.parts
    ]


def _told(known: Known, row: Composite) -> dict[str, Any]:
    """Return the call on one composite; see CallOut."""
    past = trail_of(known, row)
    until = known.as_of + calls.AHEAD
    ahead = until.date() - past[-1][0] if past else calls.AHEAD
    made = calls.call(past, row.band, ahead)
    probability = made.chances.get(made.direction)
    return {
        "subject": row.name,
        "title": row.title,
        "direction": made.direction,
        "probability": None if probability is None else rounded(probability, HUNDREDTH),
        "probabilities": _chances(made.chances),
        "base_rates": _chances(made.base),
        "edge": None if made.edge is None else rounded(made.edge, HUNDREDTH),
        "conviction": made.conviction,
        "cases": made.cases,
        "cases_apart": made.apart,
        "all_cases": made.all_cases,
        "state": {"band": made.state[0], "came_from": made.state[1]} if made.state else None,
        "track_record": _record(made.record),
        "from_score": rounded(past[-1][1], HUNDREDTH) if past else None,
        "from_day": past[-1][0] if past else None,
        "days_ahead": ahead.days if past else None,
        "resolves_at": until,
    }


def _chances(found: Chances) -> dict[str, Decimal] | None:
    """Return the chance of each outcome, by the names of ChancesOut; they sum to 1."""
    if not found:
        return None
    told = {name.lower(): rounded(one, HUNDREDTH) for name, one in found.items()}
    return told | {"unchanged": 1 - told["higher"] - told["lower"]}


def _record(found: Record | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "scored": found.scored,
        "brier": rounded(found.brier, HUNDREDTH),
        "brier_of_base_rates": rounded(found.base, HUNDREDTH),
        "skill": rounded(found.skill, HUNDREDTH),
    }
