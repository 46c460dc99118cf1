"""The past of a composite: what it would have been on each day, with the data of today. Pure.

Each day is placed among what was seen up to it and not after (an expanding window), so that what is
counted on a trail was open when it was counted. Publishers' later revisions are in it.
"""

from bisect import insort
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

from apps.intelligence.known import Known
from apps.signals.composing import LONG, History, place
from apps.signals.composites import Composite, Part

Trail = list[tuple[date, Decimal]]


def trail(row: Composite, past: Mapping[str, History]) -> Trail:
    """Return the score of each day on which all required inputs have a value of their own.

    Other inputs count with their last value. As in the composite itself, an input counts once
    its history spans ten years, and there is no score below the row's coverage.
    """
    places = {part.series: dict(_places(part, past.get(part.series, ()))) for part in row.parts}
    core = [set(places[part.series]) for part in row.parts if part.required]
    days = set.intersection(*core) if core else set().union(*map(set, places.values()))
    return list(_scores(row, places, sorted(days)))


def trail_of(known: Known, row: Composite) -> Trail:
    """Return the trail of a composite, of the series that count now."""
    return trail(row, {part.series: known.history(part.series) for part in row.parts})


def _places(part: Part, past: History) -> Iterator[tuple[date, Decimal]]:
    seen: list[Decimal] = []
    for day, value in past:
        insort(seen, value)
        if day - past[0][0] >= LONG:
            yield day, place(value, seen, part.direction)


def _scores(
    row: Composite, places: Mapping[str, Mapping[date, Decimal]], days: list[date]
) -> Iterator[tuple[date, Decimal]]:
    walks = {name: iter(sorted(found.items())) for name, found in places.items()}
    ahead = {name: next(walk, None) for name, walk in walks.items()}
    held: dict[str, Decimal] = {}
    for day in days:
        for name, walk in walks.items():
            while (one := ahead[name]) and one[0] <= day:
                held[name] = one[1]
                ahead[name] = next(walk, None)
        weight = sum((part.weight for part in row.parts if part.series in held), Decimal(0))
        if weight >= row.coverage:
            known = (part.weight * held[part.series] for part in row.parts if part.series in held)
            yield day, sum(known, Decimal(0)) / weight
