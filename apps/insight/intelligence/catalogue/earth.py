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
    "Strain of each series, 100·(value - calm)/(worst - calm) within 0 and 100, weighted; "
    "below 0.6 of the weight there is no number."
)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="climate",
        title="Shift of rain in farming zones",
        about="Returns how rainfall has shifted in ten farming zones: 2021-2023 against "
        "1972-1974.\n\n"
        "In addition to that comparison of weather there is one of climate, 1991-2020 against "
        "1961-1990, with its standard error. `climateScore` is how dry the last three years were "
        "among all runs of three since 1961; contributions of `components` add up to it.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=ClimateOut,
        compute=climate.compute_climate,
        needs=tuple(SeriesNeed(series=zone.series) for zone in ZONES),
        since=date(FIRST_YEAR, 1, 1),
        heads={"Climate-Score": "climateScore"},
        version="3",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="Zones at risk, and what they mean,"),
            measures="How much less or more rain ten farming countries had in 2021-2023 than in "
            "1972-1974, and how dry their newest three years are.",
            formula="Shift: 100·(mean of 2021-2023 - mean of 1972-1974)/mean of 1972-1974, of "
            "whole years; a zone without all six years has none. Score: mean over zones, each of "
            "the same weight, of 100·(share of all runs of three years that were not drier). "
            "Standard error of the shift between normals: delta method, s²/n of both, years as "
            "independent; of that of three years the same, with the s² of 1961-2020. From -10 per "
            "cent a zone dries, from -20 severely.",
            window="1961 to 2023, as the Climatic Research Unit's table ends (CRU TS 4.08).",
            blind="A country's mean hides its valleys; only dryness is strain, floods are not; "
            "seasons within a year, irrigation and heat are not seen; six years of three and three "
            "are weather, and say nothing of climate by themselves. Pressure on prices and on "
            "people to leave are counts of zones, no models of markets or of migration.",
            reference="Harris and others 2020, Scientific Data 7:109 (CRU TS); WMO-No. 1203 "
            "(normals).",
        ),
    ),
    Product(
        name="climate-pulse",
        title="Heat and drought of the United States",
        about="Returns heat and drought of eight regions of the United States.\n\n"
        "`tempAnomaly` is that of the newest month over its normal of 1991 to 2020; "
        "`droughtSeverity` is the drought monitor's index of severity and coverage, 0 to 500. "
        "Contributions of `components` add up to `pulseIndex`.",
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
                what="Regions that are hot, dry or tiring, and what they mean,"
            ),
            measures="How unusual the newest month's heat is, and how severe drought is, in eight "
            "regions that cover the contiguous United States.",
            formula="Heat: 100·ECDF of the month among the same months since 1991; what is above "
            "the median counts, doubled. Drought: DSCI = D0 + 2·D1 + 3·D2 + 4·D3 + 5·D4 of land "
            "in each class alone; 300 is 100. Each half of a region's strain, each region an "
            "eighth. A region has an anomaly of heat from the 80th place in a hundred on, drought "
            "from an index of 200 on.",
            window="The same months since 1991; a normal needs twenty of the years 1991 to 2020.",
            blind="The publishers' regions differ by a state or so, the Southwest's "
            "drought may count California's too, and heat is monthly: a week of "
            "heat within a mild month is not seen. Loss of work counts regions whose month is at "
            "24 degrees C on average or warmer, and measures no hours. The crops of a region are a "
            "table, and no yields.",
            reference="NOAA Climate at a Glance; US Drought Monitor (Svoboda and others 2002); "
            "Akyuz 2017 (DSCI); ILO 2019, Working on a warmer planet.",
        ),
    ),
    Product(
        name="earth-systems",
        title="Health of the earth and its tipping elements",
        about="Returns the health of the earth, its air and warming, and nine tipping elements.\n\n"
        "Warming is measured from 1850 to 1900. An element's band says where the last ten years' "
        "warming is among published thresholds; it is not a probability. Contributions of "
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
            measures="How far heat, carbon dioxide, sea ice and Niño are from the calmest since "
            "1979; warming over 1850 to 1900; and in which band of its published threshold each of "
            "nine global core tipping elements is.",
            formula="Index: 100 - composite climate-stress. Warming: mean of the last 12 (for "
            "bands 120) months less the mean of the months of 1850 to 1900, of one "
            "and the same table. Below the least estimate LOW, from it HIGH, from the best "
            "estimate IMMINENT.",
            window="Index: expanding, from 1 January 1979. Warming: from 1850; at least 600 of the "
            "612 months of the base.",
            blind="Most inputs rise or fall for decades, so that the index is near its end and "
            "tells little from year to year. Thresholds are estimates with wide ranges; nothing is "
            "said of when. An assessment of the planet's boundaries stands beside the index, and "
            "is not in it.",
            reference="Armstrong McKay and others 2022, Science 377, eabn7950; Richardson and "
            "others 2023, Science Advances 9, eadh2458; Planetary Health Check 2025; Paris "
            "Agreement, article 2.",
        ),
    ),
    Product(
        name="energy-transition",
        title="How electricity leaves fossil sources",
        about="Returns how fast the world's electricity is moving away from fossil sources.\n\n"
        "`signal` compares the last ten years' pace with what 59 per cent renewable by 2030 "
        "requires. `fossilDemandCurve` is that of the share of fossil sources in electricity.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=EnergyTransitionOut,
        compute=energy_transition.compute_energy_transition,
        needs=tuple(
            SeriesNeed(series=name, weight=weight, required=name == energy_transition.SHARE)
            for name, weight in energy_transition.WEIGHTS.items()
        ),
        prose=MethodProse(
            missing="What is not there is null, and takes its part of the coverage; without the "
            "renewable share there is no answer.",
            measures="The share of renewable sources in the world's electricity, its pace, and "
            "carbon in electricity.",
            formula="Pace: slope by least squares of the last ten years, over (59 - share)/(years "
            "to 2030). From 1 on it is on track, below 0.5 off it. A slope needs five years.",
            window="The ten newest years.",
            blind="Yearly figures: nothing of this year. A share may rise while fossil sources "
            "grow too: `fossilDemandCurve` tells their share in electricity, not tonnes burnt, and "
            "nothing of heat and transport.",
            reference="IEA 2023, Net Zero Roadmap; Our World in Data, of Ember and Energy "
            "Institute.",
        ),
    ),
    Product(
        name="water-risk",
        title="Risk of water",
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
            measures="How much of their water five countries with the most irrigated land withdraw "
            "(half of the weight), how dry ten farming zones are (three tenths), and how severe "
            "drought is in eight regions of the United States (two tenths).",
            formula=GAUGE_FORMULA
            + " Rain is as in climate: a place among all runs of three years.",
            window="Withdrawals and drought: the newest value. Rain: runs since 1961.",
            blind="Withdrawals are yearly and years late, rain ends with 2023; nothing of quality, "
            "of ground water, of rivers as roads for ships (supply-chain has those), of other "
            "countries' drought.",
            reference="FAO, SDG indicator 6.4.2; US Drought Monitor; Harris and others 2020.",
        ),
    ),
    Product(
        name="biodiversity",
        title="Risk of nature",
        about="Returns how strained nature is: species, forest, protected areas.\n\n"
        "Contributions of `components` add up to `biodiversityRiskScore`; each states its marks.",
        price=prices.INTELLIGENCE_25,
        kept=24 * HOUR,
        answers=BiodiversityOut,
        compute=biodiversity.compute_biodiversity,
        needs=tuple(SeriesNeed(series=gauge.series, weight=gauge.weight) for gauge in BIODIVERSITY),
        heads={"Biodiversity-Risk": "biodiversityRiskScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How far species, forest and protected land and sea are from marks that "
            "treaties and science have set.",
            formula=GAUGE_FORMULA,
            window="The newest value of each series.",
            blind="The whole world: nothing of a place, an ecosystem or a firm's own harm. Forest "
            "counts planted trees; protected on paper is not protected in fact. Weights are ours.",
            reference="Butchart and others 2007 (Red List Index); Richardson and others 2023 "
            "(forest); Kunming-Montreal Global Biodiversity Framework 2022, target 3.",
        ),
    ),
    Product(
        name="gender-risk",
        title="Gaps between women and men",
        about="Returns how wide the gaps are between women and men: law, work, parliaments, "
        "schools, deaths of mothers.\n\n"
        "Contributions of `components` add up to `genderRiskScore`; each states its marks.",
        price=prices.INTELLIGENCE_75,
        kept=12 * HOUR,
        answers=GenderRiskOut,
        compute=gender_risk.compute_gender_risk,
        needs=tuple(SeriesNeed(series=gauge.series, weight=gauge.weight) for gauge in GENDER),
        heads={"Gender-Risk": "genderRiskScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How far the world is from the same law, work, seats and schooling for women "
            "and men, and how many mothers die.",
            formula=GAUGE_FORMULA,
            window="The newest value of each series.",
            blind="Means of the world hide countries; law in books is not law in courts; unpaid "
            "work, pay and violence are not measured. More girls than boys in school is no strain.",
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
        "null if nobody publishes them, never 0. It is sold at any coverage: `coverage` states "
        "it, and `missing` names what is not known.",
        price=prices.INTELLIGENCE_25,
        kept=6 * HOUR,
        answers=EsgAnswerOut,
        compute=entity_esg.compute_entity_esg,
        heads={"ESG-Score": "esgScore", "ESG-Tier": "tier"},
        prose=MethodProse(
            missing="What is missing earns nothing: see docs/esg-method.md.",
            measures="The environmental, social and governance record of one entity.",
            formula="The composite of docs/esg-method.md, unchanged. Tiers and risks are its tiers "
            "under other names; the recommended tier is one lower where the LEI is not in force, "
            "no pillar rests on the entity's own evidence, or human rights were violated.",
            window="As docs/esg-method.md; an answer is of one LEI.",
            blind="What is missing earns nothing, so that a low score may be silence. Violations "
            "and incidents are those of registers in the United States.",
            reference="docs/esg-method.md.",
        ),
    ),
)
