"""Runs: once an hour everything is computed of what is known, kept as one sealed record, and read.

A job runs at each hour. Where none has run yet, a call computes; nothing waits for an upstream.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Lock
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.chain import proven
from apps.core.problems import DomainError
from apps.core.rendering import render
from apps.core.shapes import epoch, iso
from apps.forecast import computing, keeping, projecting
from apps.forecast.computing import VERSION, Outlook
from apps.forecast.known import Known, read
from apps.forecast.models import ForecastRun
from apps.forecast.projecting import Projection, Replay
from apps.forecast.rules.markets import MARKETS
from apps.forecast.rules.scenarios import SCENARIOS, Scenario
from apps.forecast.serializers import CommodityOut, RegionOut, ScenarioBaseOut
from apps.signals.quality import Unavailable

HOUR = 3600
AGAIN = 60.0  # seconds (document 3 section 7)
WORST_FIRST = ("ESTIMATED", "PARTIAL", "LIVE")
_MEMORY: dict[str, "Run"] = {}
_ONE = Lock()  # of this process computes; all others wait for it


class NotKnown(DomainError):
    """Too little is known of the climate or of prices: none is given."""

    status, code, title = 503, "no_data", "Climate data are not available now"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, retry_after=AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What was computed for an hour, as the wire has it, and the numbers that books are held to.

    `faults` say of each market without an outlook why; `outlooks` are there in a fresh one alone.
    """

    slot: int
    at: datetime
    markets: Mapping[str, Mapping[str, Any]]
    regions: tuple[Mapping[str, Any], ...]
    scores: Mapping[str, Decimal]
    scenarios: Mapping[str, Projection]
    faults: Mapping[str, str]
    outlooks: tuple[Outlook, ...] = field(default=())
    known: Known | None = None

    @property
    def lights(self) -> dict[str, str]:
        """The light of each market."""
        return {name: str(one["status"]) for name, one in self.markets.items()}

    def need(self, symbols: Iterable[str]) -> None:
        """Raise NotKnown (503) where one of these markets has no outlook."""
        for one in symbols:
            if one not in self.markets:
                raise NotKnown(self.faults.get(one, "There is no outlook."))


def slot_of(now: datetime) -> int:
    """Return the hour of a moment, counted since 1970."""
    return epoch(now) // HOUR


def current(*, now: datetime) -> Run:
    """Return the run of the hour: remembered, recorded, or computed now and not yet kept.

    A process computes an hour once, whatever became of its record; where no market had an outlook
    it looks again after a minute.
    """
    if held := _held(now):
        return held
    with _ONE:
        held = _held(now) or recorded(slot_of(now)) or compute(now=now)
        _MEMORY[VERSION] = held
    return held


def _held(now: datetime) -> Run | None:
    held = _MEMORY.get(VERSION)
    if held is None or held.slot != slot_of(now):
        return None
    return held if held.markets or now - held.at < timedelta(seconds=AGAIN) else None


def recorded(slot: int) -> Run | None:
    """Return the run of an hour; None where there is none, or it is not as it was written."""
    rows = ForecastRun.objects.filter(slot=slot, version=VERSION)
    found = next(iter(proven(rows)), None)
    return _read(slot, json.loads(found.data["body"])) if found and found.data else None


def compute(*, now: datetime) -> Run:
    """Compute everything of what is known now; in at most four queries."""
    known = read(computing.names(), as_of=now)
    outlooks, faults = [], {}
    for row in MARKETS:
        try:
            outlooks.append(computing.market(known, row))
        except Unavailable as error:
            faults[row.symbol] = error.detail
    return Run(
        slot=slot_of(now),
        at=now,
        markets={one.symbol: render(CommodityOut, one.body) for one in outlooks},
        regions=tuple(render(RegionOut, one) for one in computing.regions(known)),
        scores={one.symbol: one.score for one in outlooks},
        scenarios={row.id: _projected(known, row) for row in SCENARIOS},
        faults=faults,
        outlooks=tuple(outlooks),
        known=known,
    )


def _projected(known: Known, row: Scenario) -> Projection:
    """Return a scenario, told as the wire has it."""
    made = projecting.projection(known, row)
    return replace(made, told=render(ScenarioBaseOut, made.told))


def keep(run: Run, *, now: datetime) -> bool:
    """Keep a fresh run and the outlooks of its day; False where it is kept already."""
    if run.known is None or not run.outlooks:
        return False
    try:
        with transaction.atomic():
            ForecastRun.write(
                payload={"body": json.dumps(_written(run)), "inputs": _inputs(run.known)},
                now=now,
                slot=run.slot,
                version=VERSION,
                quality=min((one.quality for one in run.outlooks), key=WORST_FIRST.index),
            )
    except IntegrityError:  # another worker was quicker, or its record was altered
        _remember(recorded(run.slot) or run)
        return False
    keeping.keep(run.outlooks, known=run.known, now=now)
    _remember(run)
    return True


def _remember(run: Run) -> None:
    """Remember a run that needs not be kept any more, without what it was computed of."""
    held = _MEMORY.get(VERSION)
    if held is not None and held.slot == run.slot:
        _MEMORY[VERSION] = replace(run, known=None, outlooks=())


def _inputs(known: Known) -> dict[str, list[str]]:
    points = (point for name in known.points if (point := known.point(name)))
    return {one.series: [one.day.isoformat(), iso(one.vintage), one.source] for one in points}


def _written(run: Run) -> dict[str, Any]:
    return {
        "at": iso(run.at),
        "markets": dict(run.markets),
        "regions": list(run.regions),
        "scores": {name: str(one) for name, one in run.scores.items()},
        "scenarios": {name: _scenario(one) for name, one in run.scenarios.items()},
        "faults": dict(run.faults),
    }


def _scenario(one: Projection) -> dict[str, Any]:
    return {
        "symbols": list(one.symbols),
        "replays": [
            [each.event, each.began, {n: list(map(str, m)) for n, m in each.moves.items()}]
            for each in one.replays
        ],
        "told": one.told,
    }


def _read(slot: int, body: Mapping[str, Any]) -> Run:
    return Run(
        slot=slot,
        at=datetime.fromisoformat(body["at"]).astimezone(UTC),
        markets=body["markets"],
        regions=tuple(body["regions"]),
        scores={name: Decimal(text) for name, text in body["scores"].items()},
        scenarios={name: _projection(name, one) for name, one in body["scenarios"].items()},
        faults=body["faults"],
    )


def _projection(name: str, one: Mapping[str, Any]) -> Projection:
    replays = (
        Replay(
            event=event,
            began=began,
            moves={symbol: tuple(map(Decimal, told)) for symbol, told in moves.items()},
        )
        for event, began, moves in one["replays"]
    )
    return Projection(
        id=name, symbols=tuple(one["symbols"]), replays=tuple(replays), told=one["told"]
    )


def forget() -> None:
    """Empty this process's memory of runs."""
    _MEMORY.clear()
