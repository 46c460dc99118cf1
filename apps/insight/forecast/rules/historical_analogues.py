"""Past analogues of the scenarios: the month in which each began, and harvests. Pure.

Harvests are year-on-year changes of one area and crop, as published, rounded to whole per cent;
they are facts about that area, not about the world. Price moves are not listed here: they are
computed from the available prices.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

YEAR, MONTH, DAY = "YEAR", "MONTH", "DAY"
# the longest first, by which scenario_projection.py chooses
SPANS = (YEAR, MONTH, DAY)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What an area's output of a market did, per cent; `share` is the area's part of the world's
    (of the United States' for oil and gas) by the table of regions, None where it has none.
    `of` is the time over which it fell.
    """

    symbol: str
    area: str
    change_pct: int
    source: str
    share: Decimal | None = None
    of: str = YEAR


@dataclass(frozen=True, slots=True)
class Analogue:
    """One time that it happened; prices are counted from the month before `month`."""

    year: int
    month: int
    event: str
    harvests: tuple[Harvest, ...] = ()


PSD = "USDA FAS, PSD"
NASS = "USDA NASS, yield"
ICCO = "ICCO"
BSEE = "MMS and BSEE, peak oil production shut in"
# shares of world output, as in GROWTHS of regions.py; the Gulf's is of US output
_ARGENTINA, _RUSSIA, _IVORY = Decimal("0.12"), Decimal("0.12"), Decimal("0.44")
_BRAZIL_MAIZE, _BRAZIL_SOY = Decimal("0.10"), Decimal("0.39")
_US_MAIZE, _US_SOY = Decimal("0.32"), Decimal("0.29")
_GULF = Decimal("0.14")


def _argentine_soybeans(change: int) -> tuple[Harvest, ...]:
    return (Harvest("SOYB", "Argentina", change, PSD, _ARGENTINA),)


def _russian_wheat(change: int) -> Harvest:
    return Harvest("WHEAT", "Russia", change, PSD, _RUSSIA)


def _us_corn_belt(maize: int, soy: int | None = None) -> tuple[Harvest, ...]:
    """Return yields of maize and soybeans in the United States."""
    rows = (Harvest("CORN", "United States", maize, NASS, _US_MAIZE),)
    return rows + (
        (Harvest("SOYB", "United States", soy, NASS, _US_SOY),) if soy is not None else ()
    )


def _ivorian_cocoa(change: int) -> tuple[Harvest, ...]:
    return (Harvest("COCOA", "Côte d'Ivoire", change, ICCO, _IVORY),)


def _gulf_oil(change: int) -> tuple[Harvest, ...]:
    return (Harvest("WTI", "Gulf of Mexico", change, BSEE, _GULF, DAY),)


