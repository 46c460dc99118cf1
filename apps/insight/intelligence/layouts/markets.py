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
        TableColumn("Shortfall, %", "shortfallPct", "number"),
        TableColumn("As of", "asOf", "day"),
        TableColumn("Source", "source", "source"),
    ),
)

LAYOUTS = {
    "macro-stress": Layout(
        label="Financial market stress",
        headline="stressIndex",
        facts=(
            LayoutFact("Signal for the dollar", "leadSignals.fxImplication", "code"),
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
                note="Where the publisher's licence withholds a value, a public series gives the "
                "signal.",
                columns=(
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("Value", "value", "number"),
                    TableColumn("Series used", "proxy", "title"),
                ),
            ),
        ),
    ),
    "commodity": Layout(
        label="Commodity stress",
        headline="stressIndex",
        facts=(
            LayoutFact("Common direction of prices", "crossCommoditySignal", "code"),
            LayoutFact("Signal for inflation", "inflationLeadSignal", "code"),
            LayoutFact("Months ahead", "inflationLead.leadMonths"),
            LayoutFact("Correlation", "inflationLead.correlation", "number"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Prices",
                path="commodities",
                name="{title}",
                head="Commodity",
                columns=(
                    TableColumn("Price", "value", "number"),
                    TableColumn("Unit", "unit"),
                    TableColumn("Month, %", "changeMonthPct", "number"),
                    TableColumn("Year, %", "changeYearPct", "number"),
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("As of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "sovereign-debt": Layout(
        label="Sovereign debt stress",
        headline="debtStressIndex",
        regime="systemicSignals.globalDebtRegime",
        facts=(
            LayoutFact("Contagion", "systemicSignals.contagionRisk", "code"),
            LayoutFact("Impact on settlement", "systemicSignals.settlementImpact", "code"),
        ),
        bars=(LayoutBars(path="contributions"),),
        tables=(
            LayoutTable(
                title="Four governments",
                path="sovereigns",
                name="{title}",
                head="Debtor",
                columns=(
                    TableColumn("Debt, % of GDP", "debtToGdpPct", "number"),
                    TableColumn("Debt signal", "debtSignal", "code"),
                    TableColumn("Change in five years", "debtChange5y", "number"),
                    TableColumn("Balance, % of GDP", "balanceToGdpPct", "number"),
                    TableColumn("Balance signal", "balanceSignal", "code"),
                    TableColumn("Year", "year"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
            LayoutTable(
                title="Market signals",
                path="markets",
                name="{title}",
                head="Yield",
                columns=(
                    TableColumn("Value", "value", "number"),
                    TableColumn("Unit", "unit"),
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("As of", "asOf", "day"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
        ),
    ),
    "48h-call": Layout(
        label="{call.title}: probability of the direction called for {call.resolvesAt:day}",
        headline="call.probability",
        form="share",
        scale="",
        regime="call.direction",
        story="The call is on {call.title}. Its last figure is of {call.fromDay:day}, "
        "{call.daysAhead} days before the call is scored. Conviction is {call.conviction:code}: "
        "{call.cases} past days were in the same state, of which {call.casesApart} do not overlap.",
        facts=(
            LayoutFact("Conviction", "call.conviction", "code"),
            LayoutFact("Above the base rate by", "call.edge", "share"),
            LayoutFact("Skill of such calls", "call.trackRecord.skill", "number"),
            LayoutFact("Market stress now", "stressIndex", "score"),
            LayoutFact("Market regime", "regime", "code"),
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
        bars=(LayoutBars(path="components", title="Components of market stress"),),
        draws=("{call.subject}",),
    ),
    "supply-chain": Layout(
        label="Supply chain pressure",
        headline="pressureIndex",
        facts=(
            LayoutFact("New York Fed index", "gscpiZScore", "number"),
            LayoutFact("Index signal", "gscpiSignal", "code"),
            LayoutFact("Signal for inflation", "goodsInflationLeadSignal", "code"),
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
                    TableColumn("As of", "asOf", "day"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
            STRAITS_TABLE,
        ),
    ),
    "currency-stress": Layout(
        label="Currency stress against the dollar",
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
                    TableColumn("Per dollar", "perUsd", "number"),
                    TableColumn("Month, %", "changeMonthPct", "number"),
                    TableColumn("Year, %", "changeYearPct", "number"),
                    TableColumn("Volatility, %", "volatilityPct", "number"),
                    TableColumn("Signal", "volatilitySignal", "code"),
                    TableColumn("Under pressure", "pressured", "yes"),
                    TableColumn("As of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "shipping-stress": Layout(
        label="Shipping stress",
        headline="stressIndex",
        bars=(LayoutBars(path="components"),),
        tables=(STRAITS_TABLE,),
    ),
    "fx-settlement": Layout(
        label="Settlement risk",
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
                    TableColumn("Payment versus payment", "paymentVersusPayment", "yes"),
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
                    TableColumn("Deviation, basis points", "deviationBps", "number"),
                    TableColumn("Source", "source", "source"),
                ),
            ),
        ),
    ),
}
