"""Shapes of products on markets, raw materials and debt (document 3 section 2.7)."""

from apps.insight.intelligence.rules.bands import CALM_WORDS
from apps.insight.intelligence.rules.calls_48h import CONVICTION_WORDS, OUTCOMES
from apps.insight.intelligence.rules.calls_48h import WORDS as CALL_WORDS
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.rules.lead_lag import DOLLAR_WORDS, PRICE_WORDS
from apps.insight.intelligence.rules.price_breadth import WORDS as BREADTH_WORDS
from apps.insight.intelligence.rules.sovereigns import CONTAGION_WORDS, IMPACTS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.platform.api.shapes import Day, Moment, Number, OneOf, Shape, Text, Whole

REGIMES = ("EXPANSION", "LATE_CYCLE", "STRESS", "CRISIS")


class ShownOut(Shape):
    """A raw figure; if it is null, `note` says why, and what replaces it. `proxy` names the series
    of its signal.
    """

    value = Figure(allow_null=True)
    signal = OneOf(choices=WORDS)
    proxy = Text()
    note = Text(help_text="Why there is no value; empty if there is one.")


class ShownComponentsOut(Shape):
    """Corporate spreads, investment grade and high yield, in percentage points; volatility."""

    ig_spread = ShownOut()
    hy_spread = ShownOut()
    vix = ShownOut()


class LeadOut(Shape):
    """What this week's move of the index has indicated for the dollar, and how many weeks ahead.

    Of the lags from 0 to 26 weeks it is the one at which the weekly changes of both correlate most;
    `pairs` is the number of weeks used. Null and UNKNOWN if the histories do not support it: fewer
    than 60 pairs, or a correlation within three standard errors of zero.
    """

    fx_implication = OneOf(choices=DOLLAR_WORDS)
    look_ahead_weeks = Whole(allow_null=True)
    correlation = Number(allow_null=True)
    pairs = Whole()


class MacroStressOut(AnswerBase):
    """How strained financial markets are."""

    stress_index = Score()
    regime = OneOf(choices=REGIMES)
    components = ShownComponentsOut()
    contributions = ComponentOut(many=True)
    lead_signals = LeadOut()


class InflationLeadOut(Shape):
    """What commodity prices have indicated for consumer prices, and how many months ahead.

    Of the lags from 1 to 18 months it is the one at which changes over a quarter correlate most
    with those of yearly inflation. Null and UNKNOWN if that is not distinguishable from chance.
    """

    signal = OneOf(choices=PRICE_WORDS)
    lead_months = Whole(allow_null=True)
    correlation = Number(allow_null=True)
    pairs = Whole()


class PriceOut(ComponentOut):
    """A commodity: its newest price, its percentile in its own history, its changes."""

    change_month_pct = Number(allow_null=True)
    change_year_pct = Number(allow_null=True)


class OilOut(PriceOut):
    """West Texas oil; `brentPremium` is how much more Brent costs, in USD per barrel."""

    brent_premium = Number(allow_null=True)


class GasOut(PriceOut):
    """US natural gas; `europePremium`: how much more it costs in Europe, USD per million BTU."""

    europe_premium = Number(allow_null=True)


class GoldOut(PriceOut):
    """Gold; `silverRatio` is how many ounces of silver an ounce buys."""

    silver_ratio = Number(allow_null=True)


class WheatOut(PriceOut):
    """Wheat; `cornRatio` is its price divided by that of maize."""

    corn_ratio = Number(allow_null=True)


class CornOut(PriceOut):
    """Maize; `soybeanRatio` is its price divided by that of soybeans."""

    soybean_ratio = Number(allow_null=True)


class CopperOut(PriceOut):
    """Copper; `goldRatio` is how many ounces of gold a tonne buys: it falls as growth slows."""

    gold_ratio = Number(allow_null=True)


class CommoditiesOut(Shape):
    """Six commodities."""

    oil = OilOut()
    natural_gas = GasOut()
    gold = GoldOut()
    wheat = WheatOut()
    corn = CornOut()
    copper = CopperOut()


