"""Signals that move before the regime does: one table. Pure.

Eighteen were tried on the bundled sample, walking forward, and these three kept: none of the others
added 0.006 to the skill at 90 days. They were chosen on the past on which they are told of, so a
part of what they add there is choice:
`manage.py backtest_regimes` tells it for each half of the past. `days` is how far ahead a signal
tells most: at shorter horizons it weighs that much less.
"""

import itertools
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.signals.composing import History
from apps.signals.deriving import SWINGS, monthly

Values = Callable[[Mapping[str, History]], History]
# whose swings are looked at for whether they rise or ebb
MOVED = ("oil.brent.month", "copper", "wheat", "gold", "gas.europe")
HALF = SWINGS // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """One signal; `series` is the one whose delay it has."""

    name: str
    title: str
    days: int
    series: str
    values: Values

    def weight(self, horizon: int) -> float:
        """Return how much it counts so many days ahead, 0 to 1: more at longer horizons."""
        return min(1.0, horizon / self.days)


def turns(histories: Mapping[str, History]) -> History:
    """Return whether swings of prices rise or ebb, the mean of all prices.

    That is the root mean square of the last three changes of a price's monthly means over that of
    the last six, less 1. What is calm now and was not before leaves the swings within three months.
    """
    found: dict[date, list[Decimal]] = {}
    for name in MOVED:
        means = monthly([dict(histories.get(name, ()))])
        days = list(means)
        moves = [_move(means[a], means[b]) for a, b in itertools.pairwise(days)]
        squares = [one * one for one in moves]
        for at in range(SWINGS, len(days)):
            whole = _root(squares[at - SWINGS : at])
            if whole:
                turn = _root(squares[at - HALF : at]) / whole - 1
                found.setdefault(_end_of(days[at]), []).append(turn)
    return [(day, sum(some, Decimal(0)) / len(some)) for day, some in sorted(found.items())]


def _end_of(day: date) -> date:
    """Return the last day of a month: means of prices may end on other days, and are whole then."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def _move(before: Decimal, after: Decimal) -> Decimal:
    return 100 * (after - before) / before if before else Decimal(0)


def _root(squares: Sequence[Decimal]) -> Decimal:
    """Return the root of a mean of squares."""
    return (sum(squares, Decimal(0)) / len(squares)).sqrt()


def food(histories: Mapping[str, History]) -> History:
    """Return the change of wheat over a year, in per cent."""
    return histories.get("wheat.yoy", ())


def rates(histories: Mapping[str, History]) -> History:
    """Return by how many points the yield of ten years moved within twelve months."""
    means = monthly([dict(histories.get("us.dgs10", ()))])
    months = {(day.year, day.month): value for day, value in means.items()}
    return [
        (day, value - months[day.year - 1, day.month])
        for day, value in means.items()
        if (day.year - 1, day.month) in months
    ]


def now(histories: Mapping[str, History]) -> dict[str, float]:
    """Return the newest value of each signal whose series are known."""
    found = {lead.name: lead.values(histories) for lead in LEADS}
    return {name: float(values[-1][1]) for name, values in found.items() if values}


LEADS: tuple[Lead, ...] = (
    Lead(
        name="turn",
        title="Swings of prices: those of three months against those of six",
        days=60,
        series="copper",
        values=turns,
    ),
    Lead(
        name="food",
        title="Wheat, year on year",
        days=90,
        series="wheat.yoy",
        values=food,
    ),
    Lead(
        name="rates",
        title="US Treasury yield of ten years: change of twelve months",
        days=180,
        series="us.dgs10",
        values=rates,
    ),
)
# what is read beside the composite
READ = (*MOVED, "wheat.yoy", "us.dgs10")
