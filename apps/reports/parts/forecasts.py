"""The part that is the commodity forecasts: all eleven markets, of the run of the hour."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.shapes import iso
from apps.forecast import running
from apps.forecast.computing import VERSION
from apps.forecast.rules.markets import SYMBOLS
from apps.reports.rules.findings import quality
from apps.reports.rules.marks import of_sources
from apps.reports.shape import Part, Piece

SHOWN = ("symbol", "title", "status", "climateRiskScore", "outlook", "signal", "dataQuality")


def _gather(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Return the eleven markets; NotKnown (503) where one of them has no outlook."""
    run = running.current(now=now)
    run.need(SYMBOLS)
    markets = [run.markets[symbol] for symbol in SYMBOLS]

    def keep(caller: Caller, at: datetime) -> None:
        running.keep(run, now=at)

    return Piece(
        data={
            "asOf": iso(run.at),
            "methodologyVersion": VERSION,
            "commodities": [{name: one[name] for name in SHOWN} for one in markets],
        },
        quality=quality((one["dataQuality"] for one in markets), missing=False),
        mark=of_sources(one["source"] for row in markets for one in row["sources"]),
        sources=_sources(markets),
        inputs={
            "service": "forecast",
            "version": VERSION,
            "slot": run.slot,
            "at": iso(run.at),
            "scores": {symbol: str(run.scores[symbol]) for symbol in SYMBOLS},
        },
        keep=keep,
    )


def _sources(markets: list[Mapping[str, Any]]) -> list[str]:
    told = (f"{one['source']}: {one['licence']}" for row in markets for one in row["sources"])
    return list(dict.fromkeys(told))


PART = Part(name="markets", title="Outlook of commodity markets", gather=_gather, required=False)
