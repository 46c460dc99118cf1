"""What follows for the macro report: stability of settlement, stress of markets, regimes. Pure."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from apps.insight.intelligence.rules.regimes import REGIMES
from apps.insight.reports.rules.band_findings import Band, build_band_rules
from apps.insight.reports.rules.charts import BarRow, Chart, ShareRow
from apps.insight.reports.rules.conditions import Equals, build_row_rule, build_value_rule
from apps.insight.reports.rules.findings import Data, Level, Rule
from apps.insight.reports.rules.report_data import (
    format_code,
    format_day,
    format_number,
    format_percent,
    list_at_path,
    value_at_path,
)
from apps.platform.common.bounds import Bounds

ORACLE, STRESS, REGIMES_REF = "3 §2.3", "3 §2.7 macro-stress", "3 §2.7 transition-risk"
LEVEL_OF_REGIME: Mapping[str, Level] = {
    "STRESSED": "MODERATE",
    "CRITICAL": "ELEVATED",
    "CRISIS": "HIGH",
}
# points of a score or layer, below which large settlements are deferred (document 3 section 2.3)
WEAK_SCORE = 75
# of 100
LOW_CONFIDENCE = 50
# probability of a worse regime
LIKELY, POSSIBLE = 0.5, 0.25
# debtStressIndex from which the sovereign debt answer says CRISIS
HIGH_DEBT_STRESS = 75
# days, one quarter: beyond it the text states a figure's age
OLD_FIGURE_DAYS = 92
# basis points, document 3 section 2.3
PEG_HALT_BPS = 50


def chance_of_worse_regime(data: Data) -> float | None:
    """Return the probability that in 90 days the regime is worse than now; None if not known."""
    chances = value_at_path(data, "outlook.horizons.h90.probabilities")
    now = value_at_path(data, "outlook.currentRegime")
    if chances is None or now is None:
        return None
    return float(sum(chances[name] for name in REGIMES[REGIMES.index(now) + 1 :]))


def _say_peg_deviation(data: Data, off: float) -> str:
    return (
        f"Stablecoins are {format_number(off)} basis points off their "
        f"peg{_format_peg_date(data)}: settlement halts from {PEG_HALT_BPS}."
    )


def _say_stability_score(data: Data, score: float) -> str:
    return (
        f"The stability score is {format_number(score)} of 100 "
        f"({format_code(value_at_path(data, 'stability.status'))}): "
        f"{value_at_path(data, 'stability.decidedBy.when')}."
    )


def _say_weak_layer(data: Data, layer: Any) -> str:
    return (
        f"The layer {layer['title']} is at {format_number(layer['value'])} of 100, "
        f"below {WEAK_SCORE}, as of {format_day(layer['asOf'])}."
    )


def _say_low_confidence(data: Data, score: float) -> str:
    lacking = len(list_at_path(data, "stability.missing"))
    return (
        f"Confidence in the stability score is {format_number(score)} of 100: {lacking} of its "
        "series are missing, or values are old."
    )


def _say_market_stress(data: Data, index: float) -> str:
    return (
        f"Market stress is {format_number(index)} of 100 "
        f"({format_code(value_at_path(data, 'stress.regime'))}), as of "
        f"{format_day(value_at_path(data, 'stress.asOf'))}."
    )


def _say_inverted_curve(data: Data, signal: bool) -> str:
    curve = value_at_path(data, "stability.usdHealth.yieldCurve")
    return (
        f"The US yield curve was inverted by {format_number(abs(curve['spread']), 2)} "
        f"points{_format_as_of(data, curve['asOf'])}."
    )


def _format_as_of(data: Data, moment: str) -> str:
    """Return the day that a figure is of, and how old that is where it is old."""
    computed_at = value_at_path(data, "stability.oracle.computedAt")
    days = (
        date.fromisoformat(format_day(computed_at)) - date.fromisoformat(format_day(moment))
    ).days
    return f", as of {format_day(moment)}" + (
        f" ({days:,} days before)" if days > OLD_FIGURE_DAYS else ""
    )


def _say_regime(data: Data, regime: str) -> str:
    return (
        f"The regime of the world economy is {format_code(regime)}: "
        f"{format_number(value_at_path(data, 'outlook.currentScore'))} of 100 on the stress "
        f"scale{_format_as_of(data, value_at_path(data, 'outlook.asOf'))}."
    )


def _say_worse_chance(data: Data, chance: float) -> str:
    likely = value_at_path(data, "outlook.horizons.h90")
    return (
        f"The probability of a worse regime within 90 days is {format_percent(chance)}; the most "
        f"likely regime is {format_code(likely['mostLikely'])} at "
        f"{format_percent(likely['confidence'])}."
    )


def _say_deterioration(data: Data, signal: str) -> str:
    return (
        "The outlook is deteriorating: in 60 days "
        f"{format_code(value_at_path(data, 'outlook.horizons.h60.mostLikely'))} is most likely, "
        f"at {format_percent(value_at_path(data, 'outlook.horizons.h60.confidence'))}."
    )


def _say_debt_stress(data: Data, index: float) -> str:
    return (
        f"Sovereign debt stress is {format_number(index)} of 100, as of "
        f"{format_day(value_at_path(data, 'debt.asOf'))}: crisis level, from {HIGH_DEBT_STRESS}."
    )


RULES: tuple[Rule, ...] = (
    build_value_rule(
        code="MACRO-PEG",
        ref=ORACLE,
        level="CRITICAL",
        weight=100,
        title="stability.peg.deviationBps",
        value="stability.peg.deviationBps",
        condition=Bounds(least=PEG_HALT_BPS),
        say=_say_peg_deviation,
        advice=(
            f"Hold settlements in stablecoins until the peg is back within "
            f"{PEG_HALT_BPS} basis points."
        ),
    ),
    *build_band_rules(
        (
            Band(
                least=0,
                code="UNSTABLE",
                level="HIGH",
                advice=(
                    f"Defer large settlements until the stability score is {WEAK_SCORE} or more."
                ),
            ),
            Band(
                least=WEAK_SCORE,
                code="CAUTION",
                level="ELEVATED",
                advice="Settle with caution: split or delay payments that need not settle today.",
            ),
            Band(least=90, code="STABLE", level="LOW"),
        ),
        code="MACRO-SCORE",
        ref=ORACLE,
        weight=95,
        path="stability.stability.currentScore",
        title="stability.currentScore",
        say=_say_stability_score,
    ),
    *build_band_rules(
        (
            Band(least=0, code="EXPANSION", level="LOW"),
            Band(least=25, code="LATE", level="MODERATE"),
            Band(
                least=60,
                code="STRESS",
                level="ELEVATED",
                advice="Review counterparty limits while markets are under stress.",
            ),
            Band(
                least=85,
                code="CRISIS",
                level="HIGH",
                advice="Draw on committed lines early and shorten lending terms.",
            ),
        ),
        code="MACRO-STRESS",
        ref=STRESS,
        weight=90,
        path="stress.stressIndex",
        title="stress.stressIndex",
        say=_say_market_stress,
    ),
    *(
        build_value_rule(
            code=f"MACRO-REGIME-{regime}",
            ref=REGIMES_REF,
            level=level,
            weight=70,
            title="outlook.currentRegime",
            value="outlook.currentRegime",
            condition=Equals(regime),
            say=_say_regime,
            advice="Plan for wider spreads and slower counterparties while the regime lasts."
            if regime != "STRESSED"
            else "",
        )
        for regime, level in LEVEL_OF_REGIME.items()
    ),
    build_value_rule(
        code="MACRO-WORSE-LIKELY",
        ref=REGIMES_REF,
        level="ELEVATED",
        weight=80,
        title="the probability of a worse regime within 90 days",
        value=chance_of_worse_regime,
        condition=Bounds(least=LIKELY),
        say=_say_worse_chance,
        advice="Hedge payments due within 90 days now.",
    ),
    build_value_rule(
        code="MACRO-WORSE-POSSIBLE",
        ref=REGIMES_REF,
        level="MODERATE",
        weight=80,
        title="the probability of a worse regime within 90 days",
        value=chance_of_worse_regime,
        condition=Bounds(least=POSSIBLE, below=LIKELY),
        say=_say_worse_chance,
    ),
    build_value_rule(
        code="MACRO-WORSE-UNLIKELY",
        ref=REGIMES_REF,
        level="LOW",
        weight=60,
        title="the probability of a worse regime within 90 days",
        value=chance_of_worse_regime,
        condition=Bounds(below=POSSIBLE),
        say=_say_worse_chance,
    ),
    build_value_rule(
        code="MACRO-TURNING",
        ref=REGIMES_REF,
        level="MODERATE",
        weight=60,
        title="outlook.transitionSignal",
        value="outlook.transitionSignal",
        condition=Equals("DETERIORATING"),
        say=_say_deterioration,
        advice="Review this report again within 30 days.",
    ),
    build_value_rule(
        code="MACRO-DEBT",
        ref="3 §2.7 sovereign-debt",
        level="MODERATE",
        weight=50,
        title="debt.debtStressIndex",
        value="debt.debtStressIndex",
        condition=Bounds(least=HIGH_DEBT_STRESS),
        say=_say_debt_stress,
    ),
    build_row_rule(
        code="MACRO-LAYER",
        ref=ORACLE,
        level="MODERATE",
        weight=45,
        title="a layer of the stability score",
        rows="stability.stability.layers",
        field="value",
        condition=Bounds(below=WEAK_SCORE),
        say=_say_weak_layer,
        advice=f"Monitor the layers of the stability score that are below {WEAK_SCORE}.",
    ),
    build_value_rule(
        code="MACRO-CURVE",
        ref="3 §2.3",
        level="MODERATE",
        weight=40,
        title="stability.usdHealth.yieldCurve.recessionSignal",
        value="stability.usdHealth.yieldCurve.recessionSignal",
        condition=Equals(True),
        say=_say_inverted_curve,
    ),
    build_value_rule(
        code="MACRO-CONFIDENCE",
        ref=ORACLE,
        level="MODERATE",
        weight=30,
        title="stability.confidence.score",
        value="stability.confidence.score",
        condition=Bounds(below=LOW_CONFIDENCE),
        say=_say_low_confidence,
    ),
)


def macro_headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"Stability {format_number(value_at_path(data, 'stability.stability.currentScore'))}, "
        f"market stress {format_number(value_at_path(data, 'stress.stressIndex'))}, probability "
        f"of a worse regime within 90 days {format_percent(chance_of_worse_regime(data) or 0)}."
    )


def describe_stability(data: Data) -> str:
    """Describe settlement stability, layer by layer."""
    layers = list_at_path(data, "stability.stability.layers")
    score = value_at_path(data, "stability.stability.currentScore")
    known = [layer for layer in layers if layer["value"] is not None]
    weakest = sorted(known, key=lambda layer: float(layer["value"]))[:3]
    named = ", ".join(
        f"{layer['title']} {format_number(layer['value'])} (as of {format_day(layer['asOf'])})"
        for layer in weakest
    )
    return (
        "The stability oracle's run of "
        f"{format_day(value_at_path(data, 'stability.oracle.computedAt'))} gives "
        f"{format_number(score)} of 100 over {len(known)} of {len(layers)} layers. The weakest "
        f"are {named}. Stablecoins are "
        f"{format_number(value_at_path(data, 'stability.peg.deviationBps'), 2)} basis points off "
        f"their peg{_format_peg_date(data)}. The structural health of the dollar is "
        f"{format_number(value_at_path(data, 'stability.usdHealth.score'))} of 100."
    )


def _format_peg_date(data: Data) -> str:
    """Return the day that the prices of stablecoins are of."""
    moment = value_at_path(data, "stability.usdHealth.stablecoinHealth.asOf")
    return _format_as_of(data, moment) if moment else ""


def describe_market_stress(data: Data) -> str:
    """Describe market stress by its components."""
    parts = list_at_path(data, "stress.contributions")
    most = sorted(parts, key=lambda part: -float(part["contribution"]))[:2]
    named = " and ".join(
        f"{component['title']} with {format_number(component['contribution'])}"
        for component in most
    )
    debt = value_at_path(data, "debt.debtStressIndex")
    also = f" Sovereign debt stress is {format_number(debt)} of 100." if debt is not None else ""
    return (
        f"The market stress index is {format_number(value_at_path(data, 'stress.stressIndex'))} "
        f"of 100 ({format_code(value_at_path(data, 'stress.regime'))}). The largest contributions "
        f"are {named} points.{also}"
    )


def describe_regime_outlook(data: Data) -> str:
    """Describe the regime forecast, and the outcomes of similar months."""
    steps = [
        f"{days} days {format_code(value_at_path(data, f'outlook.horizons.h{days}.mostLikely'))} "
        f"({format_percent(value_at_path(data, f'outlook.horizons.h{days}.confidence'))})"
        for days in (30, 60, 90)
    ]
    note = value_at_path(data, "outlook.scenarioMemory.patternNote") or ""
    return (
        f"The regime is {format_code(value_at_path(data, 'outlook.currentRegime'))} at "
        f"{format_number(value_at_path(data, 'outlook.currentScore'))} of "
        f"100{_format_as_of(data, value_at_path(data, 'outlook.asOf'))}; "
        "it uses series that are published late, and may differ from the market stress above. "
        f"Most likely in {', in '.join(steps)}, "
        f"based on {value_at_path(data, 'outlook.monthsLearnt')} months. {note}".strip()
    )


def stability_layer_bars(data: Data) -> Iterator[BarRow]:
    """Yield the layers of the stability score."""
    for layer in list_at_path(data, "stability.stability.layers"):
        value = layer["value"]
        text = (
            "not known"
            if value is None
            else f"{format_number(value)}, as of {format_day(layer['asOf'])}"
        )
        yield layer["title"], value, text


def stress_contribution_bars(data: Data) -> Iterator[BarRow]:
    """Yield what adds to the stress of markets."""
    for contribution in list_at_path(data, "stress.contributions"):
        yield (
            contribution["title"],
            contribution["contribution"],
            f"{format_number(contribution['contribution'])} points",
        )


def regime_chance_shares(data: Data) -> Iterator[ShareRow]:
    """Yield the chances of regimes by horizon."""
    for days in (30, 60, 90):
        chances = value_at_path(data, f"outlook.horizons.h{days}.probabilities")
        if chances:
            yield f"{days} days", [(format_code(name), chances[name]) for name in REGIMES]


CHARTS: tuple[Chart, ...] = (
    Chart(title="Layers of the stability score", bars=stability_layer_bars, low=0, high=100,
          mark=(WEAK_SCORE, f"{WEAK_SCORE}: below it settlement is deferred")),
    Chart(title="Components of market stress", bars=stress_contribution_bars, low=0),
    Chart(title="Regime probabilities", shares=regime_chance_shares),
)  # fmt: skip
