"""A call on the coming 48 hours: whether stress will be higher or lower, by what followed."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.rules import calls
from apps.insight.intelligence.rules.call_subjects import SUBJECTS
from apps.insight.intelligence.rules.calls import CallTrackRecord, OutcomeChances
from apps.insight.intelligence.score_history import current_score_history
from apps.reference.signals import held_inputs
from apps.reference.signals.composites import Composite
from apps.reference.signals.quality import SeriesInput

HEADLINE_SUBJECT = SUBJECTS[0]


def compute_calls(known: MethodInputs) -> MethodResult:
    """Return the call; raises TooFewInputs without credit and volatility."""
    made = known.compose(HEADLINE_SUBJECT)
    told = [_serialize_call(known, row) for row in SUBJECTS]
    first = next((one for one in told if one["direction"] != calls.NO_CALL), told[0])
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": made.band,
        "call": first,
        "calls": told,
        "components": component_payloads.serialize_components(made),
    }
    quality = held_inputs.merge_held_inputs(known.judge(_inputs_of_calls(known)), made.quality)
    return MethodResult(body=body, quality=quality)


def _inputs_of_calls(method_inputs: MethodInputs) -> list[SeriesInput]:
    """Return what all calls rest on, each subject alike; without the first one there is none."""
    return [
        method_inputs.input(
            part.series,
            part.weight / len(SUBJECTS),
            required=part.required and row is HEADLINE_SUBJECT,
        )
        for row in SUBJECTS
        for part in row.parts
    ]


def _serialize_call(method_inputs: MethodInputs, row: Composite) -> dict[str, Any]:
    """Return the call on one composite; see CallOut."""
    past = current_score_history(method_inputs, row)
    until = method_inputs.as_of + calls.AHEAD
    ahead = until.date() - past[-1][0] if past else calls.AHEAD
    call = calls.make_call(past, row.band, ahead)
    probability = call.chances.get(call.direction)
    return {
        "subject": row.name,
        "title": row.title,
        "direction": call.direction,
        "probability": None if probability is None else round_to_step(probability, FOUR_DECIMALS),
        "probabilities": _serialize_chances(call.chances),
        "base_rates": _serialize_chances(call.base),
        "edge": None if call.edge is None else round_to_step(call.edge, FOUR_DECIMALS),
        "conviction": call.conviction,
        "cases": call.cases,
        "cases_apart": call.apart,
        "all_cases": call.all_cases,
        "state": {"band": call.state[0], "came_from": call.state[1]} if call.state else None,
        "track_record": _serialize_track_record(call.record),
        "from_score": round_to_step(past[-1][1], FOUR_DECIMALS) if past else None,
        "from_day": past[-1][0] if past else None,
        "days_ahead": ahead.days if past else None,
        "resolves_at": until,
    }


def _serialize_chances(outcome_chances: OutcomeChances) -> dict[str, Decimal] | None:
    """Return the chance of each outcome, by the names of ChancesOut; they sum to 1."""
    if not outcome_chances:
        return None
    told = {
        name.lower(): round_to_step(one, FOUR_DECIMALS) for name, one in outcome_chances.items()
    }
    return told | {"unchanged": 1 - told["higher"] - told["lower"]}


def _serialize_track_record(track_record: CallTrackRecord | None) -> dict[str, Any] | None:
    if track_record is None:
        return None
    return {
        "scored": track_record.scored,
        "brier": round_to_step(track_record.brier, FOUR_DECIMALS),
        "brier_of_base_rates": round_to_step(track_record.base, FOUR_DECIMALS),
        "skill": round_to_step(track_record.skill, FOUR_DECIMALS),
    }
