"""Compute the past price moves of scenarios, and their frequency. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from statistics import median
from typing import Any

from apps.insight.forecast import component_strains
from apps.insight.forecast.rules.historical_analogues import SPANS, Analogue
from apps.insight.forecast.rules.markets import market_of_symbol
from apps.insight.forecast.rules.scenarios import COLD_SEA, Scenario, wilson_interval
from apps.insight.forecast.series_snapshot import SeriesSnapshot

TENTH, HUNDREDTH, FINE = Decimal("0.1"), Decimal("0.01"), Decimal("0.000001")
DECEMBER = 12
Levels = Mapping[int, tuple[date, Decimal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalogueReplay:
    """One analogue: the price moves of each market in the months that followed, as shares.

    Only markets whose prices cover all of its months are included.
    """

    event: str
    began: str
    moves: Mapping[str, tuple[Decimal, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioProjection:
    """A scenario's past: the price moves applied to books, and its description."""

    id: str
    symbols: tuple[str, ...]
    replays: tuple[AnalogueReplay, ...]
    body: dict[str, Any]


def project_scenario(known: SeriesSnapshot, row: Scenario) -> ScenarioProjection:
    """Return the past of a scenario by the prices known at a moment."""
    levels = {name: _load_monthly_levels(known, name) for name in row.symbols}
    replays = tuple(_replay_analogue(analogue, row, levels) for analogue in row.analogues)
    projection = {
        "scenario": row.id,
        "title": row.title,
        "description": row.description,
        "criterion": row.criterion,
        "reference": row.reference,
        "time_horizon_months": row.months,
        **_estimate_probability(known, row),
        "affected_commodities": [_market_impact(name, replays) for name in row.symbols],
        "price_impact_pct": _percent_range(
            [move for r in replays for moves in r.moves.values() for move in moves]
        ),
        "supply_reduction_pct": _supply_reduction(row),
        "analogues": [
            _serialize_analogue(analogue, replay)
            for analogue, replay in zip(row.analogues, replays, strict=True)
        ],
    }
    return ScenarioProjection(id=row.id, symbols=row.symbols, replays=replays, body=projection)


def _load_monthly_levels(series_snapshot: SeriesSnapshot, symbol: str) -> Levels:
    market = market_of_symbol(symbol)
    assert market is not None
    return component_strains.last_values_by_month(series_snapshot.history(market.months))


def _replay_analogue(
    analogue: Analogue, row: Scenario, levels: Mapping[str, Levels]
) -> AnalogueReplay:
    # months since the year 0, as last_values_by_month() counts them
    first = analogue.year * 12 + analogue.month - 1
    moves = {}
    for name in row.symbols:
        # from the month before it began, the base, to the end of the horizon
        months = [levels[name].get(at) for at in range(first - 1, first + row.months)]
        if all(months) and (base := months[0]) and base[1]:
            ratios = (month[1] / base[1] - 1 for month in months[1:] if month)
            moves[name] = tuple(ratio.quantize(FINE, ROUND_HALF_EVEN) for ratio in ratios)
    return AnalogueReplay(
        event=analogue.event, began=f"{analogue.year}-{analogue.month:02}", moves=moves
    )


def _percent_range(moves: Sequence[Decimal]) -> dict[str, Any] | None:
    """Return the lowest and the highest of moves, in per cent; None where there are none."""
    if not moves:
        return None
    return {"low": _to_percent(min(moves)), "high": _to_percent(max(moves))}


def _market_impact(name: str, replays: Sequence[AnalogueReplay]) -> dict[str, Any]:
    """Return what a market did: lowest and highest month, and the median at the end."""
    replayed = [replay.moves[name] for replay in replays if name in replay.moves]
    ends = [moves[-1] for moves in replayed]
    return {
        "symbol": name,
        "price_impact_pct": _percent_range([move for moves in replayed for move in moves]),
        "median_end_pct": _to_percent(median(ends)) if ends else None,
        "analogues": len(replayed),
    }


def _to_percent(share: Decimal) -> Decimal:
    return (100 * share).quantize(TENTH, ROUND_HALF_EVEN) + 0


def _estimate_probability(series_snapshot: SeriesSnapshot, row: Scenario) -> dict[str, Any]:
    """Return how often a scenario occurred: the share of years, and its interval."""
    hits, cases, window = _count_years(series_snapshot, row)
    if not cases:
        return {"probability": None, "probability_basis": None}
    low, high = wilson_interval(hits, cases)
    basis = {
        "years_with": hits,
        "years": cases,
        "window": window,
        "low": Decimal(f"{low:.2f}"),
        "high": Decimal(f"{high:.2f}"),
        "floor": row.floor,
    }
    probability = (Decimal(hits) / cases).quantize(HUNDREDTH, ROUND_HALF_EVEN)
    return {"probability": probability, "probability_basis": basis}


def _count_years(series_snapshot: SeriesSnapshot, row: Scenario) -> tuple[int, int, str]:
    if not row.index:
        return len(row.years), row.last - row.first + 1, f"{row.first}-{row.last}"
    # the value of a season is dated by its middle month: November to January by December
    values = {
        day.year: value
        for day, value in series_snapshot.history(row.index)
        if day.month == DECEMBER
    }
    hits = sum(value <= Decimal(COLD_SEA) for value in values.values())
    window = f"{min(values)}-{max(values)}" if values else ""
    return hits, len(values), window


def _supply_reduction(row: Scenario) -> dict[str, Any] | None:
    """Return by how much harvests of areas fell, and the share of world output lost."""
    harvests = [harvest for analogue in row.analogues for harvest in analogue.harvests]
    if not harvests:
        return None
    # an outage of a day must not be mixed with yearly harvests: only the longest span is reported
    span = min((harvest.of for harvest in harvests), key=SPANS.index)
    rows = [harvest for harvest in harvests if harvest.of == span]
    falls = [-harvest.change_pct for harvest in rows]
    whole = [-harvest.change_pct * harvest.share for harvest in rows if harvest.share is not None]
    return {
        "low": min(falls),
        "high": max(falls),
        "harvests": len(rows),
        "of": span,
        "of_supply": {"low": min(whole).quantize(TENTH), "high": max(whole).quantize(TENTH)}
        if whole
        else None,
    }


def _serialize_analogue(analogue: Analogue, replay: AnalogueReplay) -> dict[str, Any]:
    return {
        "event": analogue.event,
        "year": analogue.year,
        "began": replay.began,
        "price_moves": [
            {
                "symbol": name,
                "low_pct": _to_percent(min(moves)),
                "high_pct": _to_percent(max(moves)),
                "end_pct": _to_percent(moves[-1]),
            }
            for name, moves in replay.moves.items()
        ],
        "harvests": [
            {
                "symbol": harvest.symbol,
                "area": harvest.area,
                "change_pct": harvest.change_pct,
                "source": harvest.source,
                "of": harvest.of,
            }
            for harvest in analogue.harvests
        ],
    }
