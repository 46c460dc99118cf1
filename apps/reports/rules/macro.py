"""What follows for the macro report: stability of settlement, stress of markets, regimes. Pure."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from apps.reports.rules.bands import Band, banded
from apps.reports.rules.bounds import Bounds, Equals, compare, compare_each
from apps.reports.rules.charts import Chart, Row, Shares
from apps.reports.rules.findings import Data, Level, Rule
from apps.reports.rules.reading import at, day, listed, num, pct, words

ORACLE, STRESS, REGIMES = "3 §2.3", "3 §2.7 macro-stress", "3 §2.7 transition-risk"
GRAVE: Mapping[str, Level] = {"STRESSED": "MODERATE", "CRITICAL": "ELEVATED", "CRISIS": "HIGH"}
ORDER = ("STABLE", "ELEVATED", "STRESSED", "CRITICAL", "CRISIS")
WEAK = 75  # document 3 section 2.3: below this a score defers settlement
LOW_CONFIDENCE = 50  # of 100
LIKELY, POSSIBLE = 0.5, 0.25  # chance of a worse regime
INDEBTED = 75  # debtStressIndex, from which the oracle of debt says CRISIS
OLD = 92  # days from which a figure's age is told in words
PEG = 50  # basis points, document 3 section 2.3


def worse(data: Data) -> float | None:
    """Return the chance that in 90 days the regime is worse than now; None where it is not told."""
    chances = at(data, "outlook.horizons.h90.probabilities")
    now = at(data, "outlook.currentRegime")
    if chances is None or now is None:
        return None
    return float(sum(chances[name] for name in ORDER[ORDER.index(now) + 1 :]))


def _peg(data: Data, off: float) -> str:
    return (
        f"Stablecoins stand {num(off)} basis points off their peg{_pegged(data)}: from {PEG} "
        "on all halts."
    )


def _score(data: Data, score: float) -> str:
    return (
        f"The stability score is {num(score)} of 100 ({words(at(data, 'stability.status'))}): "
        f"{at(data, 'stability.decidedBy.when')}."
    )


def _layer(data: Data, layer: Any) -> str:
    return (
        f"The layer {layer['title']} stands at {num(layer['value'])} of 100, below {WEAK}, as "
        f"of {day(layer['asOf'])}."
    )


def _confidence(data: Data, score: float) -> str:
    lacking = len(listed(data, "stability.missing"))
    return (
        f"Confidence in the stability score is {num(score)} of 100: {lacking} of its series "
        "are missing, or values are old."
    )


def _stress(data: Data, index: float) -> str:
    return (
        f"The stress of markets is {num(index)} of 100 "
        f"({words(at(data, 'stress.regime'))}), as of {day(at(data, 'stress.asOf'))}."
    )


def _curve(data: Data, signal: bool) -> str:
    curve = at(data, "stability.usdHealth.yieldCurve")
    return (
        f"The yield curve of the United States was inverted by {num(abs(curve['spread']), 2)} "
        f"points{_as_of(data, curve['asOf'])}."
    )


def _as_of(data: Data, moment: str) -> str:
    """Return the day that a figure is of, and how old that is where it is old."""
    made = at(data, "stability.oracle.computedAt")
    days = (date.fromisoformat(day(made)) - date.fromisoformat(day(moment))).days
    return f", as of {day(moment)}" + (f" ({days:,} days before)" if days > OLD else "")


def _regime(data: Data, regime: str) -> str:
    return (
        f"The regime of the world economy is {words(regime)}: "
        f"{num(at(data, 'outlook.currentScore'))} of 100 on its scale of stress"
        f"{_as_of(data, at(data, 'outlook.asOf'))}."
    )


def _chance(data: Data, chance: float) -> str:
    likely = at(data, "outlook.horizons.h90")
    return (
        f"Within 90 days a worse regime has a chance of {pct(chance)}; the likeliest is "
        f"{words(likely['mostLikely'])} at {pct(likely['confidence'])}."
    )


def _turning(data: Data, signal: str) -> str:
    return (
        f"The outlook is deteriorating: in 60 days "
        f"{words(at(data, 'outlook.horizons.h60.mostLikely'))} is likeliest, at "
        f"{pct(at(data, 'outlook.horizons.h60.confidence'))}."
    )


def _debt(data: Data, index: float) -> str:
    return (
        f"The stress of sovereign debt is {num(index)} of 100, as of "
        f"{day(at(data, 'debt.asOf'))}: a crisis, from {INDEBTED} on."
    )


RULES: tuple[Rule, ...] = (
    compare(
        code="MACRO-PEG", ref=ORACLE, level="CRITICAL", weight=100,
        title="stability.peg.deviationBps", value="stability.peg.deviationBps",
        condition=Bounds(least=PEG), say=_peg,
        advice=f"Hold settlements in stablecoins until the peg is back within {PEG} basis points.",
    ),
    *banded(
        (
            Band(least=0, code="UNSTABLE", level="HIGH",
                 advice=f"Defer large settlements until the stability score is {WEAK} or more."),
            Band(least=WEAK, code="CAUTION", level="ELEVATED",
                 advice="Settle with caution: split or delay what need not settle today."),
            Band(least=90, code="STABLE", level="LOW"),
        ),
        code="MACRO-SCORE", ref=ORACLE, weight=95, path="stability.stability.currentScore",
        title="stability.currentScore", say=_score,
    ),
    *banded(
        (
            Band(least=0, code="EXPANSION", level="LOW"),
            Band(least=25, code="LATE", level="MODERATE"),
            Band(least=60, code="STRESS", level="ELEVATED",
                 advice="Review limits of counterparties while markets are under stress."),
            Band(least=85, code="CRISIS", level="HIGH",
                 advice="Draw on committed lines early and shorten the terms of what is lent."),
        ),
        code="MACRO-STRESS", ref=STRESS, weight=90, path="stress.stressIndex",
        title="stress.stressIndex", say=_stress,
    ),
    *(
        compare(
            code=f"MACRO-REGIME-{regime}", ref=REGIMES, level=level, weight=70,
            title="outlook.currentRegime", value="outlook.currentRegime",
            condition=Equals(regime), say=_regime,
            advice="Plan for wider spreads and slower counterparties while the regime lasts."
            if regime != "STRESSED" else "",
        )
        for regime, level in GRAVE.items()
    ),
    compare(
        code="MACRO-WORSE-LIKELY", ref=REGIMES, level="ELEVATED", weight=80,
        title="the chance of a worse regime in 90 days", value=worse,
        condition=Bounds(least=LIKELY), say=_chance,
        advice="Hedge what falls due within 90 days now rather than then.",
    ),
    compare(
        code="MACRO-WORSE-POSSIBLE", ref=REGIMES, level="MODERATE", weight=80,
        title="the chance of a worse regime in 90 days", value=worse,
        condition=Bounds(least=POSSIBLE, below=LIKELY), say=_chance,
    ),
    compare(
        code="MACRO-WORSE-UNLIKELY", ref=REGIMES, level="LOW", weight=60,
        title="the chance of a worse regime in 90 days", value=worse,
        condition=Bounds(below=POSSIBLE), say=_chance,
    ),
    compare(
        code="MACRO-TURNING", ref=REGIMES, level="MODERATE", weight=60,
        title="outlook.transitionSignal", value="outlook.transitionSignal",
        condition=Equals("DETERIORATING"), say=_turning,
        advice="Look at this report again within 30 days.",
    ),
    compare(
        code="MACRO-DEBT", ref="3 §2.7 sovereign-debt", level="MODERATE", weight=50,
        title="debt.debtStressIndex", value="debt.debtStressIndex",
        condition=Bounds(least=INDEBTED), say=_debt,
    ),
    compare_each(
        code="MACRO-LAYER", ref=ORACLE, level="MODERATE", weight=45,
        title="a layer of the stability score", rows="stability.stability.layers", field="value",
        condition=Bounds(below=WEAK), say=_layer,
        advice=f"Watch the layers of the stability score that stand below {WEAK}.",
    ),
    compare(
        code="MACRO-CURVE", ref="3 §2.3", level="MODERATE", weight=40,
        title="stability.usdHealth.yieldCurve.recessionSignal",
        value="stability.usdHealth.yieldCurve.recessionSignal",
        condition=Equals(True), say=_curve,
    ),
    compare(
        code="MACRO-CONFIDENCE", ref=ORACLE, level="MODERATE", weight=30,
        title="stability.confidence.score", value="stability.confidence.score",
        condition=Bounds(below=LOW_CONFIDENCE), say=_confidence,
    ),
)  # fmt: skip


def headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"Stability {num(at(data, 'stability.stability.currentScore'))}, stress of markets "
        f"{num(at(data, 'stress.stressIndex'))}, chance of a worse regime within 90 days "
        f"{pct(worse(data) or 0)}."
    )


def told_stability(data: Data) -> str:
    """Tell how settlement stands, layer by layer."""
    layers = listed(data, "stability.stability.layers")
    score = at(data, "stability.stability.currentScore")
    known = [one for one in layers if one["value"] is not None]
    weakest = sorted(known, key=lambda one: float(one["value"]))[:3]
    named = ", ".join(
        f"{one['title']} {num(one['value'])} (as of {day(one['asOf'])})" for one in weakest
    )
    return (
        f"The run of the stability oracle of {day(at(data, 'stability.oracle.computedAt'))} gives "
        f"{num(score)} of 100 over {len(known)} of "
        f"{len(layers)} layers. The weakest are {named}. Stablecoins stand "
        f"{num(at(data, 'stability.peg.deviationBps'), 2)} basis points off their peg"
        f"{_pegged(data)}. The structural health of the dollar is "
        f"{num(at(data, 'stability.usdHealth.score'))} of 100."
    )


def _pegged(data: Data) -> str:
    """Return the day that the prices of stablecoins are of."""
    moment = at(data, "stability.usdHealth.stablecoinHealth.asOf")
    return _as_of(data, moment) if moment else ""


def told_stress(data: Data) -> str:
    """Tell the stress of markets by what adds to it."""
    parts = listed(data, "stress.contributions")
    most = sorted(parts, key=lambda one: -float(one["contribution"]))[:2]
    named = " and ".join(f"{one['title']} with {num(one['contribution'])}" for one in most)
    debt = at(data, "debt.debtStressIndex")
    also = f" The stress of sovereign debt is {num(debt)} of 100." if debt is not None else ""
    return (
        f"The stress index of markets is {num(at(data, 'stress.stressIndex'))} of 100 "
        f"({words(at(data, 'stress.regime'))}). Most of it comes of {named} points.{also}"
    )


def told_outlook(data: Data) -> str:
    """Tell the regimes that are foretold, and what came of similar months."""
    steps = [
        f"{days} days {words(at(data, f'outlook.horizons.h{days}.mostLikely'))} "
        f"({pct(at(data, f'outlook.horizons.h{days}.confidence'))})"
        for days in (30, 60, 90)
    ]
    note = at(data, "outlook.scenarioMemory.patternNote") or ""
    return (
        f"The regime is {words(at(data, 'outlook.currentRegime'))} at "
        f"{num(at(data, 'outlook.currentScore'))} of 100{_as_of(data, at(data, 'outlook.asOf'))}; "
        "it is of series that come late, and may differ from the stress of markets above. "
        f"Likeliest in {', in '.join(steps)}, "
        f"learnt of {at(data, 'outlook.monthsLearnt')} months. {note}".strip()
    )


def layers(data: Data) -> Iterator[Row]:
    """Yield the layers of the stability score."""
    for one in listed(data, "stability.stability.layers"):
        value = one["value"]
        told = "not known" if value is None else f"{num(value)}, as of {day(one['asOf'])}"
        yield one["title"], value, told


def contributions(data: Data) -> Iterator[Row]:
    """Yield what adds to the stress of markets."""
    for one in listed(data, "stress.contributions"):
        yield one["title"], one["contribution"], f"{num(one['contribution'])} points"


def regimes(data: Data) -> Iterator[Shares]:
    """Yield the chances of regimes by horizon."""
    for days in (30, 60, 90):
        chances = at(data, f"outlook.horizons.h{days}.probabilities")
        if chances:
            yield f"{days} days", [(words(name), chances[name]) for name in ORDER]


CHARTS: tuple[Chart, ...] = (
    Chart(title="Layers of the stability score", bars=layers, low=0, high=100,
          mark=(WEAK, f"{WEAK}: below it settlement is deferred")),
    Chart(title="What adds to the stress of markets", bars=contributions, low=0),
    Chart(title="Chances of regimes", shares=regimes),
)  # fmt: skip
