"""Where structural instability comes from: scores, actors, scenarios (3 §2.7)."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods import (
    cascade_propagation,
    layer_composites,
    stale_inputs,
    trigger_measures,
)
from apps.insight.intelligence.methods.instability_parts import (
    SERIES,
    InstabilityPart,
    currency_fall_pct,
    format_figure,
    measure_fiscal_parts,
    measure_us_parts,
)
from apps.insight.intelligence.rules import instability
from apps.insight.intelligence.rules.cascade_catalogue import Cascade, confidence_of_cascade
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composition import split_score

MONTH = timedelta(days=30)
PartsByName = Mapping[str, InstabilityPart]
READ_SERIES = tuple(
    dict.fromkeys(
        (
            *SERIES.values(), "us.cpi.yoy", "gas.europe", "fx.usd.CNY", "fx.usd.EUR",
            "euro.btp_bund",
            *(
                trigger.series
                for row in (instability.POLICY, instability.FISCAL)
                for trigger in row.triggers
            ),
        )
    )
)  # fmt: skip


def compute_instability(known: MethodInputs) -> MethodResult:
    """Return scores, origins and scenarios; raises TooFewInputs without uncertainty of policy."""
    # words and lists use the last known figures: missing data must not end an alarm
    then = known.ageless
    last, owed = measure_us_parts(then), measure_fiscal_parts(then)
    us, held_parts = _hold_stale_parts(measure_us_parts(known), last, instability.US_WEIGHTS)
    fiscal, also = _hold_stale_parts(measure_fiscal_parts(known), owed, instability.FISCAL_WEIGHTS)
    american = weighted_score_of_parts(us, instability.US_WEIGHTS)
    dominance = weighted_score_of_parts(fiscal, instability.FISCAL_WEIGHTS)
    worst = (
        _higher_score(american, weighted_score_of_parts(last, instability.US_WEIGHTS)),
        _higher_score(dominance, weighted_score_of_parts(owed, instability.FISCAL_WEIGHTS)),
    )
    origins = _find_origins(then, worst[0], last)
    body: dict[str, Any] = {
        "us_instability_score": american,
        "fiscal_dominance_score": dominance,
        "overall_intensity": instability.intensity_of(*worst),
        "origins": origins,
        "scenarios": _find_scenarios(then, last, owed, *worst),
        "data_as_of": {
            "epu_date": _newest_day(known, "us.epu.30d"),
            "trade_date": _newest_day(known, "us.tpu"),
            "deficit_date": _newest_day(known, "balance.us"),
        },
        "systemic_narrative": _describe_instability(american, dominance, origins),
        "watch_list": _build_watch_list(last) + _build_watch_list(owed),
        "us_components": _serialize_parts(us, instability.US_WEIGHTS),
        "fiscal_components": _serialize_parts(fiscal, instability.FISCAL_WEIGHTS),
    }
    # each part weighs as in its score, by the series that it reads
    weighed_inputs = []
    for name, weight in (*instability.US_WEIGHTS.items(), *instability.FISCAL_WEIGHTS.items()):
        series = SERIES[name]
        weighed_inputs.append(known.input(series, weight, required=name == "epu_index"))
    quality = carried_forward_labels.label_carried_forward_inputs(
        known.judge(weighed_inputs),
        [*held_parts, *also],
        share=max(
            _share_of_held(us, held_parts, instability.US_WEIGHTS),
            _share_of_held(fiscal, also, instability.FISCAL_WEIGHTS),
        ),
    )
    return MethodResult(
        body=body,
        quality=stale_inputs.mark_held_series(known, quality, READ_SERIES, of=len(READ_SERIES)),
    )


def _higher_score(first: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Return the higher of two scores; None where neither is known."""
    return max((score for score in (first, other) if score is not None), default=None)


