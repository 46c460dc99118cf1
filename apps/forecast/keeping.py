"""Outlooks are written here, one for each market and day, and what prices did after them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.chain import proven
from apps.forecast import strains
from apps.forecast.computing import VERSION, Outlook
from apps.forecast.known import Known
from apps.forecast.models import ForecastOutcome, ForecastOutlook
from apps.forecast.rules import scoring
from apps.forecast.rules.markets import market_of
from apps.signals import reading
from apps.signals.points import Point

AT_ONCE = 500
DAY = timedelta(days=1)
FINE = Decimal("0.000001")


def keep(outlooks: Sequence[Outlook], *, known: Known, now: datetime) -> int:
    """Write the first outlook of a market on a day; returns how many were new."""
    day = now.date()
    there = set(
        ForecastOutlook.objects.filter(day=day, version=VERSION).values_list("symbol", flat=True)
    )
    fresh = [one for one in outlooks if one.symbol not in there]
    rows = [(payload, _columns(one, day)) for one in fresh if (payload := _payload(one, known))]
    try:
        with transaction.atomic():
            ForecastOutlook.write_each(now=now, rows=rows)
    except IntegrityError:  # another worker was quicker
        return 0
    return len(rows)


def _columns(one: Outlook, day: date) -> dict[str, Any]:
    return {
        "symbol": one.symbol,
        "day": day,
        "due": day + scoring.AHEAD,
        "version": VERSION,
        "outlook": one.outlook,
        "quality": one.quality,
    }


def _payload(one: Outlook, known: Known) -> dict[str, Any] | None:
    """Return what an outlook is held against later; None without moves of the past."""
    market = market_of(one.symbol)
    assert market is not None
    moves = [move for _, move in strains.quarterly(known.history(market.months))]
    if not moves:
        return None
    band = scoring.band_of(moves)
    return {
        "score": str(one.score),
        "price": str(one.price.value),
        "price_day": one.price.day.isoformat(),
        "price_series": one.price.series,
        "band": str(band),
        "climatology": {name: str(share) for name, share in scoring.shares(moves, band).items()},
    }


def resolve(*, now: datetime) -> int:
    """Write what prices did after the outlooks whose day is over; returns how many.

    Each day is looked at as it was known at its end, however late this runs. A record that does
    not prove itself is left alone: nothing is scored that may have been altered.
    """
    waiting = ForecastOutlook.objects.filter(due__lt=now.date(), outcome=None)
    some = [one for one in proven(waiting.order_by("due", "pk")[:AT_ONCE]) if one.data]
    prices: dict[date, dict[str, Point]] = {}
    for day in {one.due for one in some}:
        names = {one.data["price_series"] for one in some if one.due == day}
        end = datetime.combine(day + DAY, time(), UTC)
        prices[day] = reading.latest(names, as_of=end)
    return sum(_written(one, prices[one.due], now) for one in some)


@dataclass(frozen=True, slots=True)
class Came:
    """A price that is newer than that of an outlook, and its move since, as a share."""

    point: Point
    move: Decimal


def _came(told: dict[str, Any], prices: dict[str, Point]) -> Came | None:
    point = prices.get(told["price_series"])
    base = Decimal(told["price"])
    since = date.fromisoformat(told["price_day"])
    if point is None or not base or point.day - since < scoring.NEWER:
        return None
    return Came(point, (point.value / base - 1).quantize(FINE, ROUND_HALF_EVEN))


def _written(one: ForecastOutlook, prices: dict[str, Point], now: datetime) -> bool:
    """Keep what came of an outlook; False where another run was quicker."""
    came = _came(one.data, prices)
    try:
        with transaction.atomic():
            ForecastOutcome.write(
                payload=_told(came) if came else {},
                now=now,
                outlook_id=one.pk,
                symbol=one.symbol,
                due=one.due,
                **(_scores(one, came) if came else {}),
            )
    except IntegrityError:
        return False
    return True


def _told(came: Came) -> dict[str, Any]:
    return {
        "price": str(came.point.value),
        "price_day": came.point.day.isoformat(),
        "move": str(came.move),
    }


def _scores(one: ForecastOutlook, came: Came) -> dict[str, Any]:
    told = one.data
    found = scoring.came_of(came.move, Decimal(told["band"]))
    past = {name: Decimal(share) for name, share in told["climatology"].items()}
    return {
        "came": found,
        "hit": scoring.hit(one.outlook, found),
        "usual_hit": scoring.usual_of(past) == found,
    }
