"""The tables of the oracle as docs/rules.md and docs/stability-method.md show them. Pure."""

from collections.abc import Iterator
from typing import Any

from apps.insight.stability.oracle.rules import weight_updates
from apps.insight.stability.oracle.rules.curves import BANDS, METHOD
from apps.insight.stability.oracle.rules.decision import DECISION_ROWS
from apps.insight.stability.oracle.rules.layers import LAYERS, TIERS
from apps.insight.stability.oracle.rules.usd_outlook import ALERTS
from apps.insight.stability.oracle.rules.usd_signals import REF, USD_SIGNALS
from apps.platform.common.rule_docs import Column, Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield decision_table()
    yield band_table()
    yield layer_table()
    yield input_table()
    yield usd_signal_table()
    yield usd_alert_table()


def decision_table() -> Table:
    """Return whether it is safe to settle."""
    return build_table(
        "Stability oracle: whether it is safe to settle; the first row that applies",
        ("code", "reference", "when", "status", "isHealthy", "action"),
        DECISION_ROWS,
        (
            "`code`",
            "`ref`",
            "when",
            "`status`",
            lambda row: "true" if row.healthy else "false",
            "action",
        ),
    )


def band_table() -> Table:
    """Return what points are called."""
    return build_table(
        "Stability oracle: bands of points",
        ("code", "reference", "points from", "signal", "means"),
        BANDS,
        ("`code`", "`ref`", lambda band: str(band.least // 10), "`signal`", "means"),
    )


def layer_table() -> Table:
    """Return the nine layers with their weights."""
    return build_table(
        f"Stability oracle: layers, method {METHOD}",
        ("layer", "reference", "what", "weight", "adaptive"),
        LAYERS,
        (
            "`id`",
            lambda _: "`3 §2.3`",
            "title",
            lambda layer: f"{layer.weight / 10:g} %",
            lambda layer: "yes" if layer.id in TIERS else "no",
        ),
    )


_MEASURE_HEAD = ("series", "how", "unit", "value: points")
_MEASURE_CELLS: tuple[Column, ...] = (
    lambda signal: ", ".join(f"`{name}`" for name in signal.measure.series),
    lambda signal: signal.measure.method,
    lambda signal: signal.measure.unit,
    "curve",
)


def input_table() -> Table:
    """Return the inputs of the layers but those of the dollar's, which have their own table."""
    inputs = [(layer, input_) for layer in LAYERS if layer.id != "usd" for input_ in layer.inputs]
    layers = {layer_input.id: layer.id for layer, layer_input in inputs}
    return build_table(
        "Stability oracle: inputs of layers, with their weight in the layer",
        ("input", "layer", "what", "weight", *_MEASURE_HEAD, "basis"),
        [layer_input for _, layer_input in inputs],
        (
            "`id`",
            lambda input_: layers[input_.id],
            _format_title,
            lambda input_: f"{input_.weight / 10:g} %",
            *_MEASURE_CELLS,
            "basis",
        ),
    )


def usd_signal_table() -> Table:
    """Return the twelve signals of the dollar's health."""
    return build_table(
        "Stability oracle: the twelve signals of usdHealth, with their weight in its score",
        ("signal", "reference", "what", "weight", *_MEASURE_HEAD, "votes in", "basis"),
        USD_SIGNALS,
        (
            "`id`",
            lambda _: f"`{REF}`",
            _format_title,
            lambda signal: f"{signal.weight} %",
            *_MEASURE_CELLS,
            lambda signal: "outlook and consensus" if signal.market else "outlook",
            "basis",
        ),
    )


def usd_alert_table() -> Table:
    """Return the alerts of the dollar's health."""
    return build_table(
        "Stability oracle: alerts of usdHealth",
        ("code", "reference", "field", "when"),
        ALERTS,
        ("`code`", "`ref`", lambda alert: _format_field_name(alert.field), "when"),
    )


def weight_guard_table() -> Table:
    """Return the guards of what is learnt."""
    return (
        "Limits on tier weights",
        ("guard", "value"),
        [
            ("outcomes before any weight changes", str(weight_updates.FROZEN_BELOW)),
            ("of which bad weeks, and good weeks, at least", str(weight_updates.EACH_FROM)),
            ("warnings at which a tier's usefulness counts by half", str(weight_updates.SHRINK)),
            ("largest step, relative to the initial weight", f"{weight_updates.MOST_MOVE} %"),
            ("smallest and largest weight, relative to the initial weight",
             f"{weight_updates.FURTHEST[0]} to {weight_updates.FURTHEST[1]} %"),
            ("policy threshold, which is off", str(weight_updates.POLICY_THRESHOLD)),
        ],
    )  # fmt: skip


def _format_title(title: Any) -> str:
    return f"{title.title} (without it there is no score)" if title.required else str(title.title)


def _format_field_name(name: str) -> str:
    head, *rest = name.split("_")
    return f"`{head}{''.join(part.capitalize() for part in rest)}`"
