"""Compare 48-hour calls with their outcomes, once their days are known.

A call is judged by what was known two weeks after its day, however late this runs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.models import CallOutcome, IntelligenceAnswer
from apps.insight.intelligence.recomputed_score_history import ScoreHistory, build_score_history
from apps.insight.intelligence.regimes import track_record
from apps.insight.intelligence.rules import calls_48h
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.insight.intelligence.selectors import product_inputs
from apps.platform.common.batches import iter_chunks
from apps.platform.common.days import start_of_day
from apps.platform.ledger.verification.verified_reads import filter_verified_records

# by then the slowest publisher has reported the day and the four after it that may decide
RESOLUTION_DELAY = timedelta(days=14)
DAY = timedelta(days=1)
BATCH_SIZE = 100
MILLION = 1_000_000
ScoreHistories = Mapping[str, ScoreHistory]


def resolve_calls(product: Product, *, now: datetime) -> int:
    """Record outcomes of calls two weeks after their day; returns how many answers were scored.

    An answer that fails its integrity check is skipped; an outcome that fails it does not count,
    and is recorded again.
    """
    last = start_of_day(now.date() - RESOLUTION_DELAY) - calls_48h.AHEAD
    over = IntelligenceAnswer.objects.filter(product=product.name, recorded_at__lt=last)
    over = over.exclude(payload="").order_by("pk")
    known = {call_result.of for call_result in track_record.load_call_results(now)}
    waiting = [pk for pk in over.values_list("pk", flat=True) if pk not in known]
    days = dict[date, ScoreHistories]()
    done = 0
    for chunk in iter_chunks(waiting, BATCH_SIZE):
        for intelligence_answer in filter_verified_records(over.filter(pk__in=chunk)):
            stored_calls = json.loads(intelligence_answer.data["body"])["calls"]
            day = datetime.fromisoformat(stored_calls[0]["resolvesAt"]).date()
            if day not in days:
                days[day] = score_histories_on(product, day)
            done += _record_call_outcomes(intelligence_answer, stored_calls, day, days[day], now)
    return done


def score_histories_on(product: Product, day: date) -> ScoreHistories:
    """Return the past of each subject as it was known two weeks after a day, however old it was."""
    as_of = start_of_day(day + RESOLUTION_DELAY + DAY)
    method_inputs = product_inputs.load_method_inputs(product, as_of=as_of)
    return {row.name: build_score_history(row, method_inputs.past) for row in SUBJECTS}


def _record_call_outcomes(
    intelligence_answer: IntelligenceAnswer,
    stored_calls: list[Any],
    day: date,
    trails: ScoreHistories,
    now: datetime,
) -> bool:
    """Record the outcomes of an answer's calls, all or none; False if another run already did."""
    with transaction.atomic():
        # locks the answer against a second run of the job: no constraint does, because a forged
        # outcome would then keep the true one out
        IntelligenceAnswer.objects.select_for_update().get(pk=intelligence_answer.pk)
        if filter_verified_records(intelligence_answer.call_outcomes.all()):
            return False
        for call in stored_calls:
            score_move = find_score_move(trails.get(call["subject"], []), day, call["fromScore"])
            CallOutcome.write(
                payload=dict(score_move.payload),
                now=now,
                answer_id=intelligence_answer.pk,
                subject=call["subject"],
                due=day,
                direction=call["direction"],
                came=score_move.direction,
                **score_call(call, score_move.direction),
            )
    return True


@dataclass(frozen=True, slots=True)
class ScoreMove:
    """The direction of a score; empty if it is not known."""

    direction: str
    payload: Mapping[str, str]


def find_score_move(trail: ScoreHistory, day: date, before: float | str | None) -> ScoreMove:
    """Return a score's direction by a day, from the first value of that day or the four after
    it."""
    after = next((entry for entry in trail if day <= entry[0] <= day + calls_48h.MAX_DELAY), None)
    if after is None or before is None:
        return ScoreMove("", {})
    start, end = Decimal(str(before)), round_to_step(after[1], FOUR_DECIMALS)
    payload = {"from": str(start), "score": str(end), "day": after[0].isoformat()}
    return ScoreMove(calls_48h.direction_of_move(start, end), payload)


def score_call(call: Mapping[str, Any], came: str) -> dict[str, Any]:
    """Return the scores of a call; empty if none was made, or its outcome is not known."""
    if not came or call["direction"] == calls_48h.NO_CALL:
        return {}
    call_chances, base = (
        _parse_call_chances(call["probabilities"]),
        _parse_call_chances(call["baseRates"]),
    )
    return {
        "right": call["direction"] == came,
        "brier": round(MILLION * calls_48h.brier_score(call_chances, came)),
        "brier_base": round(MILLION * calls_48h.brier_score(base, came)),
    }


def _parse_call_chances(stored_chances: Mapping[str, Any]) -> calls_48h.OutcomeChances:
    return {name: Decimal(str(stored_chances[name.lower()])) for name in calls_48h.OUTCOMES}
