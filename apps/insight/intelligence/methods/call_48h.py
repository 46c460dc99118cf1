"""A call on the coming 48 hours: whether stress will rise or fall, by past outcomes."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.recomputed_score_history import current_score_history
from apps.insight.intelligence.rules import calls_48h
from apps.insight.intelligence.rules.calls_48h import CallTrackRecord, OutcomeChances
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.composites import Composite

HEADLINE_SUBJECT = SUBJECTS[0]


def compute_calls(known: MethodInputs) -> MethodResult:
    """Return the call; raises TooFewInputs without credit and volatility."""
    composed = known.compose(HEADLINE_SUBJECT)
    calls_made = [_serialize_call(known, row) for row in SUBJECTS]
    first = next(
        (call for call in calls_made if call["direction"] != calls_48h.NO_CALL),
        calls_made[0],
    )
    body: dict[str, Any] = {
        "stress_index": composed.score,
        "regime": composed.band,
        "call": first,
        "calls": calls_made,
        "components": component_payloads.serialize_components(composed),
    }
    # only the headline subject is required: without it there is no answer at all
    inputs = [
        known.input(
            part.series,
            part.weight / len(SUBJECTS),
            required=part.required and row is HEADLINE_SUBJECT,
        )
        for row in SUBJECTS
        for part in row.parts
    ]
    quality = carried_forward_labels.merge_held_inputs(known.judge(inputs), composed.quality)
    return MethodResult(body=body, quality=quality)


def _serialize_call(method_inputs: MethodInputs, row: Composite) -> dict[str, Any]:
    """Return the call on one composite; see CallOut."""
    past = current_score_history(method_inputs, row)
    until = method_inputs.as_of + calls_48h.AHEAD
    # publishers are late: the call spans from the last known day, which is more than 48 hours
    ahead = until.date() - past[-1][0] if past else calls_48h.AHEAD
    call = calls_48h.make_call(past, row.band, ahead)
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
    payload = {
        name.lower(): round_to_step(chance, FOUR_DECIMALS)
        for name, chance in outcome_chances.items()
    }
    # by difference, so that the rounded chances sum to 1
    return payload | {"unchanged": 1 - payload["higher"] - payload["lower"]}


def _serialize_track_record(track_record: CallTrackRecord | None) -> dict[str, Any] | None:
    if track_record is None:
        return None
    return {
        "scored": track_record.scored,
        "brier": round_to_step(track_record.brier, FOUR_DECIMALS),
        "brier_of_base_rates": round_to_step(track_record.base, FOUR_DECIMALS),
        "skill": round_to_step(track_record.skill, FOUR_DECIMALS),
    }
