"""The parts of the instability scores: each a figure, and its percentile in its own history."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.methods.trigger_measures import place_in_own_history
from apps.reference.signals.composition import LONG_ENOUGH, History, rank_in_history
from apps.reference.signals.means import decimal_mean

SERIES: dict[str, str] = {
    "epu_index": "us.epu.30d",
    "trade_policy_volatility": "us.tpu",
    "dollar_weaponization": "gold",
    "epu_trend": "us.epu.30d",
    "debt_to_gdp": "debt.us",
    "deficit_trend": "balance.us",
    "inflation_expectations": "us.breakeven.10y",
}
MEASURES: dict[str, str] = {
    "epu_index": "Baker, Bloom and Davis index",
    "trade_policy_volatility": "Caldara and Iacoviello index",
    "dollar_weaponization": "yearly change of gold in per cent",
    "epu_trend": "per cent by which the index's quarterly mean is above its yearly mean",
    "debt_to_gdp": "per cent of GDP",
    "deficit_trend": "points of GDP by which the deficit exceeds its mean of three years before",
    "inflation_expectations": "per cent a year over ten years",
}
HistoryChanges = Callable[[History], list[tuple[date, Decimal]]]
QUARTER, YEAR = timedelta(days=91), timedelta(days=365)
# three yearly figures before the newest one; two days for leap years
DEFICIT_BASE_PERIOD = timedelta(days=3 * 365 + 2)


@dataclass(frozen=True, slots=True)
class InstabilityPart:
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
        return (
            f"{self.series}: {format_figure(self.value)} ({self.measures}), percentile "
            f"{format_figure(self.score)}"
        )


def format_figure(value: Decimal | None) -> str:
    """Return a figure as a sentence has it, without the zeros that a column puts behind it."""
    return "not known" if value is None else f"{value.normalize():f}"


def measure_us_parts(known: MethodInputs) -> dict[str, InstabilityPart]:
    """Return the parts of the instability of the United States."""
    return {
        "epu_index": _measure_level_part(known, "epu_index"),
        "trade_policy_volatility": _measure_level_part(known, "trade_policy_volatility"),
        "dollar_weaponization": _measure_change_part(
            known, "dollar_weaponization", changes_over_year
        ),
        "epu_trend": _measure_change_part(known, "epu_trend", quarter_over_year),
    }


def measure_fiscal_parts(known: MethodInputs) -> dict[str, InstabilityPart]:
    """Return the parts of fiscal dominance."""
    return {
        "debt_to_gdp": _measure_level_part(known, "debt_to_gdp"),
        "deficit_trend": _measure_change_part(known, "deficit_trend", deficit_over_mean),
        "inflation_expectations": _measure_level_part(known, "inflation_expectations"),
    }


def currency_fall_pct(known: MethodInputs, series: str, back: timedelta) -> Decimal | None:
    """Return by how many per cent a currency fell against the dollar."""
    now, then = known.value(series), known.before(series, back)
    # rates are units for one dollar: they rise as the currency falls
    return None if not now or then is None else 100 * (1 - then / now)


def _measure_level_part(method_inputs: MethodInputs, name: str) -> InstabilityPart:
    series = SERIES[name]
    return InstabilityPart(
        name,
        method_inputs.value(series),
        place_in_own_history(method_inputs, series),
        _source_of_series(method_inputs, series),
    )


def _measure_change_part(
    method_inputs: MethodInputs, name: str, how: HistoryChanges
) -> InstabilityPart:
    """Return a part whose value is a move: its place is that among all such moves before it."""
    series = SERIES[name]
    past = method_inputs.history(series)
    moves = how(past)
    # the last change must be that of the newest value, not an older one that happens to have a base
    if not moves or moves[-1][0] != past[-1][0] or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return InstabilityPart(name, None, None, _source_of_series(method_inputs, series))
    value = moves[-1][1]
    score = rank_in_history(value, sorted(move for _, move in moves), 1)
    return InstabilityPart(
        name, value.quantize(Decimal("0.0001")), score, _source_of_series(method_inputs, series)
    )


def _source_of_series(method_inputs: MethodInputs, series: str) -> str:
    point = method_inputs.point(series)
    return point.source if point else ""


def changes_over_year(past: History) -> list[tuple[date, Decimal]]:
    """Return by how many per cent each value is above that of a year before."""
    days = [day for day, _ in past]
    changes = []
    for day, value in past:
        at = bisect_right(days, day - YEAR) - 1
        if at >= 0 and past[at][1]:
            changes.append((day, 100 * (value / past[at][1] - 1)))
    return changes


def quarter_over_year(past: History) -> list[tuple[date, Decimal]]:
    """Return by how many per cent the mean of each quarter is above that of its year."""
    days = [day for day, _ in past]
    # running sums: the means of all quarters and years in one pass
    sums = [Decimal(0)]
    for _, value in past:
        sums.append(sums[-1] + value)
    changes = []
    for at, day in enumerate(days):
        if day - days[0] < YEAR:
            continue
        quarter, year = (bisect_right(days, day - back) for back in (QUARTER, YEAR))
        near = (sums[at + 1] - sums[quarter]) / (at + 1 - quarter)
        far = (sums[at + 1] - sums[year]) / (at + 1 - year)
        if far:
            changes.append((day, 100 * (near / far - 1)))
    return changes


def deficit_over_mean(past: History) -> list[tuple[date, Decimal]]:
    """Return how many points each balance is below the mean of those of three years before it."""
    changes = []
    for at, (day, value) in enumerate(past):
        before = [earlier for when, earlier in past[:at] if day - when <= DEFICIT_BASE_PERIOD]
        if len(before) >= 3:
            changes.append((day, decimal_mean(before) - value))
    return changes
