"""Record outlooks, one for each market and day, and what prices did after them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from django.db import IntegrityError, transaction

from apps.insight.forecast import component_strains
from apps.insight.forecast.computation import VERSION, MarketOutlook
from apps.insight.forecast.models import ForecastOutcome, ForecastOutlook
from apps.insight.forecast.rules import outlook_outcomes
from apps.insight.forecast.rules.markets import market_of_symbol
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.platform.common.days import start_of_day
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.points import Point
from apps.reference.signals.selectors import series_values

# outlooks that are resolved in one batch
AT_ONCE = 500
DAY = timedelta(days=1)
FINE = Decimal("0.000001")


def record_outlooks(
    outlooks: Sequence[MarketOutlook], *, known: SeriesSnapshot, now: datetime
) -> int:
    """Write the first outlook of a market on a day; returns how many were new."""
    day = now.date()
    there = set(
        ForecastOutlook.objects.filter(day=day, version=VERSION).values_list("symbol", flat=True)
    )
    fresh = [outlook for outlook in outlooks if outlook.symbol not in there]
    rows = [
        (payload, _outlook_columns(outlook, day))
        for outlook in fresh
        if (payload := _outlook_payload(outlook, known))
    ]
    try:
        with transaction.atomic():
            ForecastOutlook.write_each(now=now, rows=rows)
    # another worker recorded the outlooks of this day first
    except IntegrityError:
        return 0
    return len(rows)


def _outlook_columns(market_outlook: MarketOutlook, day: date) -> dict[str, Any]:
    return {
        "symbol": market_outlook.symbol,
        "day": day,
        "due": day + outlook_outcomes.AHEAD,
        "version": VERSION,
        "outlook": market_outlook.outlook,
        "quality": market_outlook.quality,
    }


def _outlook_payload(
    market_outlook: MarketOutlook, series_snapshot: SeriesSnapshot
) -> dict[str, Any] | None:
    """Return the basis on which an outlook will be scored; None without past moves."""
    market = market_of_symbol(market_outlook.symbol)
    assert market is not None
    moves = [
        move
        for _, move in component_strains.quarterly_moves(series_snapshot.history(market.months))
    ]
    if not moves:
        return None
    band = outlook_outcomes.unchanged_band(moves)
    return {
        "score": str(market_outlook.score),
        "price": str(market_outlook.price.value),
        "price_day": market_outlook.price.day.isoformat(),
        "price_series": market_outlook.price.series,
        "band": str(band),
        "climatology": {
            name: str(share)
            for name, share in outlook_outcomes.direction_shares(moves, band).items()
        },
    }


def resolve_due_outlooks(*, now: datetime) -> int:
    """Record the outcomes of due outlooks; returns how many.

    A record that fails its integrity check is skipped.
    """
    # the day `due` must be over
    waiting = ForecastOutlook.objects.filter(due__lt=now.date(), outcome=None)
    outlooks = [
        outlook
        for outlook in filter_verified_records(waiting.order_by("due", "pk")[:AT_ONCE])
        if outlook.data
    ]
    prices: dict[date, dict[str, Point]] = {}
    for day in {outlook.due for outlook in outlooks}:
        names = {outlook.data["price_series"] for outlook in outlooks if outlook.due == day}
        # by what was known at the end of that day, however late this runs: a revised price must not
        # change an outcome
        end = start_of_day(day + DAY)
        prices[day] = series_values.load_latest_points(names, as_of=end)
    return sum(_record_outcome(outlook, prices[outlook.due], now) for outlook in outlooks)


@dataclass(frozen=True, slots=True)
class PriceMove:
    """A price that is newer than that of an outlook, and its move since, as a share."""

    point: Point
    move: Decimal


def _record_outcome(
    forecast_outlook: ForecastOutlook, prices: dict[str, Point], now: datetime
) -> bool:
    """Record the outcome of an outlook; False if another run already did."""
    point = prices.get(forecast_outlook.data["price_series"])
    base = Decimal(forecast_outlook.data["price"])
    since = date.fromisoformat(forecast_outlook.data["price_day"])
    # recorded without an outcome, so that it is not tried again every day
    if point is None or not base or point.day - since < outlook_outcomes.NEWER:
        price_move = None
    else:
        price_move = PriceMove(point, (point.value / base - 1).quantize(FINE, ROUND_HALF_EVEN))
    try:
        with transaction.atomic():
            ForecastOutcome.write(
                payload=_outcome_payload(price_move) if price_move else {},
                now=now,
                outlook_id=forecast_outlook.pk,
                symbol=forecast_outlook.symbol,
                due=forecast_outlook.due,
                **(_score_outcome(forecast_outlook, price_move) if price_move else {}),
            )
    except IntegrityError:
        return False
    return True


def _outcome_payload(price_move: PriceMove) -> dict[str, Any]:
    return {
        "price": str(price_move.point.value),
        "price_day": price_move.point.day.isoformat(),
        "move": str(price_move.move),
    }


def _score_outcome(forecast_outlook: ForecastOutlook, price_move: PriceMove) -> dict[str, Any]:
    data = forecast_outlook.data
    direction = outlook_outcomes.direction_of_move(price_move.move, Decimal(data["band"]))
    past = {name: Decimal(share) for name, share in data["climatology"].items()}
    return {
        "came": direction,
        "hit": outlook_outcomes.is_hit(forecast_outlook.outlook, direction),
        "usual_hit": outlook_outcomes.most_frequent_direction(past) == direction,
    }
