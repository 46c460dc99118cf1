"""What requests are told of runs: put together from their records alone."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.core.rendering import Wire, render
from apps.stability.models import RunNote, StabilityRun
from apps.stability.oracle.rules.curves import signal_at
from apps.stability.oracle.rules.decision import PEG_ALERT_FROM, Row, State, decide
from apps.stability.oracle.rules.layers import LAYERS
from apps.stability.oracle.rules.uptime import begins
from apps.stability.oracle.rules.usd_signals import USD_SIGNALS
from apps.stability.oracle.serializers import OracleStatusOut, ReliabilityOut, SeriesOut
from apps.stability.oracle.standing import Last
from config.services import SERVICES

VERSION = SERVICES["stability"].version
MOMENTS = ("as_of", "vintage")  # what a record keeps as a text
LAYER_TITLES = {one.id: one.title for one in LAYERS}
INPUTS = {(layer.id, one.id): one for layer in LAYERS for one in layer.inputs}
HIGHEST = 10  # tenths of a point
# said with what a treasury is told to do, where any figure is of the bundled sample
DEMONSTRATION = ": these are demonstration figures"
SERIES_FIELDS = frozenset(SeriesOut().fields)

_kept: dict[str, Any] = {}  # the last answer by shape, with what it is of


def reliability(found: Last, now: datetime) -> Wire:
    """Return the answer of /reliability; put together once for a run, a row and an uptime."""
    row, up = found.decided(now), found.uptime(now).percent
    return _once("reliability", (found, row.code, up), lambda: _reliability(found, row, up))


def status(found: Last, now: datetime) -> Wire:
    """Return the answer of /api/status."""
    row = found.decided(now)
    return _once("status", (found, row.code), lambda: _status(found, row))


def _once(name: str, of: tuple[Any, ...], made: Any) -> Wire:
    kept = _kept.get(name)
    if kept is None or kept[0] != of:
        kept = _kept[name] = (of, made())
    return kept[1]  # type: ignore[no-any-return]


def _reliability(found: Last, row: Row, uptime: Decimal) -> Wire:
    run, told = found.run, revived(found.told)
    values = quality(told) | {
        "is_healthy": row.healthy,
        "status": row.status,
        "decided_by": {
            "code": row.code,
            "reference": row.ref,
            "when": row.when,
            "action": row.action + DEMONSTRATION * run.sample,
        },
        "stability": {
            "current_score": run.points,
            "signal": signal_at((run.points or 0) * HIGHEST),
            "layers": [_bare(one) for one in told["layers"]],
        },
        "peg": _peg(told),
        "confidence": {"score": told["confidence"]},
        "oracle": {
            "uptime_pct": uptime,
            "run_id": run.run_id,
            "computed_at": run.recorded_at,
            "next_at": begins(run.slot + 1),
            "version": VERSION,
            "method": run.method,
            "weights_version": run.weights,
        },
        "usd_health": usd_health(told),
        "sources": terms(told["series"]),
    }
    if found.note is not None:
        values["intelligence"] = noted(found.note)
    return render(ReliabilityOut, values)


def _status(found: Last, row: Row) -> Wire:
    run, told = found.run, revived(found.told)
    values = quality(told) | {
        "run_id": run.run_id,
        "computed_at": run.recorded_at,
        "method": run.method,
        "weights_version": run.weights,
        "score": run.points,
        "status": row.status,
        "peg": _peg(told),
        "confidence": {"score": told["confidence"]},
        "layers": [in_full(one) for one in told["layers"]],
        "usd_health": usd_health(told),
        "series": [_series(name, one) for name, one in sorted(told["series"].items())],
    }
    return render(OracleStatusOut, values)


def _series(name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value that was known; what a later release keeps of it beside that is not told."""
    return {"series": name} | {key: value for key, value in told.items() if key in SERIES_FIELDS}


def history(runs: Iterable[StabilityRun]) -> list[dict[str, Any]]:
    """Return runs as the history tells them, each by the status that it had when it was made."""
    return [
        {
            "run_id": run.run_id,
            "computed_at": run.recorded_at,
            "score": run.points,
            "status": status_then(run),
            "deviation_bps": run.deviation_bps,
            "data_quality": run.quality or None,
            "weights_version": run.weights,
            "method": run.method,
        }
        for run in runs
    ]


def status_then(run: StabilityRun) -> str:
    """Return the status that a run had when it was made; UNAVAILABLE without a number."""
    row = row_then(run)
    return row.status if row else "UNAVAILABLE"


def row_then(run: StabilityRun) -> Row | None:
    """Return the row of the decision table that held when a run was made, or None."""
    if run.points is None or run.deviation_bps is None:
        return None
    return decide(State(run.points, run.deviation_bps, timedelta(0)))


def revived(told: Any) -> Any:
    """Return a record's payload with its moments as moments."""
    if isinstance(told, Mapping):
        return {name: _value(name, value) for name, value in told.items()}
    return [revived(one) for one in told] if isinstance(told, list) else told


def _value(name: str, value: Any) -> Any:
    if name in MOMENTS and isinstance(value, str):
        return datetime.fromisoformat(value)
    return revived(value)


def quality(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return how good the data of a run were."""
    names = ("data_quality", "coverage", "as_of", "reasons", "missing")
    return {name: told[name] for name in names}


def terms(series: Mapping[str, Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the publishers of the values that a run rests on, each with its terms, once."""
    held = {(one["source"], one["licence"]) for one in series.values() if "licence" in one}
    return [{"source": source, "licence": licence} for source, licence in sorted(held)]


def _peg(told: Mapping[str, Any]) -> dict[str, Any]:
    deviation = Decimal(told["peg"]["deviation_bps"])
    return {"deviation_bps": deviation, "alert": deviation >= PEG_ALERT_FROM}


def _bare(layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer without its inputs; one of another release is called by its id."""
    named = {"title": LAYER_TITLES.get(layer["id"], layer["id"])}
    return named | {name: value for name, value in layer.items() if name != "inputs"}


def in_full(layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer with its inputs, each with its title, method and unit."""
    return _bare(layer) | {"inputs": [_input(layer["id"], one) for one in layer["inputs"]]}


def _input(layer: str, told: Mapping[str, Any]) -> dict[str, Any]:
    row = INPUTS.get((layer, told["id"]))
    words = (row.title, row.measure.method, row.measure.unit) if row else (told["id"], "", "")
    return dict(zip(("title", "method", "unit"), words, strict=True)) | dict(told)


def usd_health(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dollar's health with its twelve signals."""
    [layer] = [one for one in told["layers"] if one["id"] == "usd"]
    parts = {one["id"]: one for one in layer["inputs"]}
    return told["usd_health"] | {"signals": _signals(parts, told["votes"])}


def _signals(parts: Mapping[str, Any], votes: Mapping[str, int]) -> Sequence[dict[str, Any]]:
    return [
        {
            "id": one.id,
            "title": one.title,
            "unit": one.measure.unit,
            "vote": votes.get(one.id),
            **{name: parts[one.id][name] for name in ("value", "signal", "source", "as_of")},
        }
        for one in USD_SIGNALS
        if one.id in parts
    ]


def noted(note: RunNote) -> dict[str, Any]:
    """Return what a language model made of a run."""
    return {
        "reasoning": note.reasoning,
        "confidence": note.confidence,
        "alerts": note.alerts,
        "outlook": note.outlook,
        "model": note.model,
        "generated_at": note.generated_at,
    }
