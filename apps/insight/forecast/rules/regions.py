"""Producing regions: what each yields, its share, and the months that decide. Pure.

A share is the country's share of world output (of US output for oil and gas), of a year and a
source, rounded to a hundredth; the region represents its country. Months are those in which weather
decides the harvest (USDA, Major World Crop Areas and Climatic Profiles, Handbook 664; ICO, ICCO and
FAO for tree crops), `cold` ones those in which frost does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.insight.forecast.rules.markets import COLD, DROUGHT, FIRE, FLOOD, HEAT, STORM

# weight of weather in all other months; ours
QUIET = Decimal("0.4")
FULL = Decimal(1)
THREATS = {
    COLD: "frost",
    DROUGHT: "drought",
    FIRE: "wildfire",
    FLOOD: "flood",
    HEAT: "heat stress",
    STORM: "storm",
}
FAS = "USDA FAS, PSD, 2023/24"
ICCO = "ICCO, Quarterly Bulletin, 2022/23"
EIA = "EIA, 2023, of the United States"
USGS = "USGS, Mineral Commodity Summaries 2025, 2024"
FAO = "FAO, sawnwood, 2022"


@dataclass(frozen=True, slots=True)
class Region:
    """A region: its country, its drought index if there is one, and its main threat."""

    name: str
    country: str
    usual: str
    drought: str = ""


@dataclass(frozen=True, slots=True)
class Growth:
    """What a region yields of a market: its country's share, and the months that decide."""

    symbol: str
    region: str
    share: Decimal
    source: str
    months: frozenset[int]
    cold: frozenset[int] = frozenset()

    def season(self, month: int, *, cold: bool = False) -> Decimal:
        """Return the weight of weather in a month, or of cold."""
        return FULL if month in (self.cold if cold else self.months) else QUIET

    def decides(self, month: int) -> bool:
        """Tell whether weather of a month decides, even if only cold does."""
        return month in self.months or month in self.cold


REGIONS: Mapping[str, Region] = {
    "us-plains": Region("Great Plains, United States", "United States", DROUGHT, "drought.plains"),
    "us-corn-belt": Region("Corn Belt, United States", "United States", DROUGHT, "drought.midwest"),
    "us-south": Region("Texas and New Mexico", "United States", DROUGHT, "drought.south"),
    "us-southeast": Region("Southeast, United States", "United States", STORM, "drought.southeast"),
    "us-appalachia": Region("Appalachia", "United States", FLOOD, "drought.northeast"),
    "us-gulf": Region("Gulf of Mexico", "United States", STORM),
    "ca-prairies": Region("Prairies, Canada", "Canada", DROUGHT),
    "ca-british-columbia": Region("British Columbia", "Canada", FIRE),
    "br-centre": Region("Mato Grosso, Brazil", "Brazil", DROUGHT),
    "br-southeast": Region("Minas Gerais and São Paulo, Brazil", "Brazil", DROUGHT),
    "ar-pampas": Region("Pampas, Argentina", "Argentina", DROUGHT),
    "cl-atacama": Region("Atacama, Chile", "Chile", DROUGHT),
    "pe-andes": Region("Southern Andes, Peru", "Peru", FLOOD),
    "co-andes": Region("Andes, Colombia", "Colombia", FLOOD),
    "ec-coast": Region("Coast of Ecuador", "Ecuador", FLOOD),
    "ci-forest": Region("Forest belt, Côte d'Ivoire", "Côte d'Ivoire", DROUGHT),
    "gh-ashanti": Region("Ashanti, Ghana", "Ghana", DROUGHT),
    "cm-nigeria": Region("Cameroon and southern Nigeria", "Cameroon and Nigeria", FLOOD),
    "et-highlands": Region("Southern highlands, Ethiopia", "Ethiopia", DROUGHT),
    "cd-copperbelt": Region("Copperbelt, DR Congo", "DR Congo", FLOOD),
    "eu-west": Region("Western Europe", "European Union", HEAT),
    "eu-north": Region("Sweden and Germany", "Sweden and Germany", DROUGHT),
    "ua-steppe": Region("Steppe, Ukraine", "Ukraine", DROUGHT),
    "ru-south": Region("Southern Russia", "Russia", DROUGHT),
    "ru-siberia": Region("Siberia, Russia", "Russia", FIRE),
    "in-ganges": Region("Ganges plain, India", "India", HEAT),
    "in-west": Region("Gujarat and Maharashtra, India", "India", DROUGHT),
    "pk-indus": Region("Indus plain, Pakistan", "Pakistan", FLOOD),
    "cn-north": Region("North China Plain", "China", DROUGHT),
    "cn-northeast": Region("Northeast China", "China", STORM),
    "cn-xinjiang": Region("Xinjiang, China", "China", HEAT),
    "vn-highlands": Region("Central Highlands, Vietnam", "Vietnam", DROUGHT),
    "th-centre": Region("Central Thailand", "Thailand", DROUGHT),
    "id-sumatra": Region("Sumatra and Sulawesi, Indonesia", "Indonesia", FLOOD),
    "au-southeast": Region("Southeast Australia", "Australia", DROUGHT),
}


