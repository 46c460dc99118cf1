"""Shapes of products on currencies."""

from apps.insight.intelligence.rules.bands import CALM_WORDS
from apps.insight.intelligence.rules.currency_pressure import TREND_WORDS
from apps.insight.intelligence.rules.dollar_corridors import ADVICE_WORDS
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.platform.api.shapes import Flag, ListOf, Moment, Number, OneOf, Shape, Text, Whole


class CurrencyOut(Shape):
    """A currency against the dollar: the price of a dollar, changes in per cent (up: it lost
    value).

    `volatilityPct` is per cent a year, its signal is its percentile in ten years or more.
    `pressured` if it lost more than 2 per cent in thirty days.
    """

    code = Text()
    per_usd = Figure(allow_null=True)
    change_month_pct = Number(allow_null=True)
    change_year_pct = Number(allow_null=True)
    volatility_pct = Number(allow_null=True)
    volatility_signal = OneOf(choices=WORDS)
    pressured = Flag()
    source = Text(allow_blank=True)  # type: ignore[assignment]
    as_of = Moment(allow_null=True)


class CurrencyStressOut(AnswerBase):
    """Currency stress; the contributions of `components` add up to `stressIndex`."""

    stress_index = Score()
    regime = OneOf(choices=CALM_WORDS)
    dollar_trend = OneOf(choices=TREND_WORDS)
    pressured = ListOf(child=Text())
    currencies = CurrencyOut(many=True)
    components = ComponentOut(many=True)


class CorridorOut(Shape):
    """A dollar pair, until a payment in it is final.

    `moveAtRiskPct` is the loss that one move in twenty exceeds over `settlementDays`, from
    `volatilityPct` a year. `paymentVersusPayment` says whether both sides settle together.
    """

    pair = Text()
    rate = Figure(allow_null=True)
    settlement_days = Whole()
    payment_versus_payment = Flag()
    volatility_pct = Number(allow_null=True)
    move_at_risk_pct = Number(allow_null=True)
    signal = OneOf(choices=WORDS)
    advice = OneOf(choices=ADVICE_WORDS)


class PeggedOut(Shape):
    """A stablecoin: its price in dollars, and its deviation in basis points."""

    symbol = Text()
    price = Figure(allow_null=True)
    deviation_bps = Number(allow_null=True)
    advice = OneOf(choices=ADVICE_WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]


class FxSettlementOut(AnswerBase):
    """Settlement risk; the contributions of `components` add up to `settlementRiskIndex`."""

    settlement_risk_index = Score()
    regime = OneOf(choices=CALM_WORDS)
    components = ComponentOut(many=True)
    corridors = CorridorOut(many=True)
    stablecoins = PeggedOut(many=True)
