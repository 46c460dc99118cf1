"""Calls on 48 hours are held against what came: each once its days must be known, and only once.

A call is looked at as all was known two weeks after its day, however late this runs: by then the
slowest publisher has told of the day and of the four after it that may decide.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.intelligence import knowing
from apps.intelligence.catalogue.shape import Product
from apps.intelligence.known import rounded
from apps.intelligence.models import CallOutcome, IntelligenceAnswer
from apps.intelligence.regimes import standing
from apps.intelligence.rules import calls
from apps.intelligence.rules.subjects import SUBJECTS
from apps.intelligence.telling import HUNDREDTH
from apps.intelligence.trails import Trail, trail

WAIT = timedelta(days=14)
DAY = timedelta(days=1)
AT_ONCE = 100
MILLION = 1_000_000
Trails = Mapping[str, Trail]


def resolve(product: Product, *, now: datetime) -> int:
    """Write what came of the calls whose two weeks are over; returns how many answers were scored.

    An answer that does not prove itself is left alone, and those behind it are not. An outcome
    that does not is none.
    """
    last = datetime.combine(now.date() - WAIT, time(), UTC) - calls.AHEAD
    over = IntelligenceAnswer.objects.filter(product=product.name, recorded_at__lt=last)
    over = over.exclude(payload="").order_by("pk")
    known = {one.of for one in standing.called(now)}
    waiting = [pk for pk in over.values_list("pk", flat=True) if pk not in known]
    days = dict[date, Trails]()
    done = 0
    for some in chunks(waiting, AT_ONCE):
        for one in proven(over.filter(pk__in=some)):
            told = json.loads(one.data["body"])["calls"]
            day = datetime.fromisoformat(told[0]["resolvesAt"]).date()
            if day not in days:
                days[day] = trails_on(product, day)
            done += _written(one, told, day, days[day], now)
    return done


def trails_on(product: Product, day: date) -> Trails:
    """Return the past of each subject as it was known two weeks after a day, however old it was."""
    seen = datetime.combine(day + WAIT + DAY, time(), UTC)
    known = knowing.known(product, as_of=seen)
    return {row.name: trail(row, known.past) for row in SUBJECTS}


def _written(
    one: IntelligenceAnswer, told: list[Any], day: date, trails: Trails, now: datetime
) -> bool:
    """Keep what came of an answer's calls, all or none; False where another run was quicker."""
    with transaction.atomic():
        IntelligenceAnswer.objects.select_for_update().get(pk=one.pk)
        if proven(one.call_outcomes.all()):
            return False
        for call in told:
            came = came_on(trails.get(call["subject"], []), day, call["fromScore"])
            CallOutcome.write(
                payload=dict(came.payload),
                now=now,
                answer_id=one.pk,
                subject=call["subject"],
                due=day,
                direction=call["direction"],
                came=came.direction,
                **scores(call, came.direction),
            )
    return True


@dataclass(frozen=True, slots=True)
class Came:
    """Where a score went; nothing where that is not known."""

    direction: str
    payload: Mapping[str, str]


def came_on(trail: Trail, day: date, before: float | str | None) -> Came:
    """Return where a score had gone by a day: by its first value of it or of the four after."""
    after = next((one for one in trail if day <= one[0] <= day + calls.SLACK), None)
    if after is None or before is None:
        return Came("", {})
    start, end = Decimal(str(before)), rounded(after[1], HUNDREDTH)
    payload = {"from": str(start), "score": str(end), "day": after[0].isoformat()}
    return Came(calls.move(start, end), payload)


def scores(call: Mapping[str, Any], came: str) -> dict[str, Any]:
    """Return how good a call was; nothing where none was made, or nothing is known."""
    if not came or call["direction"] == calls.NO_CALL:
        return {}
    said, base = _chances(call["probabilities"]), _chances(call["baseRates"])
    return {
        "right": call["direction"] == came,
        "brier": round(MILLION * calls.brier(said, came)),
        "brier_base": round(MILLION * calls.brier(base, came)),
    }


def _chances(told: Mapping[str, Any]) -> calls.Chances:
    return {name: Decimal(str(told[name.lower()])) for name in calls.OUTCOMES}
