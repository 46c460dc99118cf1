"""The part on commodity forecasts: all eleven markets, from the run of the hour."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.forecast.computation import VERSION
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.services import hourly_run
from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules.findings import worst_quality
from apps.insight.reports.rules.sample_marks import mark_of_sources
from apps.platform.api.callers import Caller
from apps.platform.common.clock import format_utc

MARKET_FIELDS = (
    "symbol",
    "title",
    "status",
    "climateRiskScore",
    "outlook",
    "signal",
    "dataQuality",
)


def _gather_markets(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Return the eleven markets; ForecastUnavailable (503) where one of them has no outlook."""
    run = hourly_run.load_current_run(now=now)
    run.need(SYMBOLS)
    markets = [run.markets[symbol] for symbol in SYMBOLS]

    def keep(caller: Caller, at: datetime) -> None:
        hourly_run.record_run(run, now=at)

    sources = (
        f"{source['source']}: {source['licence']}" for row in markets for source in row["sources"]
    )
    return PartResult(
        data={
            "asOf": format_utc(run.at),
            "methodologyVersion": VERSION,
            "commodities": [{name: market[name] for name in MARKET_FIELDS} for market in markets],
        },
        quality=worst_quality((market["dataQuality"] for market in markets), missing=False),
        mark=mark_of_sources(source["source"] for row in markets for source in row["sources"]),
        sources=list(dict.fromkeys(sources)),
        inputs={
            "service": "forecast",
            "version": VERSION,
            "slot": run.slot,
            "at": format_utc(run.at),
            "scores": {symbol: str(run.scores[symbol]) for symbol in SYMBOLS},
        },
        keep=keep,
    )


PART = ReportPart(
    name="markets", title="Outlook of commodity markets", gather=_gather_markets, required=False
)
