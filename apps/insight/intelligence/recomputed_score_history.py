"""The past of a composite: its value on each day, from the data of today. Pure.

Each day is ranked among the values up to it (an expanding window). Later revisions by publishers
are included.
"""

from bisect import insort
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.reference.signals.composites import Composite, Part
from apps.reference.signals.composition import LONG_ENOUGH, History, rank_in_history

ScoreHistory = list[tuple[date, Decimal]]


def build_score_history(row: Composite, past: Mapping[str, History]) -> ScoreHistory:
    """Return the score of each day on which all required inputs have a value of their own.

    Other inputs count with their last value. As in the composite itself, an input counts once
    its history spans ten years, and there is no score below the row's coverage.
    """
    places = {
        part.series: dict(_place_each_day(part, past.get(part.series, ()))) for part in row.parts
    }
    core = [set(places[part.series]) for part in row.parts if part.required]
    days = set.intersection(*core) if core else set().union(*map(set, places.values()))
    return list(_score_each_day(row, places, sorted(days)))


def current_score_history(known: MethodInputs, row: Composite) -> ScoreHistory:
    """Return the score history of a composite, from the series that count now."""
    return build_score_history(row, {part.series: known.history(part.series) for part in row.parts})


def _place_each_day(part: Part, past: History) -> Iterator[tuple[date, Decimal]]:
    seen: list[Decimal] = []
    for day, value in past:
        insort(seen, value)
        if day - past[0][0] >= LONG_ENOUGH:
            # among the values up to that day only: later ones would let past cases see the future
            yield day, rank_in_history(value, seen, part.direction)


def _score_each_day(
    row: Composite, places: Mapping[str, Mapping[date, Decimal]], days: list[date]
) -> Iterator[tuple[date, Decimal]]:
    walks = {
        name: iter(sorted(scores_of_series.items())) for name, scores_of_series in places.items()
    }
    ahead = {name: next(walk, None) for name, walk in walks.items()}
    last_scores: dict[str, Decimal] = {}
    for day in days:
        for name, walk in walks.items():
            while (entry := ahead[name]) and entry[0] <= day:
                last_scores[name] = entry[1]
                ahead[name] = next(walk, None)
        weight = sum((part.weight for part in row.parts if part.series in last_scores), Decimal(0))
        if weight >= row.coverage:
            known = (
                part.weight * last_scores[part.series]
                for part in row.parts
                if part.series in last_scores
            )
            yield day, sum(known, Decimal(0)) / weight
