"""Shapes of products on supply and shipping (document 3 section 2.7)."""

from apps.insight.intelligence.rules.bands import CALM_WORDS
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.rules.lead_lag import PRICE_WORDS
from apps.insight.intelligence.rules.river_levels import RISK_WORDS, STATUS_WORDS
from apps.insight.intelligence.rules.straits import WORDS as STRAIT_WORDS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.insight.intelligence.serializers.markets import InflationLeadOut
from apps.platform.api.shapes import Moment, Number, OneOf, Shape, Text


class WaterOut(Shape):
    """A gauge against its own low-water mark, both in cm on the gauge; null where not known."""

    title = Text()
    level_cm = Number(allow_null=True)
    low_water_mark_cm = Number(allow_null=True)
    status = OneOf(choices=STATUS_WORDS)
    bottleneck_risk = OneOf(choices=RISK_WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    as_of = Moment(allow_null=True)


class WatersOut(Shape):
    """Four gauges of two rivers that carry freight."""

    rhine_kaub = WaterOut()
    rhine_koeln = WaterOut()
    mississippi = WaterOut()
    mississippi_memphis = WaterOut()


class StraitOut(Shape):
    """A strait or canal: mean daily ships of a week, against the median of its history.

    `shortfallPct` is how far below the usual level that is, negative above it; null, and UNKNOWN,
    if less than a year is known.
    """

    name = Text()
    series = Text()
    ships_per_day = Number(allow_null=True)
    usual_per_day = Number(allow_null=True)
    shortfall_pct = Number(allow_null=True)
    status = OneOf(choices=STRAIT_WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    as_of = Moment(allow_null=True)


class SupplyChainOut(AnswerBase):
    """Supply chain pressure. `gscpiZScore` is the New York Fed's index, in standard deviations."""

    pressure_index = Score()
    regime = OneOf(choices=CALM_WORDS)
    gscpi_z_score = Figure()
    gscpi_signal = OneOf(choices=WORDS)
    water_levels = WatersOut()
    chokepoints = StraitOut(many=True)
    goods_inflation_lead_signal = OneOf(choices=PRICE_WORDS)
    goods_inflation_lead = InflationLeadOut()
    contributions = ComponentOut(many=True)


class ShippingStressOut(AnswerBase):
    """Shipping strain; the contributions of `components` add up to `stressIndex`."""

    stress_index = Score()
    regime = OneOf(choices=CALM_WORDS)
    components = ComponentOut(many=True)
    chokepoints = StraitOut(many=True)
