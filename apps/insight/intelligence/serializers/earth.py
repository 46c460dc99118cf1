"""Shapes of products on the earth, on nature and on people (document 3 section 2.7)."""

from apps.insight.intelligence.rules import (
    energy_transition_pace,
    farming_zones,
    tipping_elements,
    us_regions,
)
from apps.insight.intelligence.rules.bands import labels_of_bands
from apps.insight.intelligence.rules.gauges import REGIMES
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.platform.api.shapes import Flag, ListOf, OneOf, Shape, Text
from apps.reference.signals.composites import find_composite

RISK_REGIMES = labels_of_bands(REGIMES)
CLASSES = (*labels_of_bands(farming_zones.CLASSES), farming_zones.UNKNOWN)
BANDS = tuple(tipping_elements.RISKS)


class GaugedOut(ComponentOut):
    """One input: its newest value, and its strain.

    `score` is 0 at the mark `calm` or better and 100 at `worst` or beyond; `basis` names the source
    of these marks. Rain and heat have no marks, so their score comes from their own history.
    """

    calm = Figure(required=False)
    worst = Figure(required=False)
    basis = Text(required=False, max_length=400)


class ClimateSummaryOut(Shape):
    """What the shifts mean together; `regionsAtRisk` are those that became drier by a tenth or
    more.
    """

    global_food_system_risk = OneOf(choices=labels_of_bands(farming_zones.RISKS))
    regions_at_risk = ListOf(child=Text())
    critical_commodities = ListOf(child=Text())
    cascade_signals = ListOf(child=OneOf(choices=tuple(word for _, word in farming_zones.CASCADES)))


class ZoneOut(Shape):
    """One farming zone.

    `precipitationShiftPct` compares three years with three, which is weather, with its standard
    error: most are within two standard errors of zero. `normalShiftPct` compares the normals of
    1961-1990 and 1991-2020, which is climate, with its standard error; `beyondChance` says whether
    it is more than 1.96 standard errors from zero.
    """

    name = Text()
    precipitation_shift_pct = Figure(allow_null=True)
    precipitation_shift_error_pct = Figure(allow_null=True)
    classification = OneOf(choices=CLASSES)
    commodities = ListOf(child=Text())
    normal_shift_pct = Figure(allow_null=True)
    normal_shift_error_pct = Figure(allow_null=True)
    beyond_chance = Flag(allow_null=True)


class TransmissionOut(Shape):
    """Possible effects: how many zones became drier, and how many of these depend on subsistence
    farming.
    """

    food_inflation_pressure = OneOf(choices=labels_of_bands(farming_zones.FOOD))
    migration_pressure = OneOf(choices=labels_of_bands(farming_zones.LEAVING))


class ClimateOut(AnswerBase):
    """How rainfall has shifted in ten farming zones; `climateScore`: how dry they are, 0 to 100."""

    climate_score = Score()
    summary = ClimateSummaryOut()
    regions = ZoneOut(many=True)
    transmission = TransmissionOut()
    components = GaugedOut(many=True)


class PulseSummaryOut(Shape):
    """What heat and drought mean together."""

    overall_signal = OneOf(choices=RISK_REGIMES)
    regions_with_heat_anomaly = ListOf(child=Text())
    regions_with_drought = ListOf(child=Text())
    commodity_signal = OneOf(choices=labels_of_bands(us_regions.SUPPLY))
    labor_productivity_impact = OneOf(choices=labels_of_bands(us_regions.WORK))


class RegionOut(Shape):
    """One region: `tempAnomaly` in degrees C over the month's normal of 1991 to 2020,
    `droughtSeverity` the Drought Severity and Coverage Index, 0 to 500.
    """

    name = Text()
    temp_anomaly = Figure(allow_null=True)
    heat_signal = OneOf(choices=WORDS)
    drought_severity = Figure(allow_null=True)
    drought_signal = OneOf(choices=WORDS)
    commodity_impact = ListOf(child=Text())
    signal = OneOf(choices=WORDS)


