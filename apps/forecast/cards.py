"""How outlooks did: hits beside those of climatology, for each market."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max

from apps.core.chain import proven
from apps.forecast.models import ForecastOutcome, ForecastOutlook
from apps.forecast.rules.markets import SYMBOLS
from apps.forecast.rules.scenarios import interval
from apps.forecast.rules.scoring import AHEAD, FEWEST

_MEMORY: dict[tuple[object, ...], list["Card"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What came of the outlooks of one market, or of all.

    Outlooks of neighbouring days are held against nearly the same price: `apart` is how many do not
    overlap, and the interval is that of so many.
    """

    symbol: str
    told: int
    scored: int
    hits: int
    usual: int
    apart: int

    @property
    def pending(self) -> int:
        """Outlooks that nothing can be said of yet, or that said nothing."""
        return self.told - self.scored

    @property
    def few(self) -> bool:
        """Whether its rate would tell chance and nothing else."""
        return self.apart < FEWEST

    @property
    def rate(self) -> str:
        """Hits in 100."""
        return f"{100 * self.hits / self.scored:.0f}" if self.scored else "–"

    @property
    def usual_rate(self) -> str:
        """Hits in 100 of who always says what was most frequent."""
        return f"{100 * self.usual / self.scored:.0f}" if self.scored else "–"

    @property
    def between(self) -> str:
        """The interval of the rate, in 100."""
        if not self.apart:
            return "–"
        low, high = interval(round(self.apart * self.hits / self.scored), self.apart)
        return f"{100 * low:.0f} to {100 * high:.0f}"


def cards() -> list[Card]:
    """Return the card of each market and, last, of all together, of records that prove themselves.

    They are read anew when there are others than before; else two queries tell that there are none.
    """
    there = tuple(
        tuple(model.objects.aggregate(n=Count("pk"), last=Max("pk")).values())
        for model in (ForecastOutlook, ForecastOutcome)
    )
    if there not in _MEMORY:
        _MEMORY.clear()
        _MEMORY[there] = _read()
    return _MEMORY[there]


def _read() -> list[Card]:
    told = Counter(one.symbol for one in proven(ForecastOutlook.objects.order_by("pk")))
    found: dict[str, list[tuple[date, bool, bool]]] = {}
    for one in proven(ForecastOutcome.objects.exclude(hit=None).order_by("due", "pk")):
        found.setdefault(one.symbol, []).append((one.due, bool(one.hit), bool(one.usual_hit)))
    each = [_card(name, told.get(name, 0), found.get(name, [])) for name in SYMBOLS]
    return [*each, _whole(each)]


def forget() -> None:
    """Empty this process's memory of cards."""
    _MEMORY.clear()


def _card(symbol: str, told: int, rows: list[tuple[date, bool, bool]]) -> Card:
    return Card(
        symbol=symbol,
        told=told,
        scored=len(rows),
        hits=sum(hit for _, hit, _ in rows),
        usual=sum(usual for _, _, usual in rows),
        apart=_apart(due for due, _, _ in rows),
    )


def _apart(days: Iterable[date]) -> int:
    """Return how many of these days, in order, lie three months or more apart."""
    last, count = date.min, 0
    for day in days:
        if day - last >= AHEAD:
            last, count = day, count + 1
    return count


def _whole(each: Iterable[Card]) -> Card:
    """Return all together; markets move together, so stretches count once."""
    rows = list(each)
    return Card(
        symbol="All",
        told=sum(one.told for one in rows),
        scored=sum(one.scored for one in rows),
        hits=sum(one.hits for one in rows),
        usual=sum(one.usual for one in rows),
        apart=max(one.apart for one in rows),
    )


def by_symbol(rows: Iterable[Card]) -> Mapping[str, Card]:
    """Return cards by their market."""
    return {one.symbol: one for one in rows}
