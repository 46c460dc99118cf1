"""Build answers about runs from their records alone."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle.rules.curves import signal_of_points
from apps.insight.stability.oracle.rules.decision import PEG_ALERT_FROM, DecisionRow
from apps.insight.stability.oracle.rules.layers import LAYERS
from apps.insight.stability.oracle.rules.uptime import start_of_slot
from apps.insight.stability.oracle.rules.usd_signals import USD_SIGNALS
from apps.insight.stability.oracle.selectors.latest_run import LatestRun, decision_at_age
from apps.insight.stability.oracle.serializers.runs import (
    OracleStatusOut,
    ReliabilityOut,
    SeriesOut,
)
from apps.platform.api.representation import RenderedAnswer, render_answer
from config.services import SERVICES

VERSION = SERVICES["stability"].version
# fields that a record stores as texts and the API has as moments
MOMENTS = ("as_of", "vintage")
LAYER_TITLES = {layer.id: layer.title for layer in LAYERS}
INPUTS = {(layer.id, input_.id): input_ for layer in LAYERS for input_ in layer.inputs}
# tenths in a point
HIGHEST = 10
# appended to the action if any figure is from the bundled sample
DEMONSTRATION = ": demonstration figures"
SERIES_FIELDS = frozenset(SeriesOut().fields)

# the last answer of each endpoint with its key; per process, and of one run at a time
_last_answers: dict[str, Any] = {}


def render_reliability(latest_run: LatestRun, now: datetime) -> RenderedAnswer:
    """Return the answer of /reliability, built once for a run, a decision row and an uptime."""
    row, up = latest_run.decided(now), latest_run.uptime(now).percent
    return _render_once(
        "reliability", (latest_run, row.code, up), lambda: _build_reliability(latest_run, row, up)
    )


def render_status(latest_run: LatestRun, now: datetime) -> RenderedAnswer:
    """Return the answer of /api/status."""
    row = latest_run.decided(now)
    return _render_once("status", (latest_run, row.code), lambda: _build_status(latest_run, row))


def _render_once(name: str, of: tuple[Any, ...], render: Any) -> RenderedAnswer:
    last_answer = _last_answers.get(name)
    if last_answer is None or last_answer[0] != of:
        last_answer = _last_answers[name] = (of, render())
    return last_answer[1]  # type: ignore[no-any-return]


def _build_reliability(latest_run: LatestRun, row: DecisionRow, uptime: Decimal) -> RenderedAnswer:
    run, moments = latest_run.run, restore_moments(latest_run.payload)
    values = serialize_quality(moments) | {
        "is_healthy": row.healthy,
        "status": row.status,
        "decided_by": {
            "code": row.code,
            "reference": row.ref,
            "when": row.when,
            # a sandbox must not advise a treasury system without saying what it is based on
            "action": row.action + DEMONSTRATION * run.sample,
        },
        "stability": {
            "current_score": run.points,
            "signal": signal_of_points((run.points or 0) * HIGHEST),
            "layers": [_serialize_layer(layer) for layer in moments["layers"]],
        },
        "peg": _serialize_peg(moments),
        "confidence": {"score": moments["confidence"]},
        "oracle": {
            "uptime_pct": uptime,
            "run_id": run.run_id,
            "computed_at": run.recorded_at,
            "next_at": start_of_slot(run.slot + 1),
            "version": VERSION,
            "method": run.method,
            "weights_version": run.weights,
        },
        "usd_health": serialize_usd_health(moments),
        "sources": list_source_terms(moments["series"]),
    }
    if latest_run.note is not None:
        values["intelligence"] = serialize_note(latest_run.note)
    return render_answer(ReliabilityOut, values)


def _build_status(latest_run: LatestRun, row: DecisionRow) -> RenderedAnswer:
    run, moments = latest_run.run, restore_moments(latest_run.payload)
    values = serialize_quality(moments) | {
        "run_id": run.run_id,
        "computed_at": run.recorded_at,
        "method": run.method,
        "weights_version": run.weights,
        "score": run.points,
        "status": row.status,
        "peg": _serialize_peg(moments),
        "confidence": {"score": moments["confidence"]},
        "layers": [serialize_full_layer(layer) for layer in moments["layers"]],
        "usd_health": serialize_usd_health(moments),
        "series": [
            _serialize_series(name, moment) for name, moment in sorted(moments["series"].items())
        ],
    }
    return render_answer(OracleStatusOut, values)


def _serialize_series(name: str, moment: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored value with the fields of the answer; other stored fields are left out."""
    return {"series": name} | {key: value for key, value in moment.items() if key in SERIES_FIELDS}