class CommodityOut(AnswerBase):
    """How high commodity prices are."""

    stress_index = Score()
    regime = OneOf(choices=CALM_WORDS)
    commodities = CommoditiesOut()
    cross_commodity_signal = OneOf(choices=BREADTH_WORDS)
    inflation_lead_signal = OneOf(choices=PRICE_WORDS)
    inflation_lead = InflationLeadOut()
    contributions = ComponentOut(many=True)
    narrative = Text(max_length=1000)


class SystemicOut(Shape):
    """The conclusion: the debt regime, whether strain spreads, and what it means for settlement.

    `contagionRisk` is the worse of Italy's yield spread over Germany's and the credit composite.
    """

    global_debt_regime = OneOf(choices=CALM_WORDS)
    contagion_risk = OneOf(choices=CONTAGION_WORDS)
    settlement_impact = OneOf(choices=IMPACTS)


class SovereignOut(Shape):
    """A debtor: gross debt and yearly balance of its government, per cent of GDP, of `year`.

    `debtChange5y` is in percentage points; signals are percentiles in the debtor's own history.
    """

    title = Text()
    debt_to_gdp_pct = Figure(allow_null=True)
    debt_signal = OneOf(choices=WORDS)
    debt_change_5y = Number(allow_null=True)
    balance_to_gdp_pct = Figure(allow_null=True)
    balance_signal = OneOf(choices=WORDS)
    year = Whole(allow_null=True)
    source = Text(allow_blank=True)  # type: ignore[assignment]


class SovereignsOut(Shape):
    """Four governments."""

    united_states = SovereignOut()
    european_union = SovereignOut()
    united_kingdom = SovereignOut()
    japan = SovereignOut()


class SovereignDebtOut(AnswerBase):
    """The debt and deficits of four governments, each compared with its own past."""

    debt_stress_index = Score()
    systemic_signals = SystemicOut()
    sovereigns = SovereignsOut()
    markets = ComponentOut(many=True)
    contributions = ComponentOut(many=True)


class ChancesOut(Shape):
    """How often each outcome followed; the frequencies add up to 1."""

    higher = Number()
    lower = Number()
    unchanged = Number()


class StateOut(Shape):
    """The current state: the band of the score, and its move over 48 hours."""

    band = Text()
    came_from = OneOf(choices=OUTCOMES)


class TrackOut(Shape):
    """How such calls would have performed: each past case called only from the cases before it.

    `brier` is the mean squared error (0 is perfect, 2 the worst), `brierOfBaseRates` that of the
    frequencies of all cases; `skill` is the share by which the former is smaller, negative if it is
    larger.
    """

    scored = Whole()
    brier = Number()
    brier_of_base_rates = Number()
    skill = Number()


class CallOut(Shape):
    """A call, to be scored: at `resolvesAt`, is the score higher or lower than `fromScore`?

    The first value of that day or of the four after it decides, on the scale of percentiles up to
    then. `fromDay` is the last known day, `daysAhead` the number of days from it to the resolution.
    `probability` is how often the same state had this outcome: in `cases`, of which `casesApart` do
    not overlap. `edge` is how much more likely that is than after any day; `conviction` is NONE
    within one standard error of it, WEAK within two. NO_CALL and nulls with fewer than 30 cases.
    """

    subject = Text()
    title = Text()
    direction = OneOf(choices=CALL_WORDS)
    probability = Number(allow_null=True)
    probabilities = ChancesOut(allow_null=True)
    base_rates = ChancesOut(allow_null=True)
    edge = Number(allow_null=True)
    conviction = OneOf(choices=CONVICTION_WORDS)
    cases = Whole()
    cases_apart = Whole()
    all_cases = Whole()
    state = StateOut(allow_null=True)
    track_record = TrackOut(allow_null=True)
    from_score = Score(allow_null=True)
    from_day = Day(allow_null=True)
    days_ahead = Whole(allow_null=True)
    resolves_at = Moment()


class CallsOut(AnswerBase):
    """The expected change of stress in 48 hours; `call` is the first of `calls` that makes one."""

    stress_index = Score()
    regime = OneOf(choices=REGIMES)
    call = CallOut()
    calls = CallOut(many=True)
    components = ComponentOut(many=True)