class ClimatePulseOut(AnswerBase):
    """Heat and drought in eight regions of the United States; `pulseIndex` is their mean strain."""

    pulse_index = Score()
    summary = PulseSummaryOut()
    regions = RegionOut(many=True)
    components = GaugedOut(many=True)


class SustainabilityOut(Shape):
    """The headline: 100 is the calmest since 1979, 0 the most strained."""

    earth_health_index = Score()
    planetary_status = OneOf(choices=labels_of_bands(find_composite("climate-stress").bands))
    tipping_point_alert = OneOf(choices=tipping_elements.ALERTS)


class CarbonOut(Shape):
    """Carbon dioxide at Mauna Loa."""

    current_ppm = Figure()
    signal = OneOf(choices=labels_of_bands(tipping_elements.CO2))


class TemperatureOut(Shape):
    """Degrees C above 1850 to 1900: over the last twelve months, and over the last ten years."""

    current_anomaly_c = Figure()
    decade_anomaly_c = Figure()
    distance_to_paris_c = Figure()


class AtmosphereOut(Shape):
    """The atmosphere: carbon dioxide and warming."""

    co2 = CarbonOut()
    temperature = TemperatureOut()


class ThresholdOut(Shape):
    """The warming at which an element may tip: lowest, best and highest estimate."""

    min_c = Figure()
    central_c = Figure()
    max_c = Figure()


class TippingPointOut(Shape):
    """One tipping element; its band is that of the last ten years' warming, not a probability."""

    name = Text()
    proximity_risk = OneOf(choices=tipping_elements.ALERTS)
    band = OneOf(choices=BANDS)
    threshold = ThresholdOut()
    distance_to_central_c = Figure()
    reference = Text()


class BoundariesOut(Shape):
    """Planetary boundaries, according to a published assessment."""

    crossed = ListOf(child=Text())
    inside = ListOf(child=Text())
    reference = Text()


class EarthSystemsOut(AnswerBase):
    """Planetary health; the contributions of `components` add up to `earthHealthIndex`."""

    sustainability = SustainabilityOut()
    atmosphere = AtmosphereOut()
    tipping_points = TippingPointOut(many=True)
    planetary_boundaries = BoundariesOut()
    components = ComponentOut(many=True)


class CarbonIntensityOut(Shape):
    """Carbon intensity of electricity."""

    us = Figure(allow_null=True)
    eu = Figure(allow_null=True)
    global_ = Figure(allow_null=True)
    unit = Text()


class EnergyTransitionOut(AnswerBase):
    """How fast electricity is moving away from fossil fuels; `paceOfGoal` is 1 if the pace is
    sufficient.
    """

    renewable_share_pct = Score()
    renewable_trend = OneOf(choices=energy_transition_pace.TREND_WORDS)
    renewable_trend_pp_per_year = Figure(allow_null=True)
    fossil_demand_curve = OneOf(choices=energy_transition_pace.FOSSIL_WORDS)
    fossil_trend_pp_per_year = Figure(allow_null=True)
    pace_of_goal = Figure(allow_null=True)
    signal = OneOf(choices=energy_transition_pace.SIGNAL_WORDS)
    grid_carbon_intensity = CarbonIntensityOut()
    components = ComponentOut(many=True)


class WaterRiskOut(AnswerBase):
    """Water scarcity; the contributions of `components` add up to `waterRiskScore`."""

    water_risk_score = Score()
    regime = OneOf(choices=RISK_REGIMES)
    components = GaugedOut(many=True)


class BiodiversityOut(AnswerBase):
    """Strain on nature; the contributions of `components` add up to `biodiversityRiskScore`."""

    biodiversity_risk_score = Score()
    regime = OneOf(choices=RISK_REGIMES)
    components = GaugedOut(many=True)


class GenderRiskOut(AnswerBase):
    """Gaps between women and men; the contributions add up to `genderRiskScore`."""

    gender_risk_score = Score()
    regime = OneOf(choices=RISK_REGIMES)
    components = GaugedOut(many=True)
