"""Gauge tables of biodiversity, gender gaps and water: weights and published marks. Pure.

Weights are ours; each table's sum to 1.
"""

from decimal import Decimal

from apps.insight.intelligence.rules.farming_zones import ZONES
from apps.insight.intelligence.rules.gauges import Gauge, build_gauge
from apps.insight.intelligence.rules.us_regions import REGIONS, SEVERE

BIODIVERSITY: tuple[Gauge, ...] = (
    build_gauge(
        "nature.redlist",
        "0.4",
        "1",
        "0.5",
        "1: no species is threatened; 0.5: the average species is between vulnerable and "
        "endangered (Butchart and others 2007)",
    ),
    build_gauge(
        "nature.forest",
        "0.3",
        "34.3",
        "24.7",
        "75 and 54 per cent of the forest cover before agriculture, which was 45.7 per cent of "
        "the land: the boundary and its zone of high risk (Richardson and others 2023)",
    ),
    build_gauge(
        "nature.protected.land", "0.15", "30", "0", "target 3 of Kunming-Montreal, by 2030"
    ),
    build_gauge("nature.protected.sea", "0.15", "30", "0", "target 3 of Kunming-Montreal, by 2030"),
)

GENDER: tuple[Gauge, ...] = (
    build_gauge("gender.law", "0.25", "100", "0", "100: equal legal rights (World Bank)"),
    build_gauge(
        "gender.work",
        "0.2",
        "100",
        "0",
        "100: women and men participate equally in the labour force",
    ),
    build_gauge("gender.parliament", "0.2", "50", "0", "50: half of the seats"),
    build_gauge("gender.school", "0.15", "1", "0", "1: as many girls as boys"),
    build_gauge(
        "gender.mothers", "0.2", "10", "1000", "goalposts of the UNDP's Gender Inequality Index"
    ),
)

# countries with the most irrigated land (FAO AQUASTAT); marks of SDG indicator 6.4.2
_COUNTRIES = ("india", "china", "us", "pakistan", "iran")
WITHDRAWALS: tuple[Gauge, ...] = tuple(
    build_gauge(
        f"water.withdrawn.{country}", "0.1", "25", "100",
        "below 25 there is no stress, from 100 on it is critical (FAO, SDG 6.4.2)",
    )
    for country in _COUNTRIES
)  # fmt: skip
RAIN_WEIGHT = Decimal("0.3") / len(ZONES)
DROUGHTS: tuple[Gauge, ...] = tuple(
    Gauge(
        series=region.drought,
        weight=Decimal("0.2") / len(REGIONS),
        calm=Decimal(0),
        worst=SEVERE,
        why="300: all land in severe drought, D2 (US Drought Monitor)",
    )
    for region in REGIONS
)
