"""The parts of the scores of instability: each a figure, and its place in its own history."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from apps.intelligence.known import Known
from apps.intelligence.methods.triggering import placed
from apps.signals.composing import LONG, History, place

SERIES: dict[str, str] = {
    "epu_index": "us.epu",
    "trade_policy_volatility": "us.tpu",
    "dollar_weaponization": "gold",
    "epu_trend": "us.epu",
    "debt_to_gdp": "debt.us",
    "deficit_trend": "balance.us",
    "inflation_expectations": "us.breakeven.10y",
}
MEASURES: dict[str, str] = {
    "epu_index": "index of Baker, Bloom and Davis",
    "trade_policy_volatility": "index of Caldara and Iacoviello",
    "dollar_weaponization": "per cent by which gold rose in a year",
    "epu_trend": "per cent by which the index's quarter is above its year",
    "debt_to_gdp": "per cent of GDP",
    "deficit_trend": "points of GDP by which the deficit is above its mean of three years before",
    "inflation_expectations": "per cent a year, over ten years",
}
Moved = Callable[[History], list[tuple[date, Decimal]]]
QUARTER, YEAR = timedelta(days=91), timedelta(days=365)
BEFORE = timedelta(days=3 * 365 + 2)  # three yearly figures before the newest one


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a score; `value` and `score` are None where it is not known."""

    name: str
    value: Decimal | None
    score: Decimal | None
    source: str

    @property
    def series(self) -> str:
        """The series that it reads."""
        return SERIES[self.name]

    @property
    def measures(self) -> str:
        """What its value is."""
        return MEASURES[self.name]

    def says(self) -> str:
        """Return it as a sentence."""
        return f"{self.series}: {figure(self.value)} ({self.measures}), place {figure(self.score)}"


def figure(value: Decimal | None) -> str:
    """Return a figure as a sentence has it, without the zeros that a column puts behind it."""
    return "not known" if value is None else f"{value.normalize():f}"


def us_parts(known: Known) -> dict[str, Part]:
    """Return the parts of the instability of the United States."""
    return {
        "epu_index": _level(known, "epu_index"),
        "trade_policy_volatility": _level(known, "trade_policy_volatility"),
        "dollar_weaponization": _moved(known, "dollar_weaponization", risen),
        "epu_trend": _moved(known, "epu_trend", trend),
    }


def fiscal_parts(known: Known) -> dict[str, Part]:
    """Return the parts of fiscal dominance."""
    return {
        "debt_to_gdp": _level(known, "debt_to_gdp"),
        "deficit_trend": _moved(known, "deficit_trend", deficit),
        "inflation_expectations": _level(known, "inflation_expectations"),
    }


def fall(known: Known, series: str, back: timedelta) -> Decimal | None:
    """Return by how many per cent a currency fell against the dollar."""
    now, then = known.value(series), known.before(series, back)
    return None if not now or then is None else 100 * (1 - then / now)


def _level(known: Known, name: str) -> Part:
    series = SERIES[name]
    return Part(name, known.value(series), placed(known, series), _source(known, series))


def _moved(known: Known, name: str, how: Moved) -> Part:
    """Return a part whose value is a move: its place is that among all such moves before it."""
    series = SERIES[name]
    past = known.history(series)
    moves = how(past)
    if not moves or moves[-1][0] != past[-1][0] or past[-1][0] - past[0][0] < LONG:
        return Part(name, None, None, _source(known, series))
    value = moves[-1][1]
    score = place(value, sorted(one for _, one in moves), 1)
    return Part(name, value.quantize(Decimal("0.0001")), score, _source(known, series))


def _source(known: Known, series: str) -> str:
    point = known.point(series)
    return point.source if point else ""


def risen(past: History) -> list[tuple[date, Decimal]]:
    """Return by how many per cent each value is above that of a year before."""
    days = [day for day, _ in past]
    found = []
    for day, value in past:
        at = bisect_right(days, day - YEAR) - 1
        if at >= 0 and past[at][1]:
            found.append((day, 100 * (value / past[at][1] - 1)))
    return found


def trend(past: History) -> list[tuple[date, Decimal]]:
    """Return by how many per cent the mean of each quarter is above that of its year."""
    days = [day for day, _ in past]
    sums = [Decimal(0)]
    for _, value in past:
        sums.append(sums[-1] + value)
    found = []
    for at, day in enumerate(days):
        if day - days[0] < YEAR:
            continue
        quarter, year = (bisect_right(days, day - back) for back in (QUARTER, YEAR))
        near = (sums[at + 1] - sums[quarter]) / (at + 1 - quarter)
        far = (sums[at + 1] - sums[year]) / (at + 1 - year)
        if far:
            found.append((day, 100 * (near / far - 1)))
    return found


def deficit(past: History) -> list[tuple[date, Decimal]]:
    """Return how many points each balance is below the mean of those of three years before it."""
    found = []
    for at, (day, value) in enumerate(past):
        before = [one for when, one in past[:at] if day - when <= BEFORE]
        if len(before) >= 3:
            found.append((day, sum(before, Decimal(0)) / len(before) - value))
    return found
