"""Signals that move before the regime does: one table. Pure.

Eighteen were tried walk-forward on the bundled sample, and three kept: none of the others added
0.006 to the skill at 90 days. They were chosen on the same past that their skill is reported on, so
part of it is selection bias: `manage.py backtest_regimes` reports it for each half of the past.
`days` is the lead at which a signal is strongest; at shorter horizons it weighs proportionally
less.
"""

import itertools
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.reference.signals.composition import History
from apps.reference.signals.derivations import MONTHS_IN_SWING, monthly_mean
from apps.reference.signals.means import decimal_mean

SignalValues = Callable[[Mapping[str, History]], History]
# prices whose swings are measured
SWING_PRICES = ("oil.brent.month", "copper", "wheat", "gold", "gas.europe")
HALF_SWINGS = MONTHS_IN_SWING // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadingSignal:
    """One signal; `series` is the one whose publication lag it has."""

    name: str
    title: str
    days: int
    series: str
    values: SignalValues

    def weight(self, horizon: int) -> float:
        """Return its weight at a horizon in days, 0 to 1: more at longer horizons."""
        return min(1.0, horizon / self.days)


def measure_swing_turns(histories: Mapping[str, History]) -> History:
    """Return whether swings of prices rise or ebb, as the mean over prices.

    The measure is the root mean square of the last three changes of a price's monthly means over
    that of the last six, less 1.
    """
    turns_by_day: dict[date, list[Decimal]] = {}
    for name in SWING_PRICES:
        means = monthly_mean([dict(histories.get(name, ()))])
        days = list(means)
        moves = [_change_pct(means[a], means[b]) for a, b in itertools.pairwise(days)]
        squares = [move * move for move in moves]
        for at in range(MONTHS_IN_SWING, len(days)):
            whole = _root_mean(squares[at - MONTHS_IN_SWING : at])
            if whole:
                turn = _root_mean(squares[at - HALF_SWINGS : at]) / whole - 1
                turns_by_day.setdefault(_last_day_of_month(days[at]), []).append(turn)
    return [(day, decimal_mean(turns)) for day, turns in sorted(turns_by_day.items())]


def _last_day_of_month(day: date) -> date:
    """Return the last day of a month."""
    # publishers date monthly means differently, and a mean is complete only when its month ends
    return day.replace(day=monthrange(day.year, day.month)[1])


def _change_pct(before: Decimal, after: Decimal) -> Decimal:
    return 100 * (after - before) / before if before else Decimal(0)


def _root_mean(squares: Sequence[Decimal]) -> Decimal:
    """Return the root of a mean of squares."""
    return decimal_mean(squares).sqrt()


def wheat_yearly_change(histories: Mapping[str, History]) -> History:
    """Return the change of wheat over a year, in per cent."""
    return histories.get("wheat.yoy", ())


def yield_yearly_change(histories: Mapping[str, History]) -> History:
    """Return by how many points the yield of ten years moved within twelve months."""
    means = monthly_mean([dict(histories.get("us.dgs10", ()))])
    months = {(day.year, day.month): value for day, value in means.items()}
    return [
        (day, value - months[day.year - 1, day.month])
        for day, value in means.items()
        if (day.year - 1, day.month) in months
    ]


def newest_signal_values(histories: Mapping[str, History]) -> dict[str, float]:
    """Return the newest value of each signal whose series are known."""
    newest_values = {lead.name: lead.values(histories) for lead in LEADING_SIGNALS}
    return {name: float(values[-1][1]) for name, values in newest_values.items() if values}


LEADING_SIGNALS: tuple[LeadingSignal, ...] = (
    LeadingSignal(
        name="turn",
        title="Price swings: three months against six",
        days=60,
        series="copper",
        values=measure_swing_turns,
    ),
    LeadingSignal(
        name="food",
        title="Wheat, year on year",
        days=90,
        series="wheat.yoy",
        values=wheat_yearly_change,
    ),
    LeadingSignal(
        name="rates",
        title="US ten-year Treasury yield: change over twelve months",
        days=180,
        series="us.dgs10",
        values=yield_yearly_change,
    ),
)
# series read in addition to the composite
READ_SERIES = (*SWING_PRICES, "wheat.yoy", "us.dgs10")
