"""The composite at the end of each month of its past, and signals that lead it. Pure.

A month knows what had been published by its end: a value counts once the `lag` of its file has
passed. Its score is computed as that of the composite (signals/composition.py): the same window,
ages and held inputs. Values are those known now, including revisions by publishers.
"""

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from types import MappingProxyType

from apps.insight.intelligence.regimes.leading_signals import LEADING_SIGNALS
from apps.platform.common.days import month_number
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composites import Composite, Part
from apps.reference.signals.composition import LONG_ENOUGH, SCORE_STEP, History, rank_in_history
from apps.reference.signals.points import Point
from apps.reference.signals.selectors.series_values import series_max_age
from apps.reference.signals.series import find_feed, find_series

# a quarter and its publication lag: an older value leads nothing
MAX_SIGNAL_AGE = timedelta(days=100)
DAY, ZERO = timedelta(days=1), Decimal(0)
MaxAgeBySeries = Mapping[str, timedelta | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegimeMonth:
    """A month: its last day and number, the composite, the place of each input that counted.

    `leads` are the signals that lead, in their units, by name.
    """

    day: date
    number: int
    score: float
    places: Mapping[str, float]
    leads: Mapping[str, float]


def build_past_months(
    row: Composite,
    histories: Mapping[str, History],
    *,
    until: date,
    ages: MaxAgeBySeries = MappingProxyType({}),
) -> tuple[RegimeMonth, ...]:
    """Return the months that had ended by a day and of which enough was known, oldest first.

    `ages` say how old the values of a series may be, None for any age; see `max_ages_of_points`.
    """
    # each reader walks through its history once, so that all months together cost one pass
    readers = [
        _PlaceReader(
            part,
            [entry for entry in histories.get(part.series, ()) if entry[0] >= row.start],
            ages[part.series] if part.series in ages else series_max_age(part.series),
        )
        for part in row.parts
    ]
    leads = {
        lead.name: _HistoryCursor(lead.values(histories), publication_lag_of(lead.series))
        for lead in LEADING_SIGNALS
    }
    return tuple(
        past_month
        for day in _iterate_month_ends(row.start, until)
        if (past_month := _build_past_month(row, day, readers, leads)) is not None
    )


def max_ages_of_points(points: Mapping[str, Point]) -> MaxAgeBySeries:
    """Return how old values may be; those of the sample have no limit."""
    return {name: None if point.sample else point.max_age for name, point in points.items()}


def publication_lag_of(name: str) -> timedelta:
    """Return how long after its day a value is published: the lag of its slowest input."""
    row = find_series(name)
    if row is None:
        return DAY
    feed = find_feed(row)
    return feed.lag if feed else max(publication_lag_of(input_) for input_ in row.inputs)


def _build_past_month(
    row: Composite,
    day: date,
    readers: Sequence["_PlaceReader"],
    leads: Mapping[str, "_HistoryCursor"],
) -> RegimeMonth | None:
    readings = [(reader.part, seen) for reader in readers if (seen := reader.at(day)) is not None]
    signals = {
        name: value for name, cursor in leads.items() if (value := cursor.at(day)) is not None
    }
    good = {part.series: (part.weight, place) for part, (place, young) in readings if young}
    old = {part.series: (part.weight, place) for part, (place, young) in readings if not young}
    if sum((input_weight for input_weight, _ in good.values()), ZERO) < row.coverage:
        return None
    if any(part.required and part.series not in good for part in row.parts):
        return None
    inputs = good | {name: old[name] for name in choose_carried_forward_inputs(good.values(), old)}
    weight = sum((input_weight for input_weight, _ in inputs.values()), ZERO)
    score = sum((input_weight * place for input_weight, place in inputs.values()), ZERO) / weight
    places = {
        part.series: float(inputs[part.series][1]) for part in row.parts if part.series in inputs
    }
    return RegimeMonth(
        day=day,
        number=month_number(day),
        score=float(score.quantize(SCORE_STEP, ROUND_HALF_EVEN)),
        places=places,
        leads=signals,
    )


def _iterate_month_ends(start: date, until: date) -> Iterator[date]:
    """Yield the last days of months from that of `start` to the last that is over on `until`."""
    day = date(start.year, start.month, 1)
    while True:
        day = date(day.year + day.month // 12, day.month % 12 + 1, 1)
        if day - DAY > until:
            return
        yield day - DAY


@dataclass(slots=True)
class _HistoryCursor:
    """Walks through a history, a month at a time."""

    past: History
    lag: timedelta
    next: int = 0

    def at(self, day: date) -> float | None:
        """Return the last value that was there by a day; None where it had grown old."""
        while self.next < len(self.past) and self.past[self.next][0] + self.lag <= day:
            self.next += 1
        if not self.next or day - self.past[self.next - 1][0] > MAX_SIGNAL_AGE:
            return None
        return float(self.past[self.next - 1][1])


@dataclass(slots=True)
class _PlaceReader:
    """Walks through an input, with the percentile of each value among those before it."""

    part: Part
    past: History
    oldest: timedelta | None
    lag: timedelta = field(init=False)
    seen: list[Decimal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lag = publication_lag_of(self.part.series)

    def at(self, day: date) -> tuple[Decimal, bool] | None:
        """Return the percentile of the last value known at the end of a day, 0 to 100, and whether
        it was current; None before ten years are known.
        """
        end = day + DAY
        while len(self.seen) < len(self.past) and self.past[len(self.seen)][0] + self.lag <= end:
            # kept sorted: the percentile of a month is by the values published until then
            insort(self.seen, self.past[len(self.seen)][1])
        if not self.seen:
            return None
        last, value = self.past[len(self.seen) - 1]
        if last - self.past[0][0] < LONG_ENOUGH:
            return None
        young = self.oldest is None or end - last <= self.oldest
        return rank_in_history(value, self.seen, self.part.direction), young
