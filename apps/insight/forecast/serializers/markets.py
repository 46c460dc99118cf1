"""Shapes of markets, regions and the calendar (document 3 sections 2.8 and 4)."""

from apps.insight.forecast.rules.crop_risk_calendar import SEVERITIES
from apps.insight.forecast.rules.markets import COLD, COMPONENTS, SYMBOLS
from apps.insight.forecast.rules.regions import THREATS
from apps.insight.forecast.serializers.common import (
    METHOD_HELP,
    DataQualityOut,
    LightChoice,
    OutlookChoice,
    PublishedFigure,
    RiskScore,
    SourceOut,
)
from apps.platform.api.shapes import Flag, ListOf, Moment, Number, OneOf, Shape, Text, Whole
from apps.reference.signals.quality_labels import LABELS


class HeatOut(Shape):
    """One market of the heat check; `signal` says in one line why it has its light."""

    symbol = OneOf(choices=SYMBOLS)
    status = LightChoice()
    signal = Text()
    climate_risk_score = RiskScore()
    outlook = OutlookChoice()


class HeatCheckOut(Shape):
    """All eleven markets at a glance, in the specification's order; `asOf` is when they were
    computed.
    """

    as_of = Moment()
    commodities = HeatOut(many=True)
    data_quality = OneOf(choices=LABELS, help_text="The worst data quality of the eleven markets.")
    methodology_version = Text()
    method = Text(help_text=METHOD_HELP)


class SignalsOut(Shape):
    """Four figures of the regions that produce the commodity; null if nothing is known of them.

    Heat and drought are means weighted by production; the two counts are sums.
    """

    temperature_anomaly = Number(
        allow_null=True, help_text="Degrees C above the same month of 1991 to 2020."
    )
    drought_index = Number(
        allow_null=True,
        help_text="0 no drought, 100 the worst: from the US Drought Monitor, or from rainfall.",
    )
    wildfire_activity = Whole(allow_null=True, help_text="Current wildfires (NASA EONET).")
    extreme_weather_events = Whole(
        allow_null=True,
        help_text="Storms and floods of the last month, alert orange or red (GDACS).",
    )


class PartOut(Shape):
    """What adds to a score: weight times season times strain, over all weight that counts.

    `strain` is 0 to 100, null if it is not known: its weight then goes to the rest. `region` is
    empty for the price. All contributions add up to the score.
    """

    component = OneOf(choices=(*COMPONENTS, COLD))
    region = Text(allow_blank=True)
    series = Text()
    as_of = Moment(allow_null=True, help_text="The date of its figure.")
    value = PublishedFigure(allow_null=True)
    strain = Number(allow_null=True)
    weight = Number()
    season = Number(
        help_text="The share that counts in the month of the figure: 1 in the months that decide "
        "the harvest."
    )
    contribution = Number()


class ProductionOut(Shape):
    """A producing region, its country's share of the output, and what it adds to the score."""

    region = Text()
    country = Text()
    share_pct = Number(
        help_text="Its country's share of world output, per cent; for oil and gas the region's "
        "share of US output."
    )
    source = Text(help_text="The source and year of that share.")  # type: ignore[assignment]
    in_season = Flag(help_text="Whether this month's weather decides the harvest.")
    contribution = Number()


class CommodityOut(DataQualityOut):
    """The effect of the climate on one market."""

    symbol = OneOf(choices=SYMBOLS)
    title = Text()
    current_price = PublishedFigure()
    price_unit = Text()
    price_as_of = Moment()
    price_note = Text(
        allow_blank=True,
        help_text="Why another price is used in place of the market's own; empty otherwise.",
    )
    climate_risk_score = RiskScore()
    status = LightChoice()
    signals = SignalsOut()
    outlook = OutlookChoice()
    change_3m = Number(allow_null=True, help_text="Change of the score in three months, in points.")
    signal = Text()
    reasoning = Text(
        max_length=1000,
        help_text="Sentences generated from these numbers, without a language model.",
    )
    confidence = Number(help_text="0 to 1: coverage, times 1 LIVE, 0.8 PARTIAL, 0.5 ESTIMATED.")
    production_regions = ProductionOut(many=True)
    contributions = PartOut(many=True)
    sources = SourceOut(many=True)


class RegionOut(DataQualityOut):
    """A region and its weather, whatever it produces; ranked by `climateRiskScore`."""

    region = Text()
    country = Text()
    commodities = ListOf(child=OneOf(choices=SYMBOLS))
    climate_risk_score = RiskScore()
    active_alerts = ListOf(child=Text())
    primary_threat = OneOf(choices=tuple(THREATS.values()))
    outlook = OutlookChoice()
    in_season = Flag(help_text="Whether this month's weather decides a harvest here.")
    contributions = PartOut(many=True)


class MonthOut(Shape):
    """A month: the harvests that its weather decides, and the disasters that began in it."""

    month = Whole(min_value=1, max_value=12)
    name = Text()
    events = ListOf(
        child=Text(), help_text="The crops, and the regions where weather decides their harvest."
    )
    commodities_at_risk = ListOf(child=OneOf(choices=SYMBOLS))
    historical_severity = OneOf(
        choices=SEVERITIES,
        help_text="By the number of the scenarios' past disasters that began in this month.",
    )
    disasters = ListOf(
        child=Text(), help_text="The disasters that began in this month, with their year."
    )