def _hold_stale_parts(
    parts: PartsByName, ageless: PartsByName, weights: Mapping[str, Decimal]
) -> tuple[PartsByName, list[str]]:
    """Return the parts with those that are held though too old, and the series of these."""
    good = [(weights[name], part.score) for name, part in parts.items() if part.score is not None]
    old = {name: (weights[name], part.score) for name, part in ageless.items()
           if part.score is not None and parts[name].score is None}  # fmt: skip
    enough = sum((weight for weight, _ in good), Decimal(0)) >= instability.LEAST_KNOWN_WEIGHT
    # held parts must not make up for a score that has too few current ones
    held_names = choose_carried_forward_inputs(good, old) if enough else []
    return {**parts, **{name: ageless[name] for name in held_names}}, [
        SERIES[name] for name in held_names
    ]


def _share_of_held(
    parts: PartsByName, held_names: Sequence[str], weights: Mapping[str, Decimal]
) -> Decimal:
    known = {name: weights[name] for name, part in parts.items() if part.score is not None}
    old = sum((known[name] for name in known if SERIES[name] in held_names), Decimal(0))
    return old / (sum(known.values(), Decimal(0)) or 1)


def weighted_score_of_parts(parts: PartsByName, weights: Mapping[str, Decimal]) -> Decimal | None:
    """Return the weighted mean of the parts that are known; None under six tenths of the weight."""
    shares = _split_contributions(parts, weights)
    return sum(shares.values(), Decimal(0)) if shares else None


def _split_contributions(parts: PartsByName, weights: Mapping[str, Decimal]) -> dict[str, Decimal]:
    good = {name: part.score for name, part in parts.items() if part.score is not None}
    held_weight = sum((weights[name] for name in good), Decimal(0))
    if held_weight < instability.LEAST_KNOWN_WEIGHT:
        return {}
    score = split_score([weights[name] * good[name] for name in good], held=held_weight)
    return dict(zip(good, score, strict=True))


def _serialize_parts(parts: PartsByName, weights: Mapping[str, Decimal]) -> list[dict[str, Any]]:
    """Return the parts of a score; see InstabilityPartOut. Contributions sum to the score."""
    shares = _split_contributions(parts, weights)
    return [
        {
            "name": name,
            "series": part.series,
            "value": part.value,
            "score": part.score,
            "signal": signal_of_place(part.score),
            "source": part.source,
            "weight": weights[name],
            "contribution": shares.get(name),
            "measures": part.measures,
        }
        for name, part in parts.items()
    ]


def _find_origins(
    method_inputs: MethodInputs, american: Decimal | None, us: PartsByName
) -> list[dict[str, Any]]:
    # document 3 section 2.7: Russia is always listed, the others by their conditions
    origins = [_serialize_russia(method_inputs)]
    cny, euro = _find_china(method_inputs), _find_union(method_inputs)
    if instability.is_us_origin(american):
        reasons = [part.says() for part in us.values() if part.score is not None]
        since = _start_of_stretch(method_inputs, "us.epu.30d")
        origins.append(
            _serialize_origin(
                instability.UNITED_STATES, instability.intensity_of(american), reasons, since
            )
        )
    return [*origins, *cny, *euro]


def _serialize_origin(
    actor: instability.Actor, intensity: str, signals: Sequence[str], since: date | None
) -> dict[str, Any]:
    return {
        "actor": actor.name,
        "mode": actor.mode,
        "intensity": intensity,
        "ongoing_since": since,
        "key_signals": list(signals),
        "absorption_outlook": actor.outlook,
        "historical_comparisons": [
            cascade_propagation.serialize_analog(comparison) for comparison in actor.comparisons
        ],
    }


def _serialize_russia(method_inputs: MethodInputs) -> dict[str, Any]:
    """Return Russia, which is always listed; its intensity follows the price of gas in Europe."""
    placed = trigger_measures.place_in_own_history(method_inputs, "gas.europe")
    reasons = (
        []
        if placed is None
        else [f"gas.europe at percentile {format_figure(placed)} of its history"]
    )
    return _serialize_origin(
        instability.RUSSIA, instability.intensity_of(placed), reasons, instability.RUSSIA_SINCE
    )


