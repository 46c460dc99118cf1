"""Layouts of products on markets, goods, ships and currencies."""

from apps.insight.intelligence.layouts.layout import (
    Layout,
    LayoutBars,
    LayoutFact,
    LayoutTable,
    TableColumn,
)

STRAITS_TABLE = LayoutTable(
    title="Straits and canals",
    path="chokepoints",
    name="{name:words}",
    head="Passage",
    columns=(
        TableColumn("Status", "status", "code"),
        TableColumn("Ships a day", "shipsPerDay", "number"),
        TableColumn("Usual", "usualPerDay", "number"),
        TableColumn("Short by, %", "shortfallPct", "number"),
        TableColumn("Of", "asOf", "day"),
        TableColumn("Source", "source", "source"),
    ),
)

LAYOUTS = {
    "macro-stress": Layout(
        label="Stress of financial markets",
        headline="stressIndex",
        facts=(
            LayoutFact("Said of the dollar", "leadSignals.fxImplication", "code"),
            LayoutFact("Weeks ahead", "leadSignals.lookAheadWeeks"),
            LayoutFact("Correlation", "leadSignals.correlation", "number"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Spreads and volatility",
                path="components",
                name="{_key:words}",
                head="Measure",
                note="A value that its publisher's licence keeps back is told by a public series "
                "in its place.",
                columns=(
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("Value", "value", "number"),
                    TableColumn("Told by", "proxy", "title"),
                ),
            ),
        ),
    ),
    "commodity": Layout(
        label="Stress of raw materials",
        headline="stressIndex",
        facts=(
            LayoutFact("Prices together", "crossCommoditySignal", "code"),
            LayoutFact("Said of inflation", "inflationLeadSignal", "code"),
            LayoutFact("Months ahead", "inflationLead.leadMonths"),
            LayoutFact("Correlation", "inflationLead.correlation", "number"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Prices",
                path="commodities",
                name="{title}",
                head="Good",
                columns=(
                    TableColumn("Price", "value", "number"),
                    TableColumn("Unit", "unit"),
                    TableColumn("Month, %", "changeMonthPct", "number"),
                    TableColumn("Year, %", "changeYearPct", "number"),
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("Of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "sovereign-debt": Layout(
        label="Stress of public debt",
        headline="debtStressIndex",
        regime="systemicSignals.globalDebtRegime",
        facts=(
            LayoutFact("Contagion", "systemicSignals.contagionRisk", "code"),
            LayoutFact("For settlement", "systemicSignals.settlementImpact", "code"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Four debtors",
                path="sovereigns",
                name="{title}",
                head="Debtor",
                columns=(
                    TableColumn("Debt, % of GDP", "debtToGdpPct", "number"),
                    TableColumn("Signal of debt", "debtSignal", "code"),
                    TableColumn("In five years", "debtChange5y", "number"),
                    TableColumn("Balance, % of GDP", "balanceToGdpPct", "number"),
                    TableColumn("Signal of balance", "balanceSignal", "code"),
                    TableColumn("Year", "year"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
            LayoutTable(
                title="What markets say",
                path="markets",
                name="{title}",
                head="Yield",
                columns=(
                    TableColumn("Value", "value", "number"),
                    TableColumn("Unit", "unit"),
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("Of", "asOf", "day"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
        ),
    ),
    "48h-call": Layout(
        label="{call.title}, called for {call.resolvesAt:day}: chance of that",
        headline="call.probability",
        form="share",
        scale="",
        regime="call.direction",
        story="The call is of {call.title}. Its last figure is of {call.fromDay:day}, "
        "{call.daysAhead} days before the call is scored. Conviction is {call.conviction:code}: "
        "{call.cases} days of the past were in the same state, of which {call.casesApart} do not "
        "overlap.",
        facts=(
            LayoutFact("Conviction", "call.conviction", "code"),
            LayoutFact("Above the base rate by", "call.edge", "share"),
            LayoutFact("Skill of such calls", "call.trackRecord.skill", "number"),
            LayoutFact("Stress of markets now", "stressIndex", "score"),
            LayoutFact("Their regime", "regime", "code"),
        ),
        tables=(
            LayoutTable(
                title="Three calls",
                first=True,
                path="calls",
                name="{title}",
                head="Subject",
                columns=(
                    TableColumn("Call", "direction", "code"),
                    TableColumn("Higher", "probabilities.higher", "share"),
                    TableColumn("Lower", "probabilities.lower", "share"),
                    TableColumn("Unchanged", "probabilities.unchanged", "share"),
                    TableColumn("Conviction", "conviction", "code"),
                    TableColumn("Cases", "cases", "number"),
                    TableColumn("From", "fromDay", "day"),
                    TableColumn("Days ahead", "daysAhead", "number"),
                    TableColumn("Skill", "trackRecord.skill", "number"),
                ),
            ),
        ),
        bars=(LayoutBars(path="components", title="What the stress of markets is made of"),),
        draws=("{call.subject}",),
    ),
    "supply-chain": Layout(
        label="Pressure on supply",
        headline="pressureIndex",
        facts=(
            LayoutFact("Index of New York", "gscpiZScore", "number"),
            LayoutFact("Its signal", "gscpiSignal", "code"),
            LayoutFact("Said of goods' inflation", "goodsInflationLeadSignal", "code"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Rivers",
                path="waterLevels",
                name="{title}",
                head="Gauge",
                columns=(
                    TableColumn("Status", "status", "code"),
                    TableColumn("Bottleneck", "bottleneckRisk", "code"),
                    TableColumn("Level, cm", "levelCm", "number"),
                    TableColumn("Low-water mark, cm", "lowWaterMarkCm", "number"),
                    TableColumn("Of", "asOf", "day"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
            STRAITS_TABLE,
        ),
    ),
    "currency-stress": Layout(
        label="Stress of currencies against the dollar",
        headline="stressIndex",
        facts=(
            LayoutFact("Dollar", "dollarTrend", "code"),
            LayoutFact("Under pressure", "pressured"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Ten currencies",
                path="currencies",
                name="{code}",
                head="Currency",
                columns=(
                    TableColumn("For a dollar", "perUsd", "number"),
                    TableColumn("Month, %", "changeMonthPct", "number"),
                    TableColumn("Year, %", "changeYearPct", "number"),
                    TableColumn("Volatility, %", "volatilityPct", "number"),
                    TableColumn("Signal", "volatilitySignal", "code"),
                    TableColumn("Under pressure", "pressured", "yes"),
                    TableColumn("Of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "shipping-stress": Layout(
        label="Strain of shipping",
        headline="stressIndex",
        bars=(LayoutBars(path="components"),),
        tables=(STRAITS_TABLE,),
    ),
    "fx-settlement": Layout(
        label="Risk of settlement",
        headline="settlementRiskIndex",
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Corridors",
                path="corridors",
                name="{pair}",
                head="Pair",
                columns=(
                    TableColumn("Advice", "advice", "code"),
                    TableColumn("Move at risk, %", "moveAtRiskPct", "number"),
                    TableColumn("Volatility, %", "volatilityPct", "number"),
                    TableColumn("Days", "settlementDays"),
                    TableColumn("Payment against payment", "paymentVersusPayment", "yes"),
                    TableColumn("Rate", "rate", "number"),
                ),
            ),
            LayoutTable(
                title="Stablecoins",
                path="stablecoins",
                name="{symbol}",
                head="Coin",
                columns=(
                    TableColumn("Advice", "advice", "code"),
                    TableColumn("Price, USD", "price", "number"),
                    TableColumn("Off by, basis points", "deviationBps", "number"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
        ),
    ),
}