ANALOGUES: Mapping[str, tuple[Analogue, ...]] = {
    "la_nina": (
        Analogue(1988, 5, "La Niña of 1988/89"),
        Analogue(1998, 7, "La Niña of 1998/99"),
        Analogue(2007, 8, "La Niña of 2007/08"),
        Analogue(2010, 7, "La Niña of 2010/11", _argentine_soybeans(-10)),
        Analogue(2011, 8, "La Niña of 2011/12", _argentine_soybeans(-18)),
        Analogue(2017, 10, "La Niña of 2017/18", _argentine_soybeans(-31)),
        Analogue(2020, 8, "La Niña of 2020/21", _argentine_soybeans(-5)),
        Analogue(2021, 8, "La Niña of 2021/22", _argentine_soybeans(-5)),
        Analogue(2022, 8, "La Niña of 2022/23", _argentine_soybeans(-43)),
    ),
    "gulf_hurricane": (
        Analogue(1992, 8, "Andrew"),
        Analogue(1999, 8, "Bret"),
        Analogue(2005, 8, "Katrina and Rita", _gulf_oil(-100)),
        Analogue(2017, 8, "Harvey", _gulf_oil(-25)),
        Analogue(2020, 8, "Laura and Zeta", _gulf_oil(-85)),
        Analogue(2021, 8, "Ida", _gulf_oil(-96)),
    ),
    "black_sea_disruption": (
        Analogue(
            2003, 7, "Winterkill and drought in Ukraine and Russia",
            (Harvest("WHEAT", "Ukraine", -83, PSD, Decimal("0.03")), _russian_wheat(-33)),
        ),
        Analogue(2010, 7, "Drought and export ban in Russia", (_russian_wheat(-33),)),
        Analogue(2012, 7, "Drought in Russia", (_russian_wheat(-33),)),
        Analogue(
            2022, 2, "Invasion of Ukraine and blockade of its ports",
            (
                Harvest("WHEAT", "Ukraine", -35, PSD, Decimal("0.03")),
                Harvest("CORN", "Ukraine", -36, PSD, Decimal("0.03")),
            ),
        ),
        Analogue(2023, 7, "End of the grain deal, ports closed"),
    ),
    "amazon_drought": (
        Analogue(1997, 10, "Drought of 1997/98"),
        Analogue(2005, 7, "Drought of 2005"),
        Analogue(2010, 7, "Drought of 2010"),
        Analogue(
            2015, 9, "Drought of 2015/16", (Harvest("CORN", "Brazil", -21, PSD, _BRAZIL_MAIZE),)
        ),
        Analogue(
            2023, 9, "Drought of 2023/24",
            (
                Harvest("CORN", "Brazil", -13, PSD, _BRAZIL_MAIZE),
                Harvest("SOYB", "Brazil", -5, PSD, _BRAZIL_SOY),
            ),
        ),
    ),
    "sahel_heatwave": (
        Analogue(2006, 10, "Season of 2006/07", _ivorian_cocoa(-13)),
        Analogue(2008, 10, "Season of 2008/09", _ivorian_cocoa(-12)),
        Analogue(2015, 10, "Season of 2015/16", _ivorian_cocoa(-12)),
        Analogue(2023, 10, "Season of 2023/24", _ivorian_cocoa(-25)),
    ),
    "us_midwest_drought": (
        Analogue(1980, 7, "Drought and heat of 1980", _us_corn_belt(-17)),
        Analogue(1983, 7, "Drought of 1983", _us_corn_belt(-28)),
        Analogue(1988, 6, "Drought of 1988", _us_corn_belt(-29, -20)),
        Analogue(2012, 6, "Drought of 2012", _us_corn_belt(-16, -5)),
    ),
    "arctic_blast": (
        Analogue(2011, 2, "Cold of February 2011 in the Southwest"),
        Analogue(2014, 1, "Polar vortex of January 2014"),
        Analogue(2018, 1, "Cold of January 2018 in the South"),
        Analogue(
            2021, 2, "Winter storm Uri",
            (Harvest("WTI", "United States", -11, "EIA, month over month", Decimal(1), MONTH),),
        ),
        Analogue(
            2022, 12, "Winter storm Elliott",
            (Harvest("NG", "United States", -18, "FERC and NERC, lowest day", Decimal(1), DAY),),
        ),
    ),
    "pacific_typhoon": (
        Analogue(2009, 9, "Ketsana and Parma, Philippines"),
        Analogue(2012, 12, "Bopha, Philippines"),
        Analogue(2013, 11, "Haiyan, Philippines"),
        Analogue(2018, 9, "Mangkhut, Philippines and China"),
        Analogue(2020, 8, "Bavi, Maysak and Haishen, northeast China"),
        Analogue(2021, 12, "Rai, Philippines"),
    ),
    "global_heatwave": (
        Analogue(2003, 6, "Summer of 2003 in Europe", (Harvest("CORN", "France", -27, "FAOSTAT"),)),
        Analogue(2010, 7, "Summer of 2010 in Russia", (_russian_wheat(-33),)),
        Analogue(2012, 6, "Summer of 2012 in the United States", _us_corn_belt(-16)),
        Analogue(
            2018, 6, "Summer of 2018 in Europe", (Harvest("WHEAT", "Germany", -17, "FAOSTAT"),)
        ),
        Analogue(
            2022, 6, "Summer of 2022 in Europe",
            (Harvest("CORN", "European Union", -27, PSD, Decimal("0.05")),),
        ),
    ),
}  # fmt: skip
