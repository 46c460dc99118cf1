"""Compute the forecasts once an hour, store them as one sealed record, and load that record.

A job runs at each hour. If none has run yet, a call computes; nothing waits for an upstream.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Lock
from typing import Any

from django.db import IntegrityError, transaction

from apps.insight.forecast import computation, scenario_projection
from apps.insight.forecast.computation import VERSION, MarketOutlook
from apps.insight.forecast.models import ForecastRun
from apps.insight.forecast.rules.markets import MARKETS
from apps.insight.forecast.rules.scenarios import SCENARIOS, Scenario
from apps.insight.forecast.scenario_projection import AnalogueReplay, ScenarioProjection
from apps.insight.forecast.serializers import CommodityOut, RegionOut, ScenarioBaseOut
from apps.insight.forecast.series_snapshot import SeriesSnapshot, load_series_snapshot
from apps.insight.forecast.services import outlook_records
from apps.platform.api.representation import render_answer
from apps.platform.common.clock import format_utc, to_epoch_seconds
from apps.platform.common.problems import DomainError
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.quality import TooFewInputs

# seconds
HOUR = 3600
# seconds after which callers may retry (document 3 section 7)
AGAIN = 60.0
WORST_FIRST = ("ESTIMATED", "PARTIAL", "LIVE")
# the run of the hour by version, in this process
_MEMORY: dict[str, "HourlyRun"] = {}
# one thread of a process computes, and all others wait for its result
_COMPUTE_LOCK = Lock()


class ForecastUnavailable(DomainError):
    """Too little is known about the climate or prices for a result."""

    status, code, title = 503, "no_data", "Climate data is currently unavailable"
    retry_after = AGAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyRun:
    """What was computed for an hour: answers as sent, and the numbers that books are scored by.

    `faults` says why a market has no outlook; only a fresh run has `outlooks` and `known`.
    """

    slot: int
    at: datetime
    markets: Mapping[str, Mapping[str, Any]]
    regions: tuple[Mapping[str, Any], ...]
    scores: Mapping[str, Decimal]
    scenarios: Mapping[str, ScenarioProjection]
    faults: Mapping[str, str]
    outlooks: tuple[MarketOutlook, ...] = field(default=())
    known: SeriesSnapshot | None = None

    @property
    def lights(self) -> dict[str, str]:
        """The light of each market."""
        return {name: str(market["status"]) for name, market in self.markets.items()}

    def need(self, symbols: Iterable[str]) -> None:
        """Raise ForecastUnavailable (503) if one of these markets has no outlook."""
        for symbol in symbols:
            if symbol not in self.markets:
                raise ForecastUnavailable(self.faults.get(symbol, "There is no outlook."))


def hour_of_moment(now: datetime) -> int:
    """Return the hour of a moment, counted since 1970."""
    return to_epoch_seconds(now) // HOUR


def load_current_run(*, now: datetime) -> HourlyRun:
    """Return the run of the hour: remembered, recorded, or computed now and not yet stored."""
    if hourly_run := _load_remembered_run(now):
        return hourly_run
    with _COMPUTE_LOCK:
        hourly_run = (
            _load_remembered_run(now)
            or load_recorded_run(hour_of_moment(now))
            or compute_run(now=now)
        )
        _MEMORY[VERSION] = hourly_run
    return hourly_run


def _load_remembered_run(now: datetime) -> HourlyRun | None:
    hourly_run = _MEMORY.get(VERSION)
    if hourly_run is None or hourly_run.slot != hour_of_moment(now):
        return None
    return (
        # a run without any market is tried again after a minute: the data may have come since
        hourly_run if hourly_run.markets or now - hourly_run.at < timedelta(seconds=AGAIN) else None
    )


def load_recorded_run(slot: int) -> HourlyRun | None:
    """Return the run of an hour; None where there is none, or it failed its integrity check."""
    rows = ForecastRun.objects.filter(slot=slot, version=VERSION)
    forecast_run = next(iter(filter_verified_records(rows)), None)
    return (
        _parse_run(slot, json.loads(forecast_run.data["body"]))
        if forecast_run and forecast_run.data
        else None
    )


def compute_run(*, now: datetime) -> HourlyRun:
    """Compute everything from the data known now, in at most four queries."""
    series_snapshot = load_series_snapshot(computation.list_forecast_series(), as_of=now)
    outlooks, faults = [], {}
    for row in MARKETS:
        try:
            outlooks.append(computation.compute_market(series_snapshot, row))
        except TooFewInputs as error:
            faults[row.symbol] = error.detail
    return HourlyRun(
        slot=hour_of_moment(now),
        at=now,
        markets={outlook.symbol: render_answer(CommodityOut, outlook.body) for outlook in outlooks},
        regions=tuple(
            render_answer(RegionOut, region)
            for region in computation.compute_regions(series_snapshot)
        ),
        scores={outlook.symbol: outlook.score for outlook in outlooks},
        scenarios={row.id: _render_projection(series_snapshot, row) for row in SCENARIOS},
        faults=faults,
        outlooks=tuple(outlooks),
        known=series_snapshot,
    )


def _render_projection(series_snapshot: SeriesSnapshot, row: Scenario) -> ScenarioProjection:
    """Return a scenario in wire format."""
    projection = scenario_projection.project_scenario(series_snapshot, row)
    return replace(projection, body=render_answer(ScenarioBaseOut, projection.body))


def record_run(run: HourlyRun, *, now: datetime) -> bool:
    """Store a fresh run and the outlooks of its day; False if it is stored already."""
    if run.known is None or not run.outlooks:
        return False
    try:
        with transaction.atomic():
            points = (point for name in run.known.points if (point := run.known.point(name)))
            ForecastRun.write(
                payload={
                    "body": json.dumps(_serialize_run(run)),
                    "inputs": {
                        used_point.series: [
                            used_point.day.isoformat(),
                            format_utc(used_point.vintage),
                            used_point.source,
                        ]
                        for used_point in points
                    },
                },
                now=now,
                slot=run.slot,
                version=VERSION,
                quality=min((outlook.quality for outlook in run.outlooks), key=WORST_FIRST.index),
            )
    # another worker stored the hour first, or its record was altered: then this run answers instead
    except IntegrityError:
        _remember_run(load_recorded_run(run.slot) or run)
        return False
    outlook_records.record_outlooks(run.outlooks, known=run.known, now=now)
    _remember_run(run)
    return True


def _remember_run(run: HourlyRun) -> None:
    """Remember a stored run, without the data that it was computed from."""
    hourly_run = _MEMORY.get(VERSION)
    if hourly_run is not None and hourly_run.slot == run.slot:
        _MEMORY[VERSION] = replace(run, known=None, outlooks=())


def _serialize_run(run: HourlyRun) -> dict[str, Any]:
    return {
        "at": format_utc(run.at),
        "markets": dict(run.markets),
        "regions": list(run.regions),
        "scores": {name: str(score) for name, score in run.scores.items()},
        "scenarios": {
            name: _serialize_projection(projection) for name, projection in run.scenarios.items()
        },
        "faults": dict(run.faults),
    }


def _serialize_projection(projection: ScenarioProjection) -> dict[str, Any]:
    return {
        "symbols": list(projection.symbols),
        "replays": [
            [replay.event, replay.began, {n: list(map(str, m)) for n, m in replay.moves.items()}]
            for replay in projection.replays
        ],
        "told": projection.body,
    }


def _parse_run(slot: int, body: Mapping[str, Any]) -> HourlyRun:
    return HourlyRun(
        slot=slot,
        at=datetime.fromisoformat(body["at"]).astimezone(UTC),
        markets=body["markets"],
        regions=tuple(body["regions"]),
        scores={name: Decimal(text) for name, text in body["scores"].items()},
        scenarios={
            name: _parse_projection(name, stored) for name, stored in body["scenarios"].items()
        },
        faults=body["faults"],
    )


def _parse_projection(name: str, stored: Mapping[str, Any]) -> ScenarioProjection:
    replays = (
        AnalogueReplay(
            event=event,
            began=began,
            moves={symbol: tuple(map(Decimal, path)) for symbol, path in moves.items()},
        )
        for event, began, moves in stored["replays"]
    )
    return ScenarioProjection(
        id=name, symbols=tuple(stored["symbols"]), replays=tuple(replays), body=stored["told"]
    )


def forget_runs() -> None:
    """Empty this process's memory of runs."""
    _MEMORY.clear()
