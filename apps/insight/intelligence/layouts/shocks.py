"""Layouts of products on shocks, and on predictions."""

from apps.insight.intelligence.layouts.layout import (
    Layout,
    LayoutBars,
    LayoutFact,
    LayoutTable,
    TableColumn,
)
from apps.insight.intelligence.rules.regimes import REGIMES

STEP_COLUMNS = (
    TableColumn("Of", "_of.label"),
    TableColumn("State", "status", "code"),
    TableColumn("In prices", "pricedIn", "yes"),
    TableColumn("Usually after", "typicalLag"),
    TableColumn("Effect", "effect"),
)
SIGNAL_COLUMNS = (
    TableColumn("Of", "_of.label"),
    TableColumn("Fires", "fires", "yes"),
    TableColumn("Measured", "value", "number"),
    TableColumn("Bound", "bound", "number"),
    TableColumn("Series", "series", "title"),
)

LAYOUTS = {
    "cascade": Layout(
        label="Systemic risk, the mean of seven layers",
        headline="nervousSystem.systemicRiskScore",
        regime="nervousSystem.overallStatus",
        facts=(LayoutFact("Cascades that run", "nervousSystem.activeCascadeCount", "number"),),
        bars=(LayoutBars(path="nervousSystem.layers", name="{layer} {name}", ranked=False),),
        tables=(
            LayoutTable(
                title="Cascades that run",
                first=True,
                path="activeCascades",
                name="{label}",
                head="Cascade",
                empty="None runs.",
                note="What fires is the part of the known signals, by weight, that fire now: it is "
                "no probability.",
                columns=(
                    TableColumn("What fires", "confidence", "share"),
                    TableColumn("Enters at", "entryLayer"),
                    TableColumn("Way", "timelineNarrative"),
                    TableColumn("Like", "historicalAnalog.name"),
                    TableColumn("Not in prices", "unpricedEffects"),
                ),
            ),
            LayoutTable(
                title="Where they go",
                path="activeCascades",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None runs.",
                columns=STEP_COLUMNS,
            ),
            LayoutTable(
                title="Signals of those that run",
                path="activeCascades",
                within="signals",
                name="{description}",
                head="Signal",
                empty="None runs.",
                columns=SIGNAL_COLUMNS,
            ),
            LayoutTable(
                title="Early warnings of others",
                path="earlyWarningSignals",
                name="{description}",
                head="Signal",
                empty="No signal of another cascade fires.",
                columns=(
                    TableColumn("Of", "type", "code"),
                    TableColumn("Measured", "value", "number"),
                    TableColumn("Bound", "bound", "number"),
                ),
            ),
        ),
    ),
    "instability": Layout(
        label="Instability of policy of the United States",
        headline="usInstabilityScore",
        regime="overallIntensity",
        facts=(
            LayoutFact("Fiscal dominance, of 100", "fiscalDominanceScore", "score"),
            LayoutFact("Press of", "dataAsOf.epuDate", "day"),
            LayoutFact("Trade of", "dataAsOf.tradeDate", "day"),
            LayoutFact("Deficit of", "dataAsOf.deficitDate", "day"),
        ),
        bars=(
            LayoutBars(path="usComponents", name="{name:words}"),
            LayoutBars(
                path="fiscalComponents",
                name="{name:words}",
                title="What fiscal dominance is made of",
            ),
        ),
        tables=(
            LayoutTable(
                title="Where instability comes from",
                first=True,
                path="origins",
                name="{actor}",
                head="Actor",
                empty="From none of the four actors.",
                columns=(
                    TableColumn("Intensity", "intensity", "code"),
                    TableColumn("Since", "ongoingSince", "day"),
                    TableColumn("Mode", "mode"),
                    TableColumn("Absorbed by", "absorptionOutlook"),
                ),
            ),
            LayoutTable(
                title="Scenarios that run",
                path="scenarios",
                name="{label}",
                head="Scenario",
                empty="None runs.",
                columns=(
                    TableColumn("What fires", "confidence", "share"),
                    TableColumn("Enters at", "entryLayer"),
                    TableColumn("Way", "timelineNarrative"),
                    TableColumn("Like", "historicalAnalog.name"),
                ),
            ),
            LayoutTable(
                title="Where they go",
                path="scenarios",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None runs.",
                columns=STEP_COLUMNS,
            ),
        ),
    ),
    "aftershock": Layout(
        label="{series:title}: chance of another large move within a quarter",
        headline="aftershockScore",
        scale="in 100",
        story="The example here: {series:title} moved by {magnitude:number} % on "
        "{date:day}, {monthsElapsed} months before this picture. In its history {law.shocks} "
        "shocks were followed by {law.aftershocks} moves of {law.thresholdPct:number} % or more "
        "within a year.",
        facts=(
            LayoutFact("Shocks in history", "law.shocks"),
            LayoutFact("Their mean size, %", "law.meanSizePct", "number"),
            LayoutFact("A large move is, %", "law.thresholdPct", "number"),
            LayoutFact("Law: k", "law.k", "number"),
            LayoutFact("c", "law.c", "number"),
            LayoutFact("p (0: no decay)", "law.p", "number"),
            LayoutFact("Beyond what was fitted", "extrapolated", "yes"),
        ),
        bars=(LayoutBars(path="contributions", name="In month {month}", ranked=False),),
        tables=(
            LayoutTable(
                title="How far ahead",
                first=True,
                path="horizons",
                name="Within {months:months}",
                head="From now",
                columns=(
                    TableColumn("Large moves expected", "expected", "number"),
                    TableColumn("Chance of one", "chance", "share"),
                ),
            ),
            LayoutTable(
                title="Shocks of its past",
                path="pastShocks",
                name="{month:month}",
                head="Month",
                columns=(TableColumn("Size, %", "sizePct", "number"),),
            ),
        ),
        draws=("{series}",),
    ),
    "transition-risk": Layout(
        label="Stress of markets, prices and policy",
        headline="currentScore",
        regime="currentRegime",
        story="{scenarioMemory.patternNote}",
        facts=(
            LayoutFact("Signal", "transitionSignal", "code"),
            LayoutFact("Likeliest in 30 days", "horizons.h30.mostLikely", "code"),
            LayoutFact("In 60 days", "horizons.h60.mostLikely", "code"),
            LayoutFact("In 90 days", "horizons.h90.mostLikely", "code"),
            LayoutFact("Months learnt from", "monthsLearnt", "number"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Chances of each regime",
                first=True,
                path="horizons",
                name="In {_key:days} days",
                head="When",
                columns=tuple(
                    TableColumn(name.capitalize(), f"probabilities.{name}", "share")
                    for name in REGIMES
                ),
            ),
            LayoutTable(
                title="Leading signals",
                path="leads",
                name="{title}",
                head="Signal",
                columns=(
                    TableColumn("Value", "value", "number"),
                    TableColumn("Weight at 30 days", "weights.h30", "share"),
                    TableColumn("At 60", "weights.h60", "share"),
                    TableColumn("At 90", "weights.h90", "share"),
                ),
            ),
            LayoutTable(
                title="Months like this one",
                path="scenarioMemory.similarScenarios",
                name="{date:day}",
                head="Month that ended",
                empty="No month of the past is like this one.",
                columns=(
                    TableColumn("Likeness", "similarity", "share"),
                    TableColumn("Regime", "regime", "code"),
                    TableColumn("90 days later", "regimeAfter", "code"),
                ),
            ),
        ),
    ),
    "ledger": Layout(
        label="Predictions that are resolved",
        headline="summary.resolved",
        form="number",
        scale="of {summary.totalPredictions:number}",
        regime="",
        facts=(
            LayoutFact("Pending", "summary.pending", "number"),
            LayoutFact("Overdue", "summary.overdue", "number"),
            LayoutFact("Right at 30 days", "summary.byHorizon.h30.regimeAccuracy", "share"),
            LayoutFact(
                "Skill against persistence, 30 days",
                "summary.byHorizon.h30.againstPersistence.skill",
                "number",
            ),
        ),
    ),
}
