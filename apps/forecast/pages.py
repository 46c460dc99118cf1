"""Pages for people: eleven markets at a glance, regions, calendar, scenarios, and how it did."""

from calendar import month_abbr
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from apps.access.limits import per_address
from apps.core.clock import now as present
from apps.core.problems import reading_only
from apps.desk import charts
from apps.forecast import cards, running
from apps.forecast.rules.growing import REGIONS, growths_of
from apps.forecast.rules.markets import MARKETS, Market, market_of
from apps.forecast.rules.months import MONTHS
from apps.forecast.rules.scenarios import SCENARIOS
from apps.forecast.running import Run
from apps.signals import reading

BACK = timedelta(days=3653)
FIRST = 12  # regions that are seen at once


@reading_only
@per_address
def overview(request: HttpRequest) -> HttpResponse:
    """Show all markets, regions, months, scenarios and the score card."""
    now = present()
    run = running.current(now=now)
    told = cards.cards()
    shown = {
        "at": run.at,
        "tiles": [_tile(one, run) for one in MARKETS],
        "estimated": any(one["dataQuality"] == "ESTIMATED" for one in run.markets.values()),
        "regions": run.regions,
        "first": run.regions[:FIRST],
        "rest": run.regions[FIRST:],
        "months": [one | {"now": one["month"] == now.month} for one in MONTHS],
        "scenarios": [run.scenarios[one.id].told for one in SCENARIOS],
        "cards": told,
        "few": told[-1].few,
    }
    return render(request, "forecast/markets.html", shown)


def _tile(row: Market, run: Run) -> Mapping[str, Any]:
    body = run.markets.get(row.symbol)
    if body is None:
        return {"symbol": row.symbol, "title": row.title, "fault": run.faults.get(row.symbol, "")}
    return {
        "symbol": row.symbol,
        "title": row.title,
        "body": body,
        "width": round(float(run.scores[row.symbol])),
    }


@reading_only
@per_address
def page(request: HttpRequest, symbol: str) -> HttpResponse:
    """Show one market: why it has its light, its regions and months, its price, its scenarios."""
    row = market_of(symbol.upper())
    if row is None:
        raise Http404
    now = present()
    run = running.current(now=now)
    past = reading.history(row.months, as_of=now, since=now.date() - BACK)
    shown = {
        "market": row,
        "at": run.at,
        "body": run.markets.get(row.symbol),
        "fault": run.faults.get(row.symbol, ""),
        "seasons": _seasons(row, now),
        "names": list(month_abbr)[1:],
        "scenarios": _scenarios(row, run),
        "card": cards.by_symbol(cards.cards())[row.symbol],
        "chart": charts.line(past),
        "last": past[-1][0] if past else None,
        "width": charts.WIDTH,
        "height": charts.HEIGHT,
        "base": charts.BASE,
    }
    return render(request, "forecast/market.html", shown)


def _seasons(row: Market, now: datetime) -> list[Mapping[str, Any]]:
    """Return of each region which months decide: (word, whether it is this one, its name)."""
    return [
        {
            "region": REGIONS[one.region].name,
            "share": f"{100 * one.share:.0f}",
            "source": one.source,
            "months": [
                ("frost" if number in one.cold else "yes" if number in one.months else "",
                 number == now.month, month_abbr[number])
                for number in range(1, 13)
            ],
        }
        for one in growths_of(row.symbol)
    ]  # fmt: skip


def _scenarios(row: Market, run: Run) -> Sequence[Mapping[str, Any]]:
    """Return what each scenario that moves a market did to it."""
    return [
        {"told": told, "impact": impact}
        for one in SCENARIOS
        if row.symbol in one.symbols
        for told in (run.scenarios[one.id].told,)
        for impact in told["affectedCommodities"]
        if impact["symbol"] == row.symbol
    ]


def page_urls() -> list[URLPattern]:
    """Return the addresses of the pages; they come behind those of the service's documents."""
    return [
        path("", overview, name="forecast-markets"),
        path("market/<slug:symbol>", page, name="forecast-market"),
    ]
