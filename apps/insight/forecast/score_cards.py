"""Score cards of outlooks: hit rates compared with those of climatology, for each market."""

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

# verifying all records takes long, and the page is open to everybody: keep the cards until there
# are other records
_MEMORY: dict[tuple[object, ...], list["ScoreCard"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """The results of the outlooks of one market, or of all.

    `apart` is the number of outlooks that do not overlap in time.
    """

    symbol: str
    recorded: int
    scored: int
    hits: int
    usual: int
    apart: int

    @property
    def pending(self) -> int:
        """Outlooks without an outcome yet, or without a forecast."""
        return self.recorded - self.scored

    @property
    def few(self) -> bool:
        """Whether there are too few outcomes for a rate that differs from chance."""
        return self.apart < FEWEST

    @property
    def rate(self) -> str:
        """Hits in 100."""
        return f"{100 * self.hits / self.scored:.0f}" if self.scored else "–"

    @property
    def usual_rate(self) -> str:
        """Hits in 100 of climatology, which always forecasts the most frequent outcome."""
        return f"{100 * self.usual / self.scored:.0f}" if self.scored else "–"

    @property
    def between(self) -> str:
        """The interval of the rate, in 100."""
        if not self.apart:
            return "–"
        # outlooks of neighbouring days are compared with nearly the same price: the interval is
        # that of the independent ones only
        low, high = wilson_interval(round(self.apart * self.hits / self.scored), self.apart)
        return f"{100 * low:.0f} to {100 * high:.0f}"


def load_score_cards() -> list[ScoreCard]:
    """Return the card of each market and, last, of all together, from verified records.

    Two queries unless there are new records.
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
        recorded=total,
        scored=len(rows),
        hits=sum(hit for _, hit, _ in rows),
        usual=sum(usual for _, _, usual in rows),
        apart=count,
    )


def _sum_cards(score_cards: Iterable[ScoreCard]) -> ScoreCard:
    """Return the card of all markets together."""
    rows = list(score_cards)
    return ScoreCard(
        symbol="All",
        recorded=sum(row.recorded for row in rows),
        scored=sum(row.scored for row in rows),
        hits=sum(row.hits for row in rows),
        usual=sum(row.usual for row in rows),
        # the markets move together, so their outlooks of one time are not independent either
        apart=max(row.apart for row in rows),
    )


def cards_by_symbol(rows: Iterable[ScoreCard]) -> Mapping[str, ScoreCard]:
    """Return cards by their market."""
    return {row.symbol: row for row in rows}
