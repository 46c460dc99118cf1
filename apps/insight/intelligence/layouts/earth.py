"""Layouts of products on the earth, on nature and on people."""

from apps.insight.intelligence.layouts.layout import (
    Layout,
    LayoutBars,
    LayoutFact,
    LayoutTable,
    TableColumn,
)

MARKS_TABLE = LayoutTable(
    title="Reference marks",
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
            LayoutFact("Zones becoming drier", "summary.regionsAtRisk"),
            LayoutFact("Crops at risk", "summary.criticalCommodities"),
            LayoutFact("Possible effects", "summary.cascadeSignals"),
            LayoutFact("Pressure on food prices", "transmission.foodInflationPressure", "code"),
            LayoutFact("Pressure to migrate", "transmission.migrationPressure", "code"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Rainfall shift by zone",
                path="regions",
                name="{name}",
                head="Zone",
                note="The class compares 2021-2023 with 1972-1974. The thirty-year shift is given "
                "with its standard error, and only it is tested against chance.",
                columns=(
                    TableColumn("Class", "classification", "code"),
                    TableColumn("Shift, %", "precipitationShiftPct", "number"),
                    TableColumn("Thirty-year shift, %", "normalShiftPct", "number"),
                    TableColumn("Standard error", "normalShiftErrorPct", "number"),
                    TableColumn("Beyond chance", "beyondChance", "yes"),
                    TableColumn("Crops", "commodities"),
                ),
            ),
        ),
    ),
    "climate-pulse": Layout(
        label="Heat and drought in the United States",
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
                    TableColumn("Difference from normal, degrees", "tempAnomaly", "number"),
                    TableColumn("Heat", "heatSignal", "code"),
                    TableColumn("Drought, 0 to 500", "droughtSeverity", "number"),
                    TableColumn("Drought signal", "droughtSignal", "code"),
                    TableColumn("Crops affected", "commodityImpact"),
                ),
            ),
        ),
    ),
    "earth-systems": Layout(
        label="Planetary health, 100 being the calmest since 1979",
        headline="sustainability.earthHealthIndex",
        regime="sustainability.planetaryStatus",
        facts=(
            LayoutFact("Tipping elements", "sustainability.tippingPointAlert", "code"),
            LayoutFact(
                "Warming, 12 months, °C", "atmosphere.temperature.currentAnomalyC", "number"
            ),
            LayoutFact("Warming, ten years, °C", "atmosphere.temperature.decadeAnomalyC", "number"),
            LayoutFact("Left to 1.5 °C", "atmosphere.temperature.distanceToParisC", "number"),
            LayoutFact("Carbon dioxide, ppm", "atmosphere.co2.currentPpm", "number"),
        ),
        bars=(LayoutBars(path="components"),),
        tables=(
            LayoutTable(
                title="Tipping elements",
                path="tippingPoints",
                name="{name}",
                head="Element",
                note="Where the last ten years' warming is among published thresholds, in °C over "
                "1850 to 1900. This is neither a probability nor a date.",
                columns=(
                    TableColumn("Risk", "proximityRisk", "code"),
                    TableColumn("Lowest", "threshold.minC", "number"),
                    TableColumn("Best estimate", "threshold.centralC", "number"),
                    TableColumn("Highest", "threshold.maxC", "number"),
                    TableColumn("Left to the best estimate", "distanceToCentralC", "number"),
                ),
            ),
            LayoutTable(
                title="Planetary boundaries",
                path="planetaryBoundaries",
                name="{_key:words}",
                head="State",
                columns=(TableColumn("Boundaries or source", "_value"),),
            ),
        ),
    ),
    "energy-transition": Layout(
        label="Renewable share of the world's electricity",
        headline="renewableSharePct",
        form="number",
        scale="per cent",
        regime="signal",
        facts=(
            LayoutFact("Pace, points a year", "renewableTrendPpPerYear", "number"),
            LayoutFact("Trend", "renewableTrend", "code"),
            LayoutFact("Share of the pace that the goal needs", "paceOfGoal", "share"),
            LayoutFact("Fossil share", "fossilDemandCurve", "code"),
            LayoutFact("Fossil share, points a year", "fossilTrendPpPerYear", "number"),
            LayoutFact("World, g of CO2 per kWh", "gridCarbonIntensity.global", "number"),
            LayoutFact("European Union, g of CO2 per kWh", "gridCarbonIntensity.eu", "number"),
            LayoutFact("United States, g of CO2 per kWh", "gridCarbonIntensity.us", "number"),
        ),
        bars=(LayoutBars(path="components", title="Inputs", adds="", ranked=False),),
        draws=("energy.renewables", "energy.fossil"),
    ),
    "water-risk": Layout(
        label="Water risk",
        headline="waterRiskScore",
        bars=(LayoutBars(path="components"),),
    ),
    "biodiversity": Layout(
        label="Biodiversity risk",
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
