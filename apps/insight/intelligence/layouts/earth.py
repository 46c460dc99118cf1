"""Layouts of products on the earth, on nature and on people."""

from apps.insight.intelligence.layouts.layout import (
    Layout,
    LayoutBars,
    LayoutFact,
    LayoutTable,
    TableColumn,
)

MARKS_TABLE = LayoutTable(
    title="What is calm, and what is worst",
    path="components",
    name="{title}",
    head="Measure",
    columns=(
        TableColumn("Value", "value", "number"),
        TableColumn("Calm", "calm", "number"),
        TableColumn("Worst", "worst", "number"),
        TableColumn("Why", "basis"),
    ),
)

LAYOUTS = {
    "climate": Layout(
        label="Dryness of ten farming zones",
        headline="climateScore",
        regime="summary.globalFoodSystemRisk",
        facts=(
            LayoutFact("Zones that dry", "summary.regionsAtRisk"),
            LayoutFact("Crops at risk", "summary.criticalCommodities"),
            LayoutFact("What may follow", "summary.cascadeSignals"),
            LayoutFact("On prices of food", "transmission.foodInflationPressure", "code"),
            LayoutFact("To leave", "transmission.migrationPressure", "code"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Shift of rain by zone",
                path="regions",
                name="{name}",
                head="Zone",
                note="The class is that of 2021-2023 against 1972-1974. The shift of thirty years "
                "stands beside it with its standard error; beyond chance is said of that alone.",
                columns=(
                    TableColumn("Class", "classification", "code"),
                    TableColumn("Shift, %", "precipitationShiftPct", "number"),
                    TableColumn("Thirty years, %", "normalShiftPct", "number"),
                    TableColumn("Its error", "normalShiftErrorPct", "number"),
                    TableColumn("Beyond chance", "beyondChance", "yes"),
                    TableColumn("Crops", "commodities"),
                ),
            ),
        ),
    ),
    "climate-pulse": Layout(
        label="Heat and drought of the United States",
        headline="pulseIndex",
        regime="summary.overallSignal",
        facts=(
            LayoutFact("Heat", "summary.regionsWithHeatAnomaly"),
            LayoutFact("Drought", "summary.regionsWithDrought"),
            LayoutFact("Crops", "summary.commoditySignal", "code"),
            LayoutFact("Loss of work", "summary.laborProductivityImpact", "code"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Regions",
                path="regions",
                name="{name}",
                head="Region",
                columns=(
                    TableColumn("Signal", "signal", "code"),
                    TableColumn("Off normal, degrees", "tempAnomaly", "number"),
                    TableColumn("Heat", "heatSignal", "code"),
                    TableColumn("Drought, 0 to 500", "droughtSeverity", "number"),
                    TableColumn("Of drought", "droughtSignal", "code"),
                    TableColumn("Crops hit", "commodityImpact"),
                ),
            ),
        ),
    ),
    "earth-systems": Layout(
        label="Health of the earth, 100 being the calmest since 1979",
        headline="sustainability.earthHealthIndex",
        regime="sustainability.planetaryStatus",
        facts=(
            LayoutFact("Tipping elements", "sustainability.tippingPointAlert", "code"),
            LayoutFact(
                "Warming, 12 months, °C", "atmosphere.temperature.currentAnomalyC", "number"
            ),
            LayoutFact("Warming, ten years, °C", "atmosphere.temperature.decadeAnomalyC", "number"),
            LayoutFact("To 1.5 °C", "atmosphere.temperature.distanceToParisC", "number"),
            LayoutFact("Carbon dioxide, ppm", "atmosphere.co2.currentPpm", "number"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Tipping elements",
                path="tippingPoints",
                name="{name}",
                head="Element",
                note="Where ten years' warming stands among published thresholds, in °C over 1850 "
                "to 1900. No probability, and nothing of when.",
                columns=(
                    TableColumn("Risk", "proximityRisk", "code"),
                    TableColumn("Least", "threshold.minC", "number"),
                    TableColumn("Best estimate", "threshold.centralC", "number"),
                    TableColumn("Most", "threshold.maxC", "number"),
                    TableColumn("To the best estimate", "distanceToCentralC", "number"),
                ),
            ),
            LayoutTable(
                title="Planetary boundaries",
                path="planetaryBoundaries",
                name="{_key:words}",
                head="State",
                columns=(TableColumn("Which, or of whom", "_value"),),
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
            LayoutFact("Pace, points a year", "renewableTrendPpPerYear", "number"),
            LayoutFact("Trend", "renewableTrend", "code"),
            LayoutFact("Of the pace that the goal needs", "paceOfGoal", "share"),
            LayoutFact("Fossil sources", "fossilDemandCurve", "code"),
            LayoutFact("Their points a year", "fossilTrendPpPerYear", "number"),
            LayoutFact("World, g of CO2 for a kWh", "gridCarbonIntensity.global", "number"),
            LayoutFact("European Union, the same", "gridCarbonIntensity.eu", "number"),
            LayoutFact("United States, the same", "gridCarbonIntensity.us", "number"),
        ),
        bars=(LayoutBars(path="components", title="Inputs", adds="", ranked=False),),
        draws=("energy.renewables", "energy.fossil"),
    ),
    "water-risk": Layout(
        label="Risk of water",
        headline="waterRiskScore",
        bars=(LayoutBars(path="components"),),
    ),
    "biodiversity": Layout(
        label="Risk of nature",
        headline="biodiversityRiskScore",
        bars=(LayoutBars(path="components"),),
        tables=(MARKS_TABLE,),
    ),
    "gender-risk": Layout(
        label="Gaps between women and men",
        headline="genderRiskScore",
        bars=(LayoutBars(path="components"),),
        tables=(MARKS_TABLE,),
    ),
}
