"""Where structural instability comes from: scores, actors, scenarios (3 §2.7)."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made
from apps.intelligence.methods import lapsing, layering, spreading, triggering
from apps.intelligence.methods.instability_parts import (
    SERIES,
    Part,
    fall,
    figure,
    fiscal_parts,
    us_parts,
)
from apps.intelligence.rules import instability as rules
from apps.intelligence.rules.cascades import Cascade, confidence
from apps.intelligence.rules.signals import signal_of
from apps.signals import holding
from apps.signals.composing import split
from apps.signals.quality import Quality

MONTH = timedelta(days=30)
Parts = Mapping[str, Part]
READ = tuple(
    dict.fromkeys(
        (
            *SERIES.values(), "us.cpi.yoy", "gas.europe", "fx.usd.CNY", "fx.usd.EUR",
            "euro.btp_bund",
            *(one.series for row in (rules.POLICY, rules.FISCAL) for one in row.triggers),
        )
    )
)  # fmt: skip


def compute(known: Known) -> Made:
    """Return scores, origins and scenarios; raises Unavailable without uncertainty of policy."""
    then = known.ageless  # by which words and lists are told: silence ends nothing
    last, owed = us_parts(then), fiscal_parts(then)
    us, held = _held(us_parts(known), last, rules.US_WEIGHTS)
    fiscal, also = _held(fiscal_parts(known), owed, rules.FISCAL_WEIGHTS)
    american = score(us, rules.US_WEIGHTS)
    dominance = score(fiscal, rules.FISCAL_WEIGHTS)
    worst = (
        _graver(american, score(last, rules.US_WEIGHTS)),
        _graver(dominance, score(owed, rules.FISCAL_WEIGHTS)),
    )
    origins = _origins(then, worst[0], last)
    body: dict[str, Any] = {
        "us_instability_score": american,
        "fiscal_dominance_score": dominance,
        "overall_intensity": rules.intensity_of(*worst),
        "origins": origins,
        "scenarios": _scenarios(then, last, owed, *worst),
        "data_as_of": {
            "epu_date": _day(known, "us.epu"),
            "trade_date": _day(known, "us.tpu"),
            "deficit_date": _day(known, "balance.us"),
        },
        "systemic_narrative": _narrative(american, dominance, origins),
        "watch_list": _watch(last) + _watch(owed),
        "us_components": _told(us, rules.US_WEIGHTS),
        "fiscal_components": _told(fiscal, rules.FISCAL_WEIGHTS),
    }
    quality = holding.told(_quality(known), [*held, *also], share=max(
        _share(us, held, rules.US_WEIGHTS), _share(fiscal, also, rules.FISCAL_WEIGHTS)
    ))  # fmt: skip
    return Made(body=body, quality=lapsing.held(known, quality, READ, of=len(READ)))


def _graver(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Return the higher of two scores; None where neither is known."""
    return max((score for score in (one, other) if score is not None), default=None)


def _held(parts: Parts, ageless: Parts, weights: Mapping[str, Decimal]) -> tuple[Parts, list[str]]:
    """Return the parts with those that are held though too old, and the series of these."""
    good = [(weights[name], one.score) for name, one in parts.items() if one.score is not None]
    old = {name: (weights[name], one.score) for name, one in ageless.items()
           if one.score is not None and parts[name].score is None}  # fmt: skip
    enough = sum((weight for weight, _ in good), Decimal(0)) >= rules.ENOUGH
    kept = holding.held(good, old) if enough else []
    return {**parts, **{name: ageless[name] for name in kept}}, [SERIES[name] for name in kept]


def _share(parts: Parts, held: Sequence[str], weights: Mapping[str, Decimal]) -> Decimal:
    known = {name: weights[name] for name, one in parts.items() if one.score is not None}
    old = sum((known[name] for name in known if SERIES[name] in held), Decimal(0))
    return old / (sum(known.values(), Decimal(0)) or 1)


def score(parts: Parts, weights: Mapping[str, Decimal]) -> Decimal | None:
    """Return the weighted mean of the parts that are known; None under six tenths of the weight."""
    shares = _shares(parts, weights)
    return sum(shares.values(), Decimal(0)) if shares else None


def _shares(parts: Parts, weights: Mapping[str, Decimal]) -> dict[str, Decimal]:
    good = {name: part.score for name, part in parts.items() if part.score is not None}
    held = sum((weights[name] for name in good), Decimal(0))
    if held < rules.ENOUGH:
        return {}
    found = split([weights[name] * good[name] for name in good], held=held)
    return dict(zip(good, found, strict=True))


def _told(parts: Parts, weights: Mapping[str, Decimal]) -> list[dict[str, Any]]:
    """Return the parts of a score; see InstabilityPartOut. Contributions sum to the score."""
    shares = _shares(parts, weights)
    return [
        {
            "name": name,
            "series": part.series,
            "value": part.value,
            "score": part.score,
            "signal": signal_of(part.score),
            "source": part.source,
            "weight": weights[name],
            "contribution": shares.get(name),
            "measures": part.measures,
        }
        for name, part in parts.items()
    ]