def _find_china(method_inputs: MethodInputs) -> list[dict[str, Any]]:
    level, down = (
        method_inputs.value("fx.usd.CNY"),
        currency_fall_pct(method_inputs, "fx.usd.CNY", MONTH),
    )
    china_conditions = instability.check_china_conditions(level, down)
    reasons = [f"{format_figure(level)} CNY for 1 USD"] if china_conditions[0] else []
    reasons += [f"CNY down {down:.2f} % in 30 days"] if china_conditions[1] else []
    since = _start_of_stretch(method_inputs, "fx.usd.CNY", above=instability.CNY_LEVEL)
    origin = _serialize_origin(
        instability.CHINA, instability.intensity_of_conditions(china_conditions), reasons, since
    )
    return [origin] if any(china_conditions) else []


def _find_union(method_inputs: MethodInputs) -> list[dict[str, Any]]:
    spread, down = (
        method_inputs.value("euro.btp_bund"),
        currency_fall_pct(method_inputs, "fx.usd.EUR", MONTH),
    )
    union_conditions = instability.check_union_conditions(spread, down)
    reasons = (
        [f"Italy's yield spread over Germany is {format_figure(spread)} basis points"]
        if union_conditions[0]
        else []
    )
    reasons += [f"EUR down {down:.2f} % in 30 days"] if union_conditions[1] else []
    since = _start_of_stretch(method_inputs, "euro.btp_bund", above=instability.SPREAD)
    origin = _serialize_origin(
        instability.UNION, instability.intensity_of_conditions(union_conditions), reasons, since
    )
    return [origin] if any(union_conditions) else []


def _start_of_stretch(
    method_inputs: MethodInputs, series: str, above: Decimal | None = None
) -> date | None:
    """Return the first day of the last unbroken stretch above a bound (its median without one).

    That is the newest day itself if its value is not above the bound.
    """
    past = method_inputs.history(series)
    if not past:
        return None
    values = sorted(value for _, value in past)
    bound = values[len(values) // 2] if above is None else above
    first = past[-1][0]
    for day, value in reversed(past):
        if value <= bound:
            break
        first = day
    return first


def _find_scenarios(
    method_inputs: MethodInputs,
    us: PartsByName,
    fiscal: PartsByName,
    american: Decimal | None,
    dominance: Decimal | None,
) -> list[dict[str, Any]]:
    """Return the scenarios of the United States, in the shape of cascades."""
    trend = fiscal["deficit_trend"].value
    rows = []
    if instability.is_policy_scenario(signal_of_place(us["epu_index"].score), american):
        rows.append(instability.POLICY)
    if instability.is_fiscal_scenario(
        fiscal["debt_to_gdp"].value,
        deteriorating=None if trend is None else trend > 0,
        inflation=method_inputs.value("us.cpi.yoy"),
        score=dominance,
    ):
        rows.append(instability.FISCAL)
    scores = (
        layer_composites.scores_by_layer(layer_composites.measure_layers(method_inputs))
        if rows
        else {}
    )
    return [_serialize_scenario(method_inputs, row, scores) for row in rows]


def _serialize_scenario(
    method_inputs: MethodInputs, row: Cascade, scores: Mapping[str, Decimal | None]
) -> dict[str, Any]:
    seen = trigger_measures.measure_triggers(method_inputs, row.triggers)
    return cascade_propagation.serialize_cascade(
        row, confidence_of_cascade(row, seen) or Decimal(0), seen, scores
    )


def _newest_day(method_inputs: MethodInputs, series: str) -> date | None:
    point = method_inputs.point(series)
    return point.day if point else None


def _build_watch_list(parts: PartsByName) -> list[str]:
    """Return the watch list: components that are high even if the score is not."""
    return [
        part.says()
        for part in parts.values()
        if signal_of_place(part.score) in instability.UNCERTAIN
    ]


def _describe_instability(
    american: Decimal | None, dominance: Decimal | None, origins: Sequence[Mapping[str, Any]]
) -> str:
    def format_score(score: Decimal | None) -> str:
        return "not known" if score is None else f"{score} of 100"

    names = ", ".join(origin["actor"] for origin in origins)
    return (
        f"US instability is {format_score(american)}, fiscal dominance "
        f"{format_score(dominance)}. Origins: {names}."
    )
