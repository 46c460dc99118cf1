"""Layouts of products on the earth, on nature and on people."""

from apps.intelligence.layouts.shape import Bars, Column, Fact, Layout, Table

MARKS = Table(
    title="What is calm, and what is worst",
    path="components",
    name="{title}",
    head="Measure",
    columns=(
        Column("Value", "value", "number"),
        Column("Calm", "calm", "number"),
        Column("Worst", "worst", "number"),
        Column("Why", "basis"),
    ),
)

LAYOUTS = {
    "climate": Layout(
        label="Dryness of ten farming zones",
        headline="climateScore",
        regime="summary.globalFoodSystemRisk",
        facts=(
            Fact("Zones that dry", "summary.regionsAtRisk"),
            Fact("Crops at risk", "summary.criticalCommodities"),
            Fact("What may follow", "summary.cascadeSignals"),
            Fact("On prices of food", "transmission.foodInflationPressure", "code"),
            Fact("To leave", "transmission.migrationPressure", "code"),
        ),
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Shift of rain by zone",
                path="regions",
                name="{name}",
                head="Zone",
                note="The class is that of 2021-2023 against 1972-1974. The shift of thirty years "
                "stands beside it with its standard error; beyond chance is said of that alone.",
                columns=(
                    Column("Class", "classification", "code"),
                    Column("Shift, %", "precipitationShiftPct", "number"),
                    Column("Thirty years, %", "normalShiftPct", "number"),
                    Column("Its error", "normalShiftErrorPct", "number"),
                    Column("Beyond chance", "beyondChance", "yes"),
                    Column("Crops", "commodities"),
                ),
            ),
        ),
    ),
    "climate-pulse": Layout(
        label="Heat and drought of the United States",
        headline="pulseIndex",
        regime="summary.overallSignal",
        facts=(
            Fact("Heat", "summary.regionsWithHeatAnomaly"),
            Fact("Drought", "summary.regionsWithDrought"),
            Fact("Crops", "summary.commoditySignal", "code"),
            Fact("Loss of work", "summary.laborProductivityImpact", "code"),
        ),
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Regions",
                path="regions",
                name="{name}",
                head="Region",
                columns=(
                    Column("Signal", "signal", "code"),
                    Column("Off normal, degrees", "tempAnomaly", "number"),
                    Column("Heat", "heatSignal", "code"),
                    Column("Drought, 0 to 500", "droughtSeverity", "number"),
                    Column("Of drought", "droughtSignal", "code"),
                    Column("Crops hit", "commodityImpact"),
                ),
            ),
        ),
    ),
    "earth-systems": Layout(
        label="Health of the earth, 100 being the calmest since 1979",
        headline="sustainability.earthHealthIndex",
        regime="sustainability.planetaryStatus",
        facts=(
            Fact("Tipping elements", "sustainability.tippingPointAlert", "code"),
            Fact("Warming, 12 months, °C", "atmosphere.temperature.currentAnomalyC", "number"),
            Fact("Warming, ten years, °C", "atmosphere.temperature.decadeAnomalyC", "number"),
            Fact("To 1.5 °C", "atmosphere.temperature.distanceToParisC", "number"),
            Fact("Carbon dioxide, ppm", "atmosphere.co2.currentPpm", "number"),
        ),
        bars=(Bars(path="components"),),
        tables=(
            Table(
                title="Tipping elements",
                path="tippingPoints",
                name="{name}",
                head="Element",
                note="Where ten years' warming stands among published thresholds, in °C over 1850 "
                "to 1900. No probability, and nothing of when.",
                columns=(
                    Column("Risk", "proximityRisk", "code"),
                    Column("Least", "threshold.minC", "number"),
                    Column("Best estimate", "threshold.centralC", "number"),
                    Column("Most", "threshold.maxC", "number"),
                    Column("To the best estimate", "distanceToCentralC", "number"),
                ),
            ),
            Table(
                title="Planetary boundaries",
                path="planetaryBoundaries",
                name="{_key:words}",
                head="State",
                columns=(Column("Which, or of whom", "_value"),),
            ),
        ),
    ),
    "energy-transition": Layout(
        label="Renewable sources in the world's electricity",
        headline="renewableSharePct",
        form="number",
        scale="per cent",
        regime="signal",
        facts=(
            Fact("Pace, points a year", "renewableTrendPpPerYear", "number"),
            Fact("Trend", "renewableTrend", "code"),
            Fact("Of the pace that the goal needs", "paceOfGoal", "share"),
            Fact("Fossil sources", "fossilDemandCurve", "code"),
            Fact("Their points a year", "fossilTrendPpPerYear", "number"),
            Fact("World, g of CO2 for a kWh", "gridCarbonIntensity.global", "number"),
            Fact("European Union, the same", "gridCarbonIntensity.eu", "number"),
            Fact("United States, the same", "gridCarbonIntensity.us", "number"),
        ),
        bars=(Bars(path="components", title="Inputs", adds="", ranked=False),),
        draws=("energy.renewables", "energy.fossil"),
    ),
    "water-risk": Layout(
        label="Risk of water",
        headline="waterRiskScore",
        bars=(Bars(path="components"),),
    ),
    "biodiversity": Layout(
        label="Risk of nature",
        headline="biodiversityRiskScore",
        bars=(Bars(path="components"),),
        tables=(MARKS,),
    ),
    "gender-risk": Layout(
        label="Gaps between women and men",
        headline="genderRiskScore",
        bars=(Bars(path="components"),),
        tables=(MARKS,),
    ),
}
