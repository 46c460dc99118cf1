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
    TableColumn("Cascade or scenario", "_of.label"),
    TableColumn("State", "status", "code"),
    TableColumn("Priced in", "pricedIn", "yes"),
    TableColumn("Usually after", "typicalLag"),
    TableColumn("Effect", "effect"),
)
SIGNAL_COLUMNS = (
    TableColumn("Cascade or scenario", "_of.label"),
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
        facts=(LayoutFact("Active cascades", "nervousSystem.activeCascadeCount", "number"),),
        bars=(LayoutBars(path="nervousSystem.layers", name="{layer} {name}", ranked=False),),
        tables=(
            LayoutTable(
                title="Active cascades",
                first=True,
                path="activeCascades",
                name="{label}",
                head="Cascade",
                empty="None active.",
                note="Signals firing is the share of the known signals, by weight, that fire now; "
                "it is not a probability.",
                columns=(
                    TableColumn("Signals firing", "confidence", "share"),
                    TableColumn("Enters at", "entryLayer"),
                    TableColumn("Path", "timelineNarrative"),
                    TableColumn("Similar to", "historicalAnalog.name"),
                    TableColumn("Not priced in", "unpricedEffects"),
                ),
            ),
            LayoutTable(
                title="Next layers",
                path="activeCascades",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None active.",
                columns=STEP_COLUMNS,
            ),
            LayoutTable(
                title="Signals of active cascades",
                path="activeCascades",
                within="signals",
                name="{description}",
                head="Signal",
                empty="None active.",
                columns=SIGNAL_COLUMNS,
            ),
            LayoutTable(
                title="Early warnings",
                path="earlyWarningSignals",
                name="{description}",
                head="Signal",
                empty="No signal of an inactive cascade fires.",
                columns=(
                    TableColumn("Cascade", "type", "code"),
                    TableColumn("Measured", "value", "number"),
                    TableColumn("Bound", "bound", "number"),
                ),
            ),
        ),
    ),
    "instability": Layout(
        label="US policy instability",
        headline="usInstabilityScore",
        regime="overallIntensity",
        facts=(
            LayoutFact("Fiscal dominance, of 100", "fiscalDominanceScore", "score"),
            LayoutFact("Press data as of", "dataAsOf.epuDate", "day"),
            LayoutFact("Trade data as of", "dataAsOf.tradeDate", "day"),
            LayoutFact("Deficit data as of", "dataAsOf.deficitDate", "day"),
        ),
        bars=(
            LayoutBars(path="usComponents", name="{name:words}"),
            LayoutBars(
                path="fiscalComponents",
                name="{name:words}",
                title="Components of fiscal dominance",
            ),
        ),
        tables=(
            LayoutTable(
                title="Origins of instability",
                first=True,
                path="origins",
                name="{actor}",
                head="Actor",
                empty="None of the four actors.",
                columns=(
                    TableColumn("Intensity", "intensity", "code"),
                    TableColumn("Since", "ongoingSince", "day"),
                    TableColumn("How", "mode"),
                    TableColumn("Absorbed by", "absorptionOutlook"),
                ),
            ),
            LayoutTable(
                title="Active scenarios",
                path="scenarios",
                name="{label}",
                head="Scenario",
                empty="None active.",
                columns=(
                    TableColumn("Signals firing", "confidence", "share"),
                    TableColumn("Enters at", "entryLayer"),
                    TableColumn("Path", "timelineNarrative"),
                    TableColumn("Similar to", "historicalAnalog.name"),
                ),
            ),
            LayoutTable(
                title="Next layers",
                path="scenarios",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None active.",
                columns=STEP_COLUMNS,
            ),
        ),
    ),
    "aftershock": Layout(
        label="{series:title}: probability of another large move within a quarter",
        headline="aftershockScore",
        scale="in 100",
        story="Example: {series:title} moved by {magnitude:number} % on {date:day}, "
        "{monthsElapsed} months earlier. In its history {law.shocks} shocks were followed by "
        "{law.aftershocks} moves of {law.thresholdPct:number} % or more within a year.",
        facts=(
            LayoutFact("Past shocks", "law.shocks"),
            LayoutFact("Mean shock size, %", "law.meanSizePct", "number"),
            LayoutFact("Large move from, %", "law.thresholdPct", "number"),
            LayoutFact("Law: k", "law.k", "number"),
            LayoutFact("c", "law.c", "number"),
            LayoutFact("p (0: no decay)", "law.p", "number"),
            LayoutFact("Extrapolated", "extrapolated", "yes"),
        ),
        bars=(LayoutBars(path="contributions", name="In month {month}", ranked=False),),
        tables=(
            LayoutTable(
                title="Large moves by horizon",
                first=True,
                path="horizons",
                name="Within {months:months}",
                head="Horizon",
                columns=(
                    TableColumn("Large moves expected", "expected", "number"),
                    TableColumn("Probability of at least one", "chance", "share"),
                ),
            ),
            LayoutTable(
                title="Past shocks of this series",
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
            LayoutFact("Most likely in 30 days", "horizons.h30.mostLikely", "code"),
            LayoutFact("In 60 days", "horizons.h60.mostLikely", "code"),
            LayoutFact("In 90 days", "horizons.h90.mostLikely", "code"),
            LayoutFact("Months used", "monthsLearnt", "number"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Regime probabilities",
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
                title="Similar months",
                path="scenarioMemory.similarScenarios",
                name="{date:day}",
                head="Month ending",
                empty="No past month is similar.",
                columns=(
                    TableColumn("Similarity", "similarity", "share"),
                    TableColumn("Regime", "regime", "code"),
                    TableColumn("90 days later", "regimeAfter", "code"),
                ),
            ),
        ),
    ),
    "ledger": Layout(
        label="Resolved predictions",
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
