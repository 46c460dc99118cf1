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
from apps.insight.intelligence.rules import instability as rules
from apps.insight.intelligence.rules.cascades import Cascade, confidence_of_cascade
from apps.insight.intelligence.rules.signals import signal_of_place
from apps.reference.signals import held_inputs
from apps.reference.signals.composition import split_score
from apps.reference.signals.lapsed_inputs import choose_held_inputs
from apps.reference.signals.quality import Quality

MONTH = timedelta(days=30)
PartsByName = Mapping[str, InstabilityPart]
READ_SERIES = tuple(
    dict.fromkeys(
        (
            *SERIES.values(), "us.cpi.yoy", "gas.europe", "fx.usd.CNY", "fx.usd.EUR",
            "euro.btp_bund",
            *(trigger.series for row in (rules.POLICY, rules.FISCAL) for trigger in row.triggers),
        )
    )
)  # fmt: skip


def compute_instability(known: MethodInputs) -> MethodResult:
    """Return scores, origins and scenarios; raises TooFewInputs without uncertainty of policy."""
    then = known.ageless  # by which words and lists are told: silence ends nothing
    last, owed = measure_us_parts(then), measure_fiscal_parts(then)
    us, held = _hold_stale_parts(measure_us_parts(known), last, rules.US_WEIGHTS)
    fiscal, also = _hold_stale_parts(measure_fiscal_parts(known), owed, rules.FISCAL_WEIGHTS)
    american = weighted_score_of_parts(us, rules.US_WEIGHTS)
    dominance = weighted_score_of_parts(fiscal, rules.FISCAL_WEIGHTS)
    worst = (
        _higher_score(american, weighted_score_of_parts(last, rules.US_WEIGHTS)),
        _higher_score(dominance, weighted_score_of_parts(owed, rules.FISCAL_WEIGHTS)),
    )
    origins = _find_origins(then, worst[0], last)
    body: dict[str, Any] = {
        "us_instability_score": american,
        "fiscal_dominance_score": dominance,
        "overall_intensity": rules.intensity_of(*worst),
        "origins": origins,
        "scenarios": _find_scenarios(then, last, owed, *worst),
        "data_as_of": {
            "epu_date": _newest_day(known, "us.epu.30d"),
            "trade_date": _newest_day(known, "us.tpu"),
            "deficit_date": _newest_day(known, "balance.us"),
        },
        "systemic_narrative": _describe_instability(american, dominance, origins),
        "watch_list": _build_watch_list(last) + _build_watch_list(owed),
        "us_components": _serialize_parts(us, rules.US_WEIGHTS),
        "fiscal_components": _serialize_parts(fiscal, rules.FISCAL_WEIGHTS),
    }
    quality = held_inputs.label_held_inputs(
        _judge_parts(known),
        [*held, *also],
        share=max(
            _share_of_held(us, held, rules.US_WEIGHTS),
            _share_of_held(fiscal, also, rules.FISCAL_WEIGHTS),
        ),
    )
    return MethodResult(
        body=body,
        quality=stale_inputs.mark_held_series(known, quality, READ_SERIES, of=len(READ_SERIES)),
    )


