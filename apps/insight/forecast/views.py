"""Pages for people: eleven markets, regions, calendar, scenarios and score cards."""

from calendar import month_abbr
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from apps.access.keys.rate_limits import limit_per_address
from apps.insight.forecast import score_cards
from apps.insight.forecast.rules.crop_risk_calendar import MONTHS
from apps.insight.forecast.rules.markets import MARKETS, Market, market_of_symbol
from apps.insight.forecast.rules.regions import REGIONS, growths_of_symbol
from apps.insight.forecast.rules.scenarios import SCENARIOS
from apps.insight.forecast.services import hourly_run
from apps.insight.forecast.services.hourly_run import HourlyRun
from apps.platform.common import clock
from apps.platform.common.problems import read_only_view
from apps.platform.desk import charts
from apps.reference.signals.selectors import series_values

# ten years of prices in a chart
BACK = timedelta(days=3653)
# regions that are shown before the list is unfolded
FIRST = 12


@read_only_view
@limit_per_address
def show_markets(request: HttpRequest) -> HttpResponse:
    """Show all markets, regions, months, scenarios and the score card."""
    now = clock.now()
    run = hourly_run.load_current_run(now=now)
    cards = score_cards.load_score_cards()
    shown = {
        "at": run.at,
        "tiles": [_build_tile(market, run) for market in MARKETS],
        "estimated": any(market["dataQuality"] == "ESTIMATED" for market in run.markets.values()),
        "regions": run.regions,
        "first": run.regions[:FIRST],
        "rest": run.regions[FIRST:],
        "months": [month | {"now": month["month"] == now.month} for month in MONTHS],
        "scenarios": [run.scenarios[scenario.id].body for scenario in SCENARIOS],
        "cards": cards,
        "few": cards[-1].few,
    }
    return render(request, "forecast/markets.html", shown)


def _build_tile(row: Market, run: HourlyRun) -> Mapping[str, Any]:
    body = run.markets.get(row.symbol)
    if body is None:
        return {"symbol": row.symbol, "title": row.title, "fault": run.faults.get(row.symbol, "")}
    return {
        "symbol": row.symbol,
        "title": row.title,
        "body": body,
        "width": round(float(run.scores[row.symbol])),
    }


@read_only_view
@limit_per_address
def show_market(request: HttpRequest, symbol: str) -> HttpResponse:
    """Show one market: why it has its light, its regions and months, its price, its scenarios."""
    row = market_of_symbol(symbol.upper())
    if row is None:
        raise Http404
    now = clock.now()
    run = hourly_run.load_current_run(now=now)
    past = series_values.load_history(row.months, as_of=now, since=now.date() - BACK)
    # of each month: its style, whether it is the current one, its name
    seasons = [
        {
            "region": REGIONS[growth.region].name,
            "share": f"{100 * growth.share:.0f}",
            "source": growth.source,
            "months": [
                ("frost" if number in growth.cold else "yes" if number in growth.months else "",
                 number == now.month, month_abbr[number])
                for number in range(1, 13)
            ],
        }
        for growth in growths_of_symbol(row.symbol)
    ]  # fmt: skip
    shown = {
        "market": row,
        "at": run.at,
        "body": run.markets.get(row.symbol),
        "fault": run.faults.get(row.symbol, ""),
        "seasons": seasons,
        "names": list(month_abbr)[1:],
        "scenarios": [
            {"told": projection, "impact": impact}
            for scenario in SCENARIOS
            if row.symbol in scenario.symbols
            for projection in (run.scenarios[scenario.id].body,)
            for impact in projection["affectedCommodities"]
            if impact["symbol"] == row.symbol
        ],
        "card": score_cards.cards_by_symbol(score_cards.load_score_cards())[row.symbol],
        "chart": charts.build_line_chart(past),
        "last": past[-1][0] if past else None,
        "width": charts.WIDTH,
        "height": charts.HEIGHT,
        "base": charts.BASE,
    }
    return render(request, "forecast/market.html", shown)


def page_urls() -> list[URLPattern]:
    """Return the URLs of the pages, which follow those of the service's documents."""
    return [
        path("", show_markets, name="forecast-markets"),
        path("market/<slug:symbol>", show_market, name="forecast-market"),
    ]
