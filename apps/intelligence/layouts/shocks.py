"""Layouts of products on shocks, and on what is foretold."""

from apps.intelligence.layouts.shape import Bars, Column, Fact, Layout, Table

STEPS = (
    Column("Of", "_of.label"),
    Column("State", "status", "code"),
    Column("In prices", "pricedIn", "yes"),
    Column("Usually after", "typicalLag"),
    Column("Effect", "effect"),
)
SIGNALS = (
    Column("Of", "_of.label"),
    Column("Fires", "fires", "yes"),
    Column("Measured", "value", "number"),
    Column("Bound", "bound", "number"),
    Column("Series", "series", "title"),
)
REGIMES = ("STABLE", "ELEVATED", "STRESSED", "CRITICAL", "CRISIS")

LAYOUTS = {
    "cascade": Layout(
        label="Systemic risk, the mean of seven layers",
        headline="nervousSystem.systemicRiskScore",
        regime="nervousSystem.overallStatus",
        facts=(Fact("Cascades that run", "nervousSystem.activeCascadeCount", "number"),),
        bars=(Bars(path="nervousSystem.layers", name="{layer} {name}", ranked=False),),
        tables=(
            Table(
                title="Cascades that run",
                first=True,
                path="activeCascades",
                name="{label}",
                head="Cascade",
                empty="None runs.",
                note="What fires is the part of the known signals, by weight, that fire now: it is "
                "no probability.",
                columns=(
                    Column("What fires", "confidence", "share"),
                    Column("Enters at", "entryLayer"),
                    Column("Way", "timelineNarrative"),
                    Column("Like", "historicalAnalog.name"),
                    Column("Not in prices", "unpricedEffects"),
                ),
            ),
            Table(
                title="Where they go",
                path="activeCascades",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None runs.",
                columns=STEPS,
            ),
            Table(
                title="Signals of those that run",
                path="activeCascades",
                within="signals",
                name="{description}",
                head="Signal",
                empty="None runs.",
                columns=SIGNALS,
            ),
            Table(
                title="Early warnings of others",
                path="earlyWarningSignals",
                name="{description}",
                head="Signal",
                empty="No signal of another cascade fires.",
                columns=(
                    Column("Of", "type", "code"),
                    Column("Measured", "value", "number"),
                    Column("Bound", "bound", "number"),
                ),
            ),
        ),
    ),
    "instability": Layout(
        label="Instability of policy of the United States",
        headline="usInstabilityScore",
        regime="overallIntensity",
        facts=(
            Fact("Fiscal dominance, of 100", "fiscalDominanceScore", "score"),
            Fact("Press of", "dataAsOf.epuDate", "day"),
            Fact("Trade of", "dataAsOf.tradeDate", "day"),
            Fact("Deficit of", "dataAsOf.deficitDate", "day"),
        ),
        bars=(
            Bars(path="usComponents", name="{name:words}"),
            Bars(
                path="fiscalComponents",
                name="{name:words}",
                title="What fiscal dominance is made of",
            ),
        ),
        tables=(
            Table(
                title="Where instability comes from",
                first=True,
                path="origins",
                name="{actor}",
                head="Actor",
                empty="From none of the four actors.",
                columns=(
                    Column("Intensity", "intensity", "code"),
                    Column("Since", "ongoingSince", "day"),
                    Column("Mode", "mode"),
                    Column("Absorbed by", "absorptionOutlook"),
                ),
            ),
            Table(
                title="Scenarios that run",
                path="scenarios",
                name="{label}",
                head="Scenario",
                empty="None runs.",
                columns=(
                    Column("What fires", "confidence", "share"),
                    Column("Enters at", "entryLayer"),
                    Column("Way", "timelineNarrative"),
                    Column("Like", "historicalAnalog.name"),
                ),
            ),
            Table(
                title="Where they go",
                path="scenarios",
                within="propagation",
                name="{layer} {name}",
                head="Layer",
                empty="None runs.",
                columns=STEPS,
            ),
        ),
    ),
    "aftershock": Layout(
        label="{series:title}: chance of another large move within a quarter",
        headline="aftershockScore",
        scale="in 100",
        story="The example that is asked here: {series:title} moved by {magnitude:number} % on "
        "{date:day}, {monthsElapsed} months before this picture. In its history {law.shocks} "
        "shocks were followed by {law.aftershocks} moves of {law.thresholdPct:number} % or more "
        "within a year.",
        facts=(
            Fact("Shocks in history", "law.shocks"),
            Fact("Their mean size, %", "law.meanSizePct", "number"),
            Fact("A large move is, %", "law.thresholdPct", "number"),
            Fact("Law: k", "law.k", "number"),
            Fact("c", "law.c", "number"),
            Fact("p (0: no decay)", "law.p", "number"),
            Fact("Beyond what was fitted", "extrapolated", "yes"),
        ),
        bars=(Bars(path="contributions", name="In month {month}", ranked=False),),
        tables=(
            Table(
                title="How far ahead",
                first=True,
                path="horizons",
                name="Within {months:months}",
                head="From now",
                columns=(
                    Column("Large moves expected", "expected", "number"),
                    Column("Chance of one", "chance", "share"),
                ),
            ),
            Table(
                title="Shocks of its past",
                path="pastShocks",
                name="{month:month}",
                head="Month",
                columns=(Column("Size, %", "sizePct", "number"),),
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
            Fact("Signal", "transitionSignal", "code"),
            Fact("Likeliest in 30 days", "horizons.h30.mostLikely", "code"),
            Fact("In 60 days", "horizons.h60.mostLikely", "code"),
            Fact("In 90 days", "horizons.h90.mostLikely", "code"),
            Fact("Months learnt from", "monthsLearnt", "number"),
        ),
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Chances of each regime",
                first=True,
                path="horizons",
                name="In {_key:days} days",
                head="When",
                columns=tuple(
                    Column(name.capitalize(), f"probabilities.{name}", "share") for name in REGIMES
                ),
            ),
            Table(
                title="Leading signals",
                path="leads",
                name="{title}",
                head="Signal",
                columns=(
                    Column("Value", "value", "number"),
                    Column("Weight at 30 days", "weights.h30", "share"),
                    Column("At 60", "weights.h60", "share"),
                    Column("At 90", "weights.h90", "share"),
                ),
            ),
            Table(
                title="Months like this one",
                path="scenarioMemory.similarScenarios",
                name="{date:day}",
                head="Month that ended",
                empty="No month of the past is like this one.",
                columns=(
                    Column("Likeness", "similarity", "share"),
                    Column("Regime", "regime", "code"),
                    Column("90 days later", "regimeAfter", "code"),
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
            Fact("Pending", "summary.pending", "number"),
            Fact("Overdue", "summary.overdue", "number"),
            Fact("Right at 30 days", "summary.byHorizon.h30.regimeAccuracy", "share"),
            Fact(
                "Skill against persistence, 30 days",
                "summary.byHorizon.h30.againstPersistence.skill",
                "number",
            ),
        ),
    ),
}
