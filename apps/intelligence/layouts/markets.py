"""Layouts of products on markets, goods, ships and currencies."""

from apps.intelligence.layouts.shape import Bars, Column, Fact, Layout, Table

STRAITS = Table(
    title="Straits and canals",
    path="chokepoints",
    name="{name:words}",
    head="Passage",
    columns=(
        Column("Status", "status", "code"),
        Column("Ships a day", "shipsPerDay", "number"),
        Column("Usual", "usualPerDay", "number"),
        Column("Short by, %", "shortfallPct", "number"),
        Column("Of", "asOf", "day"),
        Column("Source", "source", "source"),
    ),
)

LAYOUTS = {
    "macro-stress": Layout(
        label="Stress of financial markets",
        headline="stressIndex",
        facts=(
            Fact("Said of the dollar", "leadSignals.fxImplication", "code"),
            Fact("Weeks ahead", "leadSignals.lookAheadWeeks"),
            Fact("Correlation", "leadSignals.correlation", "number"),
        ),
        bars=(Bars(path="contributions"),),
        tables=(
            Table(
                title="Spreads and volatility",
                path="components",
                name="{_key:words}",
                head="Measure",
                note="A value that its publisher's licence keeps back is told by a public series "
                "in its place.",
                columns=(
                    Column("Signal", "signal", "code"),
                    Column("Value", "value", "number"),
                    Column("Told by", "proxy", "title"),
                ),
            ),
        ),
    ),
    "commodity": Layout(
        label="Stress of raw materials",
        headline="stressIndex",
        facts=(
            Fact("Prices together", "crossCommoditySignal", "code"),
            Fact("Said of inflation", "inflationLeadSignal", "code"),
            Fact("Months ahead", "inflationLead.leadMonths"),
            Fact("Correlation", "inflationLead.correlation", "number"),
        ),
        bars=(Bars(path="contributions"),),
        tables=(
            Table(
                title="Prices",
                path="commodities",
                name="{title}",
                head="Good",
                columns=(
                    Column("Price", "value", "number"),
                    Column("Unit", "unit"),
                    Column("Month, %", "changeMonthPct", "number"),
                    Column("Year, %", "changeYearPct", "number"),
                    Column("Signal", "signal", "code"),
                    Column("Of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "sovereign-debt": Layout(
        label="Stress of public debt",
        headline="debtStressIndex",
        regime="systemicSignals.globalDebtRegime",
        facts=(
            Fact("Contagion", "systemicSignals.contagionRisk", "code"),
            Fact("For settlement", "systemicSignals.settlementImpact", "code"),
        ),
        bars=(Bars(path="contributions"),),
        tables=(
            Table(
                title="Four debtors",
                path="sovereigns",
                name="{title}",
                head="Debtor",
                columns=(
                    Column("Debt, % of GDP", "debtToGdpPct", "number"),
                    Column("Signal of debt", "debtSignal", "code"),
                    Column("In five years", "debtChange5y", "number"),
                    Column("Balance, % of GDP", "balanceToGdpPct", "number"),
                    Column("Signal of balance", "balanceSignal", "code"),
                    Column("Year", "year"),
                    Column("Source", "source", "source"),
                ),
            ),
            Table(
                title="What markets say",
                path="markets",
                name="{title}",
                head="Yield",
                columns=(
                    Column("Value", "value", "number"),
                    Column("Unit", "unit"),
                    Column("Signal", "signal", "code"),
                    Column("Of", "asOf", "day"),
                    Column("Source", "source", "source"),
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
            Fact("Conviction", "call.conviction", "code"),
            Fact("Above the base rate by", "call.edge", "share"),
            Fact("Skill of such calls", "call.trackRecord.skill", "number"),
            Fact("Stress of markets now", "stressIndex", "score"),
            Fact("Their regime", "regime", "code"),
        ),
        tables=(
            Table(
                title="Three calls",
                first=True,
                path="calls",
                name="{title}",
                head="Subject",
                columns=(
                    Column("Call", "direction", "code"),
                    Column("Higher", "probabilities.higher", "share"),
                    Column("Lower", "probabilities.lower", "share"),
                    Column("Unchanged", "probabilities.unchanged", "share"),
                    Column("Conviction", "conviction", "code"),
                    Column("Cases", "cases", "number"),
                    Column("From", "fromDay", "day"),
                    Column("Days ahead", "daysAhead", "number"),
                    Column("Skill", "trackRecord.skill", "number"),
                ),
            ),
        ),
        bars=(Bars(path="components", title="What the stress of markets is made of"),),
        draws=("{call.subject}",),
    ),
    "supply-chain": Layout(
        label="Pressure on supply",
        headline="pressureIndex",
        facts=(
            Fact("Index of New York", "gscpiZScore", "number"),
            Fact("Its signal", "gscpiSignal", "code"),
            Fact("Said of goods' inflation", "goodsInflationLeadSignal", "code"),
        ),
        bars=(Bars(path="contributions"),),
        tables=(
            Table(
                title="Rivers",
                path="waterLevels",
                name="{title}",
                head="Gauge",
                columns=(
                    Column("Status", "status", "code"),
                    Column("Bottleneck", "bottleneckRisk", "code"),
                    Column("Level, cm", "levelCm", "number"),
                    Column("Low-water mark, cm", "lowWaterMarkCm", "number"),
                    Column("Of", "asOf", "day"),
                    Column("Source", "source", "source"),
                ),
            ),
            STRAITS,
        ),
    ),
    "currency-stress": Layout(
        label="Stress of currencies against the dollar",
        headline="stressIndex",
        facts=(
            Fact("Dollar", "dollarTrend", "code"),
            Fact("Under pressure", "pressured"),
        ),
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Ten currencies",
                path="currencies",
                name="{code}",
                head="Currency",
                columns=(
                    Column("For a dollar", "perUsd", "number"),
                    Column("Month, %", "changeMonthPct", "number"),
                    Column("Year, %", "changeYearPct", "number"),
                    Column("Volatility, %", "volatilityPct", "number"),
                    Column("Signal", "volatilitySignal", "code"),
                    Column("Under pressure", "pressured", "yes"),
                    Column("Of", "asOf", "day"),
                ),
            ),
        ),
    ),
    "shipping-stress": Layout(
        label="Strain of shipping",
        headline="stressIndex",
        bars=(Bars(path="components"),),
        tables=(STRAITS,),
    ),
    "fx-settlement": Layout(
        label="Risk of settlement",
        headline="settlementRiskIndex",
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Corridors",
                path="corridors",
                name="{pair}",
                head="Pair",
                columns=(
                    Column("Advice", "advice", "code"),
                    Column("Move at risk, %", "moveAtRiskPct", "number"),
                    Column("Volatility, %", "volatilityPct", "number"),
                    Column("Days", "settlementDays"),
                    Column("Payment against payment", "paymentVersusPayment", "yes"),
                    Column("Rate", "rate", "number"),
                ),
            ),
            Table(
                title="Stablecoins",
                path="stablecoins",
                name="{symbol}",
                head="Coin",
                columns=(
                    Column("Advice", "advice", "code"),
                    Column("Price, USD", "price", "number"),
                    Column("Off by, basis points", "deviationBps", "number"),
                    Column("Source", "source", "source"),
                ),
            ),
        ),
    ),
}
