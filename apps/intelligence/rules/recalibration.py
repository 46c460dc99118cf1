"""How far predictions are moved towards how often regimes were, by what came of earlier ones. Pure.

What the chain says, p, and how often each regime was, c, are mixed: (1 - w)·p + w·c. The w for
which the Brier score of past cases is least is Σ(p - c)·(p - o) / Σ|p - c|², days weighing alike.
Three things keep it small: it is never below 0 (nothing becomes surer than the chain) nor above a
half; it needs six cases whose spans do not overlap; and of n such cases n/(n + 12) of it is taken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal

from apps.intelligence.rules.scoring import brier

LEAST = 6  # cases apart, under which nothing is moved
DOUBT = 12  # cases apart, of which half of what was found is taken
MOST = 0.5
FINE = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Case:
    """A prediction whose day is over: what the chain said, how often each was, what came."""

    due: date
    chances: tuple[float, ...]
    usual: tuple[float, ...]
    came: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What the cases of a horizon came to: `weight` is w, 0 where they are too few.

    `apart` are the cases whose spans do not overlap; `before` and `after` the mean Brier scores of
    the chain and of the mixture, of the cases that it was found on.
    """

    weight: Decimal
    cases: int
    days: int
    apart: int
    before: float
    after: float


def moved(cases: Sequence[Case], horizon: int) -> Moved:
    """Return how far predictions of a horizon are to be moved."""
    by_day: dict[date, list[Case]] = {}
    for one in cases:
        by_day.setdefault(one.due, []).append(one)
    spans = apart(by_day, horizon)
    weight = Decimal(0)
    if spans >= LEAST:
        found = min(max(_best(by_day.values()), 0.0), MOST) * spans / (spans + DOUBT)
        weight = Decimal(repr(found)).quantize(FINE, ROUND_DOWN)
    return Moved(
        weight=weight,
        cases=len(cases),
        days=len(by_day),
        apart=spans,
        before=_mean(by_day.values(), 0.0),
        after=_mean(by_day.values(), float(weight)),
    )


def apart(days: Iterable[date], horizon: int) -> int:
    """Return how many of some days are at least a horizon from each other."""
    count, last = 0, date.min
    for day in sorted(days):
        if not count or day - last >= timedelta(days=horizon):
            count, last = count + 1, day
    return count


def mixed(
    chances: Sequence[Decimal], usual: Sequence[Decimal], weight: Decimal
) -> tuple[Decimal, ...]:
    """Return chances that are moved: a part of them stands as often as each regime was."""
    return tuple((1 - weight) * p + weight * c for p, c in zip(chances, usual, strict=True))


def _best(days: Iterable[Sequence[Case]]) -> float:
    above = below = 0.0
    for cases in days:
        for one in cases:
            for at, (p, c) in enumerate(zip(one.chances, one.usual, strict=True)):
                above += (p - c) * (p - (at == one.came)) / len(cases)
                below += (p - c) ** 2 / len(cases)
    return above / below if below else 0.0


def _mean(days: Iterable[Sequence[Case]], weight: float) -> float:
    scores = [sum(_score(one, weight) for one in cases) / len(cases) for cases in days]
    return sum(scores) / len(scores) if scores else 0.0


def _score(one: Case, weight: float) -> float:
    pairs = zip(one.chances, one.usual, strict=True)
    return brier([(1 - weight) * p + weight * c for p, c in pairs], one.came)