def _build_growths(
    symbol: str, source: str, *rows: tuple[str, str, str, str]
) -> tuple[Growth, ...]:
    """Return the regions of a market: region, share, months, months of frost, in numbers."""
    return tuple(
        Growth(symbol, region, Decimal(share), source, _parse_months(months), _parse_months(cold))
        for region, share, months, cold in rows
    )


def _parse_months(text: str) -> frozenset[int]:
    return frozenset(int(part) for part in text.split())


GROWTHS: tuple[Growth, ...] = (
    *_build_growths(
        "WHEAT", FAS,
        ("cn-north", "0.17", "3 4 5", "12 1"), ("eu-west", "0.17", "4 5 6", "1 2"),
        ("in-ganges", "0.14", "2 3 4", ""), ("ru-south", "0.12", "4 5 6", "12 1 2"),
        ("us-plains", "0.06", "4 5 6", "12 1 2"), ("ca-prairies", "0.04", "6 7 8", ""),
        ("pk-indus", "0.04", "2 3 4", ""), ("au-southeast", "0.03", "8 9 10", ""),
        ("ua-steppe", "0.03", "4 5 6", "12 1 2"), ("ar-pampas", "0.02", "9 10 11", ""),
    ),
    *_build_growths(
        "CORN", FAS,
        ("us-corn-belt", "0.32", "6 7 8", ""), ("cn-northeast", "0.23", "6 7 8", ""),
        ("br-centre", "0.10", "3 4 5", ""), ("eu-west", "0.05", "6 7 8", ""),
        ("ar-pampas", "0.04", "12 1 2", ""), ("ua-steppe", "0.03", "6 7 8", ""),
    ),
    *_build_growths(
        "SOYB", FAS,
        ("br-centre", "0.39", "11 12 1 2", ""), ("us-corn-belt", "0.29", "7 8", ""),
        ("ar-pampas", "0.12", "1 2 3", ""), ("cn-northeast", "0.05", "7 8", ""),
        ("in-west", "0.03", "7 8 9", ""),
    ),
    *_build_growths(
        "COFFEE", FAS,
        ("br-southeast", "0.39", "9 10 11 12 1 2", "6 7 8"),
        ("vn-highlands", "0.16", "1 2 3 4", ""), ("co-andes", "0.07", "1 2 3 7 8", ""),
        ("et-highlands", "0.06", "2 3 4 5", ""), ("id-sumatra", "0.05", "9 10 11", ""),
    ),
    *_build_growths(
        "COCOA", ICCO,
        ("ci-forest", "0.44", "6 7 8 9 12 1 2", ""), ("gh-ashanti", "0.13", "6 7 8 9 12 1 2", ""),
        ("cm-nigeria", "0.11", "6 7 8 9", ""), ("ec-coast", "0.09", "1 2 3 4", ""),
        ("id-sumatra", "0.03", "9 10 11", ""),
    ),
    *_build_growths(
        "COTTON", FAS,
        ("cn-xinjiang", "0.24", "6 7 8", ""), ("in-west", "0.22", "7 8 9 10", ""),
        ("br-centre", "0.13", "2 3 4 5", ""), ("us-south", "0.11", "6 7 8", ""),
        ("pk-indus", "0.06", "7 8 9", ""), ("au-southeast", "0.04", "12 1 2", ""),
    ),
    *_build_growths(
        "SUGAR", FAS,
        ("br-southeast", "0.25", "11 12 1 2 3", "6 7"), ("in-west", "0.19", "6 7 8 9", ""),
        ("eu-west", "0.08", "6 7 8", ""), ("th-centre", "0.05", "6 7 8 9", ""),
    ),
    *_build_growths(
        "WTI", EIA,
        ("us-south", "0.57", "", "12 1 2"), ("us-gulf", "0.14", "8 9 10", ""),
        ("us-plains", "0.09", "", "12 1 2"),
    ),
    *_build_growths(
        "NG", EIA,
        ("us-south", "0.36", "", "12 1 2"), ("us-appalachia", "0.26", "", "12 1 2"),
        ("us-gulf", "0.02", "8 9 10", ""),
    ),
    *_build_growths(
        "COPPER", USGS,
        ("cl-atacama", "0.23", "1 2 3 11 12", ""), ("cd-copperbelt", "0.14", "11 12 1 2 3", ""),
        ("pe-andes", "0.11", "12 1 2 3", ""),
    ),
    *_build_growths(
        "LUMBER", FAO,
        ("us-southeast", "0.17", "6 7 8 9", ""), ("ru-siberia", "0.09", "5 6 7 8 9", ""),
        ("eu-north", "0.09", "5 6 7 8", ""), ("ca-british-columbia", "0.08", "5 6 7 8 9", ""),
    ),
)  # fmt: skip


def growths_of_symbol(symbol: str) -> tuple[Growth, ...]:
    """Return the regions of a market, the largest first."""
    return tuple(growth for growth in GROWTHS if growth.symbol == symbol)


def symbols_of_region(region: str) -> tuple[str, ...]:
    """Return what a region yields."""
    return tuple(growth.symbol for growth in GROWTHS if growth.region == region)
