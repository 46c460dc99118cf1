"""Score cards of outlooks: hits against those of climatology, for each market."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max

from apps.insight.forecast.models import ForecastOutcome, ForecastOutlook
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.rules.outlook_outcomes import AHEAD, FEWEST
from apps.insight.forecast.rules.scenarios import wilson_interval
from apps.platform.ledger.verification.verified_reads import filter_verified_records

_MEMORY: dict[tuple[object, ...], list["ScoreCard"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """The results of the outlooks of one market, or of all.

    Outlooks of neighbouring days are compared with nearly the same price: `apart` is how many do
    not overlap, and the interval is that of so many.
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
        low, high = wilson_interval(round(self.apart * self.hits / self.scored), self.apart)
        return f"{100 * low:.0f} to {100 * high:.0f}"


def load_score_cards() -> list[ScoreCard]:
    """Return the card of each market and, last, of all together, of records that prove themselves.

    They are read anew when there are others than before; else two queries tell that there are none.
    """
    there = tuple(
        tuple(model.objects.aggregate(n=Count("pk"), last=Max("pk")).values())
        for model in (ForecastOutlook, ForecastOutcome)
    )
    if there not in _MEMORY:
        _MEMORY.clear()
        counts = Counter(
            forecast_outlook.symbol
            for forecast_outlook in filter_verified_records(ForecastOutlook.objects.order_by("pk"))
        )
        rows: dict[str, list[tuple[date, bool, bool]]] = {}
        for forecast_outcome in filter_verified_records(
            ForecastOutcome.objects.exclude(hit=None).order_by("due", "pk")
        ):
            rows.setdefault(forecast_outcome.symbol, []).append(
                (forecast_outcome.due, bool(forecast_outcome.hit), bool(forecast_outcome.usual_hit))
            )
        cards = [_build_card(name, counts.get(name, 0), rows.get(name, [])) for name in SYMBOLS]
        _MEMORY[there] = [*cards, _sum_cards(cards)]
    return _MEMORY[there]


def forget_score_cards() -> None:
    """Empty this process's memory of cards."""
    _MEMORY.clear()


def _build_card(symbol: str, total: int, rows: list[tuple[date, bool, bool]]) -> ScoreCard:
    last, count = date.min, 0
    for day in (due for due, _, _ in rows):
        if day - last >= AHEAD:
            last, count = day, count + 1
    return ScoreCard(
        symbol=symbol,
        told=total,
        scored=len(rows),
        hits=sum(hit for _, hit, _ in rows),
        usual=sum(usual for _, _, usual in rows),
        apart=count,
    )


def _sum_cards(score_cards: Iterable[ScoreCard]) -> ScoreCard:
    """Return all together; markets move together, so stretches count once."""
    rows = list(score_cards)
    return ScoreCard(
        symbol="All",
        told=sum(row.told for row in rows),
        scored=sum(row.scored for row in rows),
        hits=sum(row.hits for row in rows),
        usual=sum(row.usual for row in rows),
        apart=max(row.apart for row in rows),
    )


def cards_by_symbol(rows: Iterable[ScoreCard]) -> Mapping[str, ScoreCard]:
    """Return cards by their market."""
    return {row.symbol: row for row in rows}
