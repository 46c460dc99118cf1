"""The tables of the oracle as docs/rules.md and docs/stability-method.md show them. Pure."""

from collections.abc import Iterator

from apps.insight.stability.oracle.rules import weight_updates
from apps.insight.stability.oracle.rules.curves import BANDS, METHOD
from apps.insight.stability.oracle.rules.decision import DECISION_ROWS
from apps.insight.stability.oracle.rules.layers import LAYERS, TIERS
from apps.insight.stability.oracle.rules.measures import Measure
from apps.insight.stability.oracle.rules.usd_outlook import ALERTS
from apps.insight.stability.oracle.rules.usd_signals import REF, USD_SIGNALS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield decision_table()
    yield band_table()
    yield layer_table()
    yield input_table()
    yield usd_signal_table()
    yield usd_alert_table()


def decision_table() -> Table:
    """Return whether it is safe to settle."""
    return (
        "Stability oracle: whether it is safe to settle; the first that holds",
        ("code", "reference", "when", "status", "isHealthy", "action"),
        [
            (f"`{one.code}`", f"`{one.ref}`", one.when, f"`{one.status}`",
             "true" if one.healthy else "false", one.action)
            for one in DECISION_ROWS
        ],
    )  # fmt: skip


def band_table() -> Table:
    """Return what points are called."""
    return (
        "Stability oracle: what points are called",
        ("code", "reference", "points from", "signal", "means"),
        [
            (f"`{one.code}`", f"`{one.ref}`", str(one.least // 10), f"`{one.signal}`", one.means)
            for one in BANDS
        ],
    )


def layer_table() -> Table:
    """Return the nine layers with their weights."""
    return (
        f"Stability oracle: layers, method {METHOD}",
        ("layer", "reference", "what", "weight", "adaptive"),
        [
            (f"`{one.id}`", "`3 §2.3`", one.title, f"{one.weight / 10:g} %",
             "yes" if one.id in TIERS else "no")
            for one in LAYERS
        ],
    )  # fmt: skip


def input_table() -> Table:
    """Return the inputs of the layers but those of the dollar's, which have their own table."""
    return (
        "Stability oracle: inputs of layers; the weight is of the layer",
        ("input", "layer", "what", "weight", "series", "how", "unit", "value: points", "basis"),
        [
            (
                f"`{one.id}`",
                layer.id,
                _format_title(one.title, one.required),
                f"{one.weight / 10:g} %",
                *_measure_cells(one.measure),
                str(one.curve),
                one.basis,
            )
            for layer in LAYERS
            if layer.id != "usd"
            for one in layer.inputs
        ],
    )


def usd_signal_table() -> Table:
    """Return the twelve signals of the dollar's health."""
    return (
        "Stability oracle: the twelve signals of usdHealth; the weight is of its score",
        ("signal", "reference", "what", "weight", "series", "how", "unit", "value: points",
         "votes in", "basis"),
        [
            (f"`{one.id}`", f"`{REF}`", _format_title(one.title, one.required), f"{one.weight} %",
             *_measure_cells(one.measure), str(one.curve),
             "outlook and consensus" if one.market else "outlook", one.basis)
            for one in USD_SIGNALS
        ],
    )  # fmt: skip


def usd_alert_table() -> Table:
    """Return the alerts of the dollar's health."""
    return (
        "Stability oracle: alerts of usdHealth",
        ("code", "reference", "field", "when"),
        [
            (f"`{one.code}`", f"`{one.ref}`", _format_field_name(one.field), one.when)
            for one in ALERTS
        ],
    )


def weight_guard_table() -> Table:
    """Return the guards of what is learnt."""
    return (
        "Guards of the weights of tiers",
        ("guard", "value"),
        [
            ("outcomes before anything moves", str(weight_updates.FROZEN_BELOW)),
            ("of bad weeks and of good ones, each", str(weight_updates.EACH_FROM)),
            ("warnings at which half of a tier's worth is learnt", str(weight_updates.SHRINK)),
            ("most that a step moves, of the weight as first set", f"{weight_updates.MOST_MOVE} %"),
            ("least and most a weight ever is, of the weight as first set",
             f"{weight_updates.FURTHEST[0]} to {weight_updates.FURTHEST[1]} %"),
            ("threshold of policy, which is off", str(weight_updates.POLICY_THRESHOLD)),
        ],
    )  # fmt: skip


def _format_title(title: str, required: bool) -> str:
    return f"{title} (without it there is no score)" if required else title


def _measure_cells(one: Measure) -> tuple[str, str, str]:
    return ", ".join(f"`{name}`" for name in one.series), one.method, one.unit


def _format_field_name(name: str) -> str:
    head, *rest = name.split("_")
    return f"`{head}{''.join(part.capitalize() for part in rest)}`"