def _quality(known: Known) -> Quality:
    """Return how good it is: each part weighs as in its score, by the series that it reads."""
    inputs = []
    for name, weight in (*rules.US_WEIGHTS.items(), *rules.FISCAL_WEIGHTS.items()):
        series = SERIES[name]
        inputs.append(known.input(series, weight, required=name == "epu_index"))
    return known.judge(inputs)


def _origins(known: Known, american: Decimal | None, us: Parts) -> list[dict[str, Any]]:
    found = [_russia(known)]
    cny, euro = _china(known), _union(known)
    if rules.us_is_origin(american):
        told = [part.says() for part in us.values() if part.score is not None]
        since = _since(known, "us.epu")
        found.append(_origin(rules.UNITED_STATES, rules.intensity_of(american), told, since))
    return [*found, *cny, *euro]


def _origin(
    actor: rules.Actor, intensity: str, signals: Sequence[str], since: date | None
) -> dict[str, Any]:
    return {
        "actor": actor.name,
        "mode": actor.mode,
        "intensity": intensity,
        "ongoing_since": since,
        "key_signals": list(signals),
        "absorption_outlook": actor.outlook,
        "historical_comparisons": [spreading.analog(one) for one in actor.comparisons],
    }


def _russia(known: Known) -> dict[str, Any]:
    """Return Russia, which is always there; as intense as gas is dear in Europe."""
    placed = triggering.placed(known, "gas.europe")
    said = [] if placed is None else [f"gas.europe at the place {figure(placed)} of its history"]
    return _origin(rules.RUSSIA, rules.intensity_of(placed), said, rules.RUSSIA_SINCE)


def _china(known: Known) -> list[dict[str, Any]]:
    level, down = known.value("fx.usd.CNY"), fall(known, "fx.usd.CNY", MONTH)
    held = rules.china(level, down)
    said = [f"{figure(level)} CNY for 1 USD"] if held[0] else []
    said += [f"CNY down {down:.2f} % in 30 days"] if held[1] else []
    since = _since(known, "fx.usd.CNY", above=rules.CNY_LEVEL)
    told = _origin(rules.CHINA, rules.by_conditions(held), said, since)
    return [told] if any(held) else []


def _union(known: Known) -> list[dict[str, Any]]:
    spread, down = known.value("euro.btp_bund"), fall(known, "fx.usd.EUR", MONTH)
    held = rules.union(spread, down)
    said = [f"Italy pays {figure(spread)} basis points above Germany"] if held[0] else []
    said += [f"EUR down {down:.2f} % in 30 days"] if held[1] else []
    since = _since(known, "euro.btp_bund", above=rules.SPREAD)
    told = _origin(rules.UNION, rules.by_conditions(held), said, since)
    return [told] if any(held) else []


def _since(known: Known, series: str, above: Decimal | None = None) -> date | None:
    """Return the first day of the last unbroken stretch above a bound (its median without one).

    Where the newest value is not above it, that value's day: what began with it is new.
    """
    past = known.history(series)
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


def _scenarios(
    known: Known, us: Parts, fiscal: Parts, american: Decimal | None, dominance: Decimal | None
) -> list[dict[str, Any]]:
    """Return the scenarios of the United States, in the shape of cascades."""
    trend = fiscal["deficit_trend"].value
    rows = []
    if rules.policy_scenario(signal_of(us["epu_index"].score), american):
        rows.append(rules.POLICY)
    if rules.fiscal_scenario(
        fiscal["debt_to_gdp"].value,
        deteriorating=None if trend is None else trend > 0,
        inflation=known.value("us.cpi.yoy"),
        score=dominance,
    ):
        rows.append(rules.FISCAL)
    scores = layering.scores(layering.measured(known)) if rows else {}
    return [_scenario(known, row, scores) for row in rows]


def _scenario(known: Known, row: Cascade, scores: Mapping[str, Decimal | None]) -> dict[str, Any]:
    seen = triggering.seen(known, row.triggers)
    return spreading.cascade(row, confidence(row, seen) or Decimal(0), seen, scores)


def _day(known: Known, series: str) -> date | None:
    point = known.point(series)
    return point.day if point else None


def _watch(parts: Parts) -> list[str]:
    """Return what is high though the whole may not be."""
    return [part.says() for part in parts.values() if signal_of(part.score) in rules.UNCERTAIN]


def _narrative(
    american: Decimal | None, dominance: Decimal | None, origins: Sequence[Mapping[str, Any]]
) -> str:
    def said(one: Decimal | None) -> str:
        return "not known" if one is None else f"{one} of 100"

    names = ", ".join(one["actor"] for one in origins)
    return (
        f"Instability of the United States is {said(american)}, fiscal dominance "
        f"{said(dominance)}. Origins: {names}."
    )
