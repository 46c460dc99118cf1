"""Products on the earth, on nature and on people."""

from datetime import date, timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import (
    biodiversity,
    climate,
    climate_pulse,
    earth_systems,
    energy_transition,
    entity_esg,
    gender_risk,
    water_risk,
)
from apps.insight.intelligence.rules.farming_zones import FIRST_YEAR, ZONES
from apps.insight.intelligence.rules.sustainability_gauges import (
    BIODIVERSITY,
    DROUGHTS,
    GENDER,
    RAIN_WEIGHT,
    WITHDRAWALS,
)
from apps.insight.intelligence.rules.us_regions import NORMAL_YEARS, REGIONS
from apps.insight.intelligence.serializers.earth import (
    BiodiversityOut,
    ClimateOut,
    ClimatePulseOut,
    EarthSystemsOut,
    EnergyTransitionOut,
    GenderRiskOut,
    WaterRiskOut,
)
from apps.insight.intelligence.serializers.entity import EsgAnswerOut
from config import prices

HOUR = timedelta(hours=1)
GAUGE_FORMULA = (
    "Strain of each series: 100·(value - calm)/(worst - calm), limited to 0 to 100, then the "
    "weighted mean. With less than 0.6 of the weight there is no score."
)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="climate",
        title="Rainfall shift in farming zones",
        about="Returns how rainfall has shifted in ten farming zones: 2021-2023 against "
        "1972-1974.\n\n"
        "That compares weather; a second comparison, 1991-2020 against 1961-1990, compares "
        "climate and states its standard error. `climateScore` ranks how dry the last three years "
        "were among all three-year runs since 1961; the contributions of `components` add up to "
        "it.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=ClimateOut,
        compute=climate.compute_climate,
        needs=tuple(SeriesNeed(series=zone.series) for zone in ZONES),
        since=date(FIRST_YEAR, 1, 1),
        heads={"Climate-Score": "climateScore"},
        version="3",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="Zones at risk and the signals derived from them"),
            measures="How rainfall in ten farming countries changed from 1972-1974 to 2021-2023, "
            "and how dry their latest three years are.",
            formula="Shift: 100·(mean of 2021-2023 - mean of 1972-1974)/mean of 1972-1974, from "
            "yearly totals; a zone without all six years has none. Score: mean over the zones, "
            "equally weighted, of 100·(share of all three-year runs that were not drier). "
            "Standard error of the shift between normals: delta method, s²/n of both periods, "
            "years taken as independent; for the three-year shift the same, with the s² of "
            "1961-2020. A shift of -10 % or below is drying, of -20 % or below severe drying.",
            window="1961 to 2023, where the Climatic Research Unit's table (CRU TS 4.08) ends.",
            blind="Differences within a country; floods, because only dryness counts as strain; "
            "seasons within a year, irrigation and heat. Two periods of three years compare "
            "weather and do not by themselves show a change of climate. Pressure on food prices "
            "and on migration counts zones; no market or migration is modelled.",
            reference="Harris and others 2020, Scientific Data 7:109 (CRU TS); WMO-No. 1203 "
            "(normals).",
        ),
    ),
    Product(
        name="climate-pulse",
        title="Heat and drought in the United States",
        about="Returns heat and drought in eight regions of the United States.\n\n"
        "`tempAnomaly` is the latest month against its 1991-2020 normal; `droughtSeverity` is the "
        "Drought Severity and Coverage Index, 0 to 500. Contributions of `components` add up to "
        "`pulseIndex`.",
        price=prices.INTELLIGENCE_25,
        kept=3 * HOUR,
        answers=ClimatePulseOut,
        compute=climate_pulse.compute_climate_pulse,
        needs=tuple(
            SeriesNeed(series=series)
            for region in REGIONS
            for series in (*region.heat, region.drought)
        ),
        since=date(NORMAL_YEARS[0], 1, 1),
        heads={
            "Climate-Signal": "summary.overallSignal",
            "Heat-Regions": "summary.regionsWithHeatAnomaly",
            "Drought-Regions": "summary.regionsWithDrought",
        },
        version="3",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(
                what="Regions with heat, drought or loss of work, and the signals derived from them"
            ),
            measures="How unusual the latest month's heat is, and how severe drought is, in eight "
            "regions that cover the contiguous United States.",
            formula="Heat: 100·ECDF of the month among the same months since 1991; only ranks "
            "above the median count, doubled. Drought: DSCI = D0 + 2·D1 + 3·D2 + 4·D3 + 5·D4, "
            "each the share of land in that class alone; a DSCI of 300 scores 100. Heat and "
            "drought are each half of a region's strain; the eight regions weigh the same. A "
            "region has a heat anomaly from the 80th percentile, and drought from a DSCI of 200.",
            window="The same months since 1991; a normal needs at least twenty of the years 1991 "
            "to 2020.",
            blind="The two publishers' regions differ by about a state: drought of the Southwest "
            "may include California. Heat is monthly, so a hot week in a mild month is not seen. "
            "Loss of work counts regions whose month averages 24 degrees C or more, not hours. A "
            "region's crops come from a fixed table, without yields.",
            reference="NOAA Climate at a Glance; US Drought Monitor (Svoboda and others 2002); "
            "Akyuz 2017 (DSCI); ILO 2019, Working on a warmer planet.",
        ),
    ),
    Product(
        name="earth-systems",
        title="Planetary health and tipping elements",
        about="Returns an index of planetary health, the state of the atmosphere, global warming, "
        "and nine tipping elements.\n\n"
        "Warming is measured against 1850 to 1900. An element's band says where the last ten "
        "years' warming is among published thresholds; it is not a probability. Contributions of "
        "`components` add up to `earthHealthIndex`.",
        price=prices.INTELLIGENCE_75,
        kept=48 * HOUR,
        answers=EarthSystemsOut,
        compute=earth_systems.compute_earth_systems,
        composites=(earth_systems.CLIMATE_STRESS,),
        needs=(SeriesNeed(series=earth_systems.WARMTH, required=True),),
        since=date(earth_systems.BASE_YEARS[0], 1, 1),
        heads={"Earth-Health-Index": "sustainability.earthHealthIndex"},
        version="3",
        prose=MethodProse(
            measures="How far temperature, carbon dioxide, sea ice and El Niño are from their "
            "calmest values since 1979; warming over 1850 to 1900; and the band of its published "
            "threshold range that each of nine global core tipping elements is in.",
            formula="Index: 100 - composite climate-stress. Warming: mean of the last 12 months "
            "(120 for the bands) less the mean of 1850 to 1900, from the same table. LOW below "
            "the lowest estimate of the threshold, HIGH from there, IMMINENT from the best "
            "estimate.",
            window="Index: expanding, from 1 January 1979. Warming: from 1850; needs at least 600 "
            "of the 612 baseline months.",
            blind="When a threshold is crossed; thresholds are estimates with wide ranges. Most "
            "inputs trend for decades, so the index stays near its extreme and changes little "
            "from year to year. A published assessment of planetary boundaries is returned in "
            "addition to the index and is not part of it.",
            reference="Armstrong McKay and others 2022, Science 377, eabn7950; Richardson and "
            "others 2023, Science Advances 9, eadh2458; Planetary Health Check 2025; Paris "
            "Agreement, article 2.",
        ),
    ),
    Product(
        name="energy-transition",
        title="Electricity's transition from fossil fuels",
        about="Returns how fast the world's electricity is moving away from fossil fuels.\n\n"
        "`signal` compares the pace of the last ten years with the pace that 59 per cent "
        "renewable by 2030 requires. `fossilDemandCurve` is the trend of the fossil share in "
        "electricity.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=EnergyTransitionOut,
        compute=energy_transition.compute_energy_transition,
        needs=tuple(
            SeriesNeed(series=name, weight=weight, required=name == energy_transition.SHARE)
            for name, weight in energy_transition.WEIGHTS.items()
        ),
        prose=MethodProse(
            missing="A missing value is null and lowers the coverage by its weight; without the "
            "renewable share there is no answer.",
            measures="The renewable share of the world's electricity, how fast it grows, and the "
            "carbon intensity of electricity.",
            formula="Pace: least-squares slope of the last ten years, divided by (59 - "
            "share)/(years to 2030). From 1 the transition is on track, below 0.5 off track. A "
            "slope needs five years.",
            window="The latest ten years.",
            blind="The current year, because figures are yearly. A share may rise while fossil "
            "generation grows too: `fossilDemandCurve` is the fossil share of electricity, not "
            "fuel burnt, and leaves out heat and transport.",
            reference="IEA 2023, Net Zero Roadmap; Our World in Data, based on Ember and the "
            "Energy Institute.",
        ),
    ),
    Product(
        name="water-risk",
        title="Water risk",
        about="Returns how scarce water is: withdrawals, rainfall in farming zones, drought.\n\n"
        "Contributions of `components` add up to `waterRiskScore`.",
        price=prices.INTELLIGENCE_25,
        kept=12 * HOUR,
        answers=WaterRiskOut,
        compute=water_risk.compute_water_risk,
        needs=(
            *(
                SeriesNeed(series=gauge.series, weight=gauge.weight)
                for gauge in (*WITHDRAWALS, *DROUGHTS)
            ),
            *(SeriesNeed(series=zone.series, weight=RAIN_WEIGHT) for zone in ZONES),
        ),
        since=date(FIRST_YEAR, 1, 1),
        heads={"Water-Risk": "waterRiskScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How much of their water the five countries with the most irrigated land "
            "withdraw (half of the weight), how dry ten farming zones are (three tenths), and how "
            "severe drought is in eight regions of the United States (two tenths).",
            formula=GAUGE_FORMULA
            + " Rain is scored as in climate: its rank among all three-year runs.",
            window="Withdrawals and drought: the latest value. Rain: three-year runs since 1961.",
            blind="Water quality, ground water, rivers as shipping routes (see supply-chain), and "
            "drought outside the United States. Withdrawals are yearly and published years late; "
            "rain ends with 2023.",
            reference="FAO, SDG indicator 6.4.2; US Drought Monitor; Harris and others 2020.",
        ),
    ),
    Product(
        name="biodiversity",
        title="Biodiversity risk",
        about="Returns how strained nature is: species, forest, protected areas.\n\n"
        "Contributions of `components` add up to `biodiversityRiskScore`; each states its "
        "reference marks.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=BiodiversityOut,
        compute=biodiversity.compute_biodiversity,
        needs=tuple(SeriesNeed(series=gauge.series, weight=gauge.weight) for gauge in BIODIVERSITY),
        heads={"Biodiversity-Risk": "biodiversityRiskScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How far species, forest, and protected land and sea are from reference "
            "marks set by treaties and science.",
            formula=GAUGE_FORMULA,
            window="The newest value of each series.",
            blind="Any single place, ecosystem or company: figures cover the whole world. Forest "
            "includes planted trees; an area protected on paper may not be protected in fact. "
            "Weights are ours.",
            reference="Butchart and others 2007 (Red List Index); Richardson and others 2023 "
            "(forest); Kunming-Montreal Global Biodiversity Framework 2022, target 3.",
        ),
    ),
    Product(
        name="gender-risk",
        title="Gaps between women and men",
        about="Returns how wide the gaps between women and men are: law, work, parliaments, "
        "schooling, maternal deaths.\n\n"
        "Contributions of `components` add up to `genderRiskScore`; each states its reference "
        "marks.",
        price=prices.INTELLIGENCE_75,
        kept=12 * HOUR,
        answers=GenderRiskOut,
        compute=gender_risk.compute_gender_risk,
        needs=tuple(SeriesNeed(series=gauge.series, weight=gauge.weight) for gauge in GENDER),
        heads={"Gender-Risk": "genderRiskScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How far the world is from equal law, work, parliamentary seats and "
            "schooling for women and men, and how many mothers die.",
            formula=GAUGE_FORMULA,
            window="The newest value of each series.",
            blind="Single countries: figures are world averages. Law as enforced, unpaid work, "
            "pay and violence are not measured. More girls than boys in school does not count as "
            "strain.",
            reference="World Bank, World Development Indicators and Women, Business and the Law; "
            "UNDP, Gender Inequality Index, technical note 4.",
        ),
    ),
    Product(
        name="esg",
        path="esg/<str:address>",
        title="ESG of an entity",
        about="Returns the ESG score of an entity, by its LEI or by a wallet registered to it.\n\n"
        "The score is that of `/esg/score/:lei` in another form; `violations` and `incidents` are "
        "null if no source publishes them, never 0. The answer is sold at any coverage: "
        "`coverage` states it, and `missing` names the evidence that is missing.",
        price=prices.INTELLIGENCE_25,
        kept=6 * HOUR,
        answers=EsgAnswerOut,
        compute=entity_esg.compute_entity_esg,
        heads={"ESG-Score": "esgScore", "ESG-Tier": "tier"},
        prose=MethodProse(
            missing="Missing evidence earns no points: see docs/esg-method.md.",
            measures="The environmental, social and governance record of one entity.",
            formula="The composite of docs/esg-method.md, unchanged. Tiers and risks are the same "
            "tiers under other names; the recommended tier is one lower where the LEI is not in "
            "force, no pillar rests on the entity's own evidence, or human rights were violated.",
            window="As in docs/esg-method.md; an answer covers one LEI.",
            blind="Whether a low score means a poor record or missing evidence, because missing "
            "evidence earns no points. Violations and incidents come from registers in the United "
            "States only.",
            reference="docs/esg-method.md.",
        ),
    ),
)