def _higher_score(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Return the higher of two scores; None where neither is known."""
    return max((score for score in (one, other) if score is not None), default=None)


def _hold_stale_parts(
    parts: PartsByName, ageless: PartsByName, weights: Mapping[str, Decimal]
) -> tuple[PartsByName, list[str]]:
    """Return the parts with those that are held though too old, and the series of these."""
    good = [(weights[name], one.score) for name, one in parts.items() if one.score is not None]
    old = {name: (weights[name], one.score) for name, one in ageless.items()
           if one.score is not None and parts[name].score is None}  # fmt: skip
    enough = sum((weight for weight, _ in good), Decimal(0)) >= rules.LEAST_KNOWN_WEIGHT
    held_names = choose_held_inputs(good, old) if enough else []
    return {**parts, **{name: ageless[name] for name in held_names}}, [
        SERIES[name] for name in held_names
    ]


def _share_of_held(
    parts: PartsByName, held: Sequence[str], weights: Mapping[str, Decimal]
) -> Decimal:
    known = {name: weights[name] for name, one in parts.items() if one.score is not None}
    old = sum((known[name] for name in known if SERIES[name] in held), Decimal(0))
    return old / (sum(known.values(), Decimal(0)) or 1)


def weighted_score_of_parts(parts: PartsByName, weights: Mapping[str, Decimal]) -> Decimal | None:
    """Return the weighted mean of the parts that are known; None under six tenths of the weight."""
    shares = _split_contributions(parts, weights)
    return sum(shares.values(), Decimal(0)) if shares else None


def _split_contributions(parts: PartsByName, weights: Mapping[str, Decimal]) -> dict[str, Decimal]:
    good = {name: part.score for name, part in parts.items() if part.score is not None}
    held = sum((weights[name] for name in good), Decimal(0))
    if held < rules.LEAST_KNOWN_WEIGHT:
        return {}
    found = split_score([weights[name] * good[name] for name in good], held=held)
    return dict(zip(good, found, strict=True))


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


def _judge_parts(method_inputs: MethodInputs) -> Quality:
    """Return how good it is: each part weighs as in its score, by the series that it reads."""
    held_names = []
    for name, weight in (*rules.US_WEIGHTS.items(), *rules.FISCAL_WEIGHTS.items()):
        series = SERIES[name]
        held_names.append(method_inputs.input(series, weight, required=name == "epu_index"))
    return method_inputs.judge(held_names)


def _find_origins(
    method_inputs: MethodInputs, american: Decimal | None, us: PartsByName
) -> list[dict[str, Any]]:
    found = [_serialize_russia(method_inputs)]
    cny, euro = _find_china(method_inputs), _find_union(method_inputs)
    if rules.is_us_origin(american):
        told = [part.says() for part in us.values() if part.score is not None]
        since = _start_of_stretch(method_inputs, "us.epu.30d")
        found.append(
            _serialize_origin(rules.UNITED_STATES, rules.intensity_of(american), told, since)
        )
    return [*found, *cny, *euro]


def _serialize_origin(
    actor: rules.Actor, intensity: str, signals: Sequence[str], since: date | None
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
    """Return Russia, which is always there; as intense as gas is dear in Europe."""
    placed = trigger_measures.place_in_own_history(method_inputs, "gas.europe")
    said = (
        []
        if placed is None
        else [f"gas.europe at the place {format_figure(placed)} of its history"]
    )
    return _serialize_origin(rules.RUSSIA, rules.intensity_of(placed), said, rules.RUSSIA_SINCE)


def _find_china(method_inputs: MethodInputs) -> list[dict[str, Any]]:
    level, down = (
        method_inputs.value("fx.usd.CNY"),
        currency_fall_pct(method_inputs, "fx.usd.CNY", MONTH),
    )
    held = rules.check_china_conditions(level, down)
    said = [f"{format_figure(level)} CNY for 1 USD"] if held[0] else []
    said += [f"CNY down {down:.2f} % in 30 days"] if held[1] else []
    since = _start_of_stretch(method_inputs, "fx.usd.CNY", above=rules.CNY_LEVEL)
    told = _serialize_origin(rules.CHINA, rules.intensity_of_conditions(held), said, since)
    return [told] if any(held) else []


def _find_union(method_inputs: MethodInputs) -> list[dict[str, Any]]:
    spread, down = (
        method_inputs.value("euro.btp_bund"),
        currency_fall_pct(method_inputs, "fx.usd.EUR", MONTH),
    )
    held = rules.check_union_conditions(spread, down)
    said = [f"Italy pays {format_figure(spread)} basis points above Germany"] if held[0] else []
    said += [f"EUR down {down:.2f} % in 30 days"] if held[1] else []
    since = _start_of_stretch(method_inputs, "euro.btp_bund", above=rules.SPREAD)
    told = _serialize_origin(rules.UNION, rules.intensity_of_conditions(held), said, since)
    return [told] if any(held) else []


def _start_of_stretch(
    method_inputs: MethodInputs, series: str, above: Decimal | None = None
) -> date | None:
    """Return the first day of the last unbroken stretch above a bound (its median without one).

    Where the newest value is not above it, that value's day: what began with it is new.
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
    if rules.is_policy_scenario(signal_of_place(us["epu_index"].score), american):
        rows.append(rules.POLICY)
    if rules.is_fiscal_scenario(
        fiscal["debt_to_gdp"].value,
        deteriorating=None if trend is None else trend > 0,
        inflation=method_inputs.value("us.cpi.yoy"),
        score=dominance,
    ):
        rows.append(rules.FISCAL)
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
    """Return what is high though the whole may not be."""
    return [
        part.says() for part in parts.values() if signal_of_place(part.score) in rules.UNCERTAIN
    ]


def _describe_instability(
    american: Decimal | None, dominance: Decimal | None, origins: Sequence[Mapping[str, Any]]
) -> str:
    def said(one: Decimal | None) -> str:
        return "not known" if one is None else f"{one} of 100"

    names = ", ".join(origin["actor"] for origin in origins)
    return (
        f"Instability of the United States is {said(american)}, fiscal dominance "
        f"{said(dominance)}. Origins: {names}."
    )