def serialize_history(runs: Iterable[StabilityRun]) -> list[dict[str, Any]]:
    """Return runs for the history, each with the status that it had when it was made."""
    return [
        {
            "run_id": run.run_id,
            "computed_at": run.recorded_at,
            "score": run.points,
            "status": status_at_run(run),
            "deviation_bps": run.deviation_bps,
            "data_quality": run.quality or None,
            "weights_version": run.weights,
            "method": run.method,
        }
        for run in runs
    ]


def status_at_run(run: StabilityRun) -> str:
    """Return the status that a run had when it was made; UNAVAILABLE without a number."""
    row = decision_at_run(run)
    return row.status if row else "UNAVAILABLE"


def decision_at_run(run: StabilityRun) -> DecisionRow | None:
    """Return the row of the decision table that held when a run was made, or None."""
    return decision_at_age(run, age=timedelta(0))


def restore_moments(payload: Any) -> Any:
    """Return a record's payload with the texts of MOMENTS parsed."""
    if isinstance(payload, Mapping):
        return {name: _restore_value(name, value) for name, value in payload.items()}
    return [restore_moments(item) for item in payload] if isinstance(payload, list) else payload


def _restore_value(name: str, value: Any) -> Any:
    if name in MOMENTS and isinstance(value, str):
        return datetime.fromisoformat(value)
    return restore_moments(value)


def serialize_quality(quality: Mapping[str, Any]) -> dict[str, Any]:
    """Return how good the data of a run were."""
    names = ("data_quality", "coverage", "as_of", "reasons", "missing")
    return {name: quality[name] for name in names}


def list_source_terms(series: Mapping[str, Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the publishers of the values that a run rests on, each with its terms, once."""
    terms = {
        (series_moment["source"], series_moment["licence"])
        for series_moment in series.values()
        # records of earlier releases have no licences
        if "licence" in series_moment
    }
    return [{"source": source, "licence": licence} for source, licence in sorted(terms)]


def _serialize_peg(peg: Mapping[str, Any]) -> dict[str, Any]:
    deviation = Decimal(peg["peg"]["deviation_bps"])
    return {"deviation_bps": deviation, "alert": deviation >= PEG_ALERT_FROM}


def _serialize_layer(layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer without its inputs; one of another release is called by its id."""
    named = {"title": LAYER_TITLES.get(layer["id"], layer["id"])}
    return named | {name: value for name, value in layer.items() if name != "inputs"}


def serialize_full_layer(layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer with its inputs, each with its title, method and unit."""
    return _serialize_layer(layer) | {
        "inputs": [_serialize_input(layer["id"], input_) for input_ in layer["inputs"]]
    }


def _serialize_input(layer: str, input_: Mapping[str, Any]) -> dict[str, Any]:
    row = INPUTS.get((layer, input_["id"]))
    words = (row.title, row.measure.method, row.measure.unit) if row else (input_["id"], "", "")
    return dict(zip(("title", "method", "unit"), words, strict=True)) | dict(input_)


def serialize_usd_health(usd_health: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dollar's health with its twelve signals."""
    [layer] = [layer_row for layer_row in usd_health["layers"] if layer_row["id"] == "usd"]
    parts = {input_["id"]: input_ for input_ in layer["inputs"]}
    votes = usd_health["votes"]
    return usd_health["usd_health"] | {
        "signals": [
            {
                "id": usd_signal.id,
                "title": usd_signal.title,
                "unit": usd_signal.measure.unit,
                "vote": votes.get(usd_signal.id),
                **{
                    name: parts[usd_signal.id][name]
                    for name in ("value", "signal", "source", "as_of")
                },
            }
            for usd_signal in USD_SIGNALS
            if usd_signal.id in parts
        ]
    }


def serialize_note(note: RunNote) -> dict[str, Any]:
    """Return a language model's comment on a run."""
    return {
        "reasoning": note.reasoning,
        "confidence": note.confidence,
        "alerts": note.alerts,
        "outlook": note.outlook,
        "model": note.model,
        "generated_at": note.generated_at,
    }
