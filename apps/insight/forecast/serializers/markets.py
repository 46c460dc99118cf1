"""Shapes of markets, regions and the calendar (document 3 sections 2.8 and 4)."""

from apps.insight.forecast.rules.crop_risk_calendar import SEVERITIES
from apps.insight.forecast.rules.markets import COLD, COMPONENTS, SYMBOLS
from apps.insight.forecast.rules.regions import THREATS
from apps.insight.forecast.serializers.common import (
    LABELS,
    METHOD_HELP,
    DataQualityOut,
    LightChoice,
    OutlookChoice,
    PublishedFigure,
    RiskScore,
    SourceOut,
)
from apps.platform.core.api.shapes import Flag, ListOf, Moment, Number, OneOf, Shape, Text, Whole


class HeatOut(Shape):
    """One market of the heat check; `signal` is a line that says why it has its light."""

    symbol = OneOf(choices=SYMBOLS)
    status = LightChoice()
    signal = Text()
    climate_risk_score = RiskScore()
    outlook = OutlookChoice()


class HeatCheckOut(Shape):
    """All eleven markets at a glance, the specification's order; `asOf` is when it was computed."""

    as_of = Moment()
    commodities = HeatOut(many=True)
    data_quality = OneOf(choices=LABELS, help_text="The worst of all eleven.")
    methodology_version = Text()
    method = Text(help_text=METHOD_HELP)


class SignalsOut(Shape):
    """Four figures of the regions that yield it; null where nothing of them is known.

    Heat and drought are means weighted by what regions yield; the two counts are sums.
    """

    temperature_anomaly = Number(
        allow_null=True, help_text="Degrees C over the same month of 1991 to 2020."
    )
    drought_index = Number(
        allow_null=True,
        help_text="0 no drought, 100 the worst: of the US Drought Monitor, or rain.",
    )
    wildfire_activity = Whole(allow_null=True, help_text="Wildfires under way (NASA EONET).")
    extreme_weather_events = Whole(
        allow_null=True,
        help_text="Storms and floods of the last month, alert orange or red (GDACS).",
    )


class PartOut(Shape):
    """What adds to a score: weight times season times strain, over all weight that counts.

    `strain` is 0 to 100, null where it is not known: its weight then goes to the rest. `region` is
    empty for the price. All contributions sum to the score.
    """

    component = OneOf(choices=(*COMPONENTS, COLD))
    region = Text(allow_blank=True)
    series = Text()
    as_of = Moment(allow_null=True, help_text="Of when its figure is.")
    value = PublishedFigure(allow_null=True)
    strain = Number(allow_null=True)
    weight = Number()
    season = Number(
        help_text="How much of it counts in the month of its figure: 1 in those that decide."
    )
    contribution = Number()


class ProductionOut(Shape):
    """A region that yields it, its country's part of the output, and what it adds to the score."""

    region = Text()
    country = Text()
    share_pct = Number(
        help_text="Its country's part of the world's output, per cent; for oil and gas its own "
        "part of that of the United States."
    )
    source = Text(help_text="Whose figure that part is, of which year.")  # type: ignore[assignment]
    in_season = Flag(help_text="Whether weather of this month decides the harvest.")
    contribution = Number()


class CommodityOut(DataQualityOut):
    """What the climate does to one market."""

    symbol = OneOf(choices=SYMBOLS)
    title = Text()
    current_price = PublishedFigure()
    price_unit = Text()
    price_as_of = Moment()
    price_note = Text(allow_blank=True, help_text="Where another price stands in for its own.")
    climate_risk_score = RiskScore()
    status = LightChoice()
    signals = SignalsOut()
    outlook = OutlookChoice()
    change_3m = Number(
        allow_null=True, help_text="By how many points the score moved in three months."
    )
    signal = Text()
    reasoning = Text(max_length=1000, help_text="Sentences made from these numbers, by no model.")
    confidence = Number(help_text="0 to 1: coverage, times 1 LIVE, 0.8 PARTIAL, 0.5 ESTIMATED.")
    production_regions = ProductionOut(many=True)
    contributions = PartOut(many=True)
    sources = SourceOut(many=True)


class RegionOut(DataQualityOut):
    """A region and its weather, whatever it yields; ranked by `climateRiskScore`."""

    region = Text()
    country = Text()
    commodities = ListOf(child=OneOf(choices=SYMBOLS))
    climate_risk_score = RiskScore()
    active_alerts = ListOf(child=Text())
    primary_threat = OneOf(choices=tuple(THREATS.values()))
    outlook = OutlookChoice()
    in_season = Flag(help_text="Whether weather of this month decides a harvest here.")
    contributions = PartOut(many=True)


class MonthOut(Shape):
    """A month: which harvests its weather decides, and how much of the world's they are."""

    month = Whole(min_value=1, max_value=12)
    name = Text()
    events = ListOf(child=Text(), help_text="What is decided where.")
    commodities_at_risk = ListOf(child=OneOf(choices=SYMBOLS))
    historical_severity = OneOf(
        choices=SEVERITIES,
        help_text="By how many dated disasters of the scenarios began in this month.",
    )
    disasters = ListOf(child=Text(), help_text="Those that began in this month, with their year.")
