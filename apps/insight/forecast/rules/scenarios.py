"""The nine scenarios: what each is, which markets it moves, and how often it occurred. Pure.

A scenario has its history: every dated analogue is a row of `historical_analogues.py`. Its yearly
probability is the share of years with one in a stated window; its effect on prices is computed
from the available prices over its horizon.
"""

from dataclasses import dataclass
from math import sqrt

from apps.insight.forecast.rules.historical_analogues import ANALOGUES, Analogue

COUNTED_BY_INDEX = "sea.enso"
# degrees C of the Oceanic Niño index from which the Pacific is cold (NOAA)
COLD_SEA = "-0.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A scenario (document 3 section 2.8).

    `symbols` are the markets that it moves, `months` its horizon. Of the years from `first` to
    `last`, those in `years` met `criterion`; `floor` says that the list may be incomplete, so that
    its share is a minimum. If `index` names a series, years are counted in it instead.
    """

    id: str
    title: str
    description: str
    symbols: tuple[str, ...]
    months: int
    criterion: str
    reference: str
    first: int = 0
    last: int = 0
    years: tuple[int, ...] = ()
    floor: bool = False
    index: str = ""

    @property
    def analogues(self) -> tuple[Analogue, ...]:
        """Its past occurrences, the earliest first."""
        return ANALOGUES[self.id]


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        id="la_nina",
        title="La Niña",
        description="The equatorial Pacific cools: dry in Argentina, southern Brazil and the "
        "southern United States, wet in Australia and Southeast Asia.",
        symbols=("SOYB", "CORN", "WHEAT", "COTTON", "SUGAR"),
        months=6,
        criterion="the Oceanic Niño index of November to January is -0.5 or below",
        reference="NOAA Climate Prediction Center, Oceanic Niño index",
        index=COUNTED_BY_INDEX,
    ),
    Scenario(
        id="gulf_hurricane",
        title="Major hurricane on the Gulf coast",
        description="A hurricane of category 3 or more shuts wells, refineries and terminals in "
        "the Gulf of Mexico.",
        symbols=("WTI", "NG"),
        months=3,
        criterion="a hurricane of category 3 or more made landfall in Texas or Louisiana",
        reference="NOAA, HURDAT2",
        first=1990,
        last=2025,
        years=(1992, 1999, 2005, 2017, 2020, 2021),
    ),
    Scenario(
        id="black_sea_disruption",
        title="Black Sea disruption",
        description="Wheat and maize in Russia and Ukraine fail, are withheld or cannot be "
        "shipped.",
        symbols=("WHEAT", "CORN"),
        months=3,
        criterion="the wheat harvest in Russia or Ukraine fell by 30 per cent or more, or "
        "Ukraine's ports were blockaded",
        reference="USDA FAS, Production, Supply and Distribution",
        first=2001,
        last=2025,
        years=(2003, 2010, 2012, 2022, 2023),
    ),
    Scenario(
        id="amazon_drought",
        title="Amazon drought",
        description="Rain fails over the Amazon and central Brazil: soybeans are sown late, the "
        "second maize crop shrinks, coffee and sugar cane suffer from heat.",
        symbols=("SOYB", "CORN", "COFFEE", "SUGAR"),
        months=6,
        criterion="a drought in the Amazon basin that the literature calls extreme",
        reference="Jiménez-Muñoz and others 2016; World Weather Attribution 2024",
        first=1996,
        last=2025,
        years=(1997, 2005, 2010, 2015, 2023),
        floor=True,
    ),
    Scenario(
        id="sahel_heatwave",
        title="West African heat and drought",
        description="Heat, dry winds and failing rain from the Sahel to the forest belt damage "
        "cocoa and cotton.",
        symbols=("COCOA", "COTTON"),
        months=6,
        criterion="the Ivorian cocoa harvest ending in the year fell by 10 per cent or more",
        reference="ICCO, Quarterly Bulletin of Cocoa Statistics",
        first=2002,
        last=2025,
        years=(2007, 2009, 2016, 2024),
    ),
    Scenario(
        id="us_midwest_drought",
        title="Midwest drought",
        description="Drought and heat from June to August damage maize and soybeans in the Corn "
        "Belt.",
        symbols=("CORN", "SOYB", "WHEAT"),
        months=3,
        criterion="drought cut the US maize yield by 15 per cent or more",
        reference="USDA NASS, Quick Stats",
        first=1976,
        last=2025,
        years=(1980, 1983, 1988, 2012),
    ),
    Scenario(
        id="arctic_blast",
        title="Arctic blast",
        description="Arctic air reaches Texas: gas wells freeze as demand peaks.",
        symbols=("NG", "WTI", "WHEAT"),
        months=2,
        criterion="cold put power supply at risk because generators froze or lacked fuel",
        reference="FERC and NERC, joint inquiries of 2011 to 2023",
        first=2006,
        last=2025,
        years=(2011, 2014, 2018, 2021, 2022),
        floor=True,
    ),
    Scenario(
        id="pacific_typhoon",
        title="Western Pacific typhoons",
        description="Typhoons flatten crops and close ports from the Philippines to northeast "
        "China.",
        symbols=("CORN", "SUGAR"),
        months=3,
        criterion="typhoons did widespread damage to crops in the Philippines or northeast China",
        reference="PAGASA; China's Ministry of Emergency Management",
        first=2006,
        last=2025,
        years=(2009, 2012, 2013, 2018, 2020, 2021),
        floor=True,
    ),
    Scenario(
        id="global_heatwave",
        title="Heat waves on several continents",
        description="A summer of heat damages wheat and maize of a leading producer.",
        symbols=("WHEAT", "CORN", "SOYB"),
        months=6,
        criterion="heat cut a leading producer's wheat or maize harvest by 15 per cent or more",
        reference="USDA FAS and NASS; FAOSTAT",
        first=2001,
        last=2025,
        years=(2003, 2010, 2012, 2018, 2022),
        floor=True,
    ),
)
SCENARIO_IDS = tuple(scenario.id for scenario in SCENARIOS)
# standard deviations of the normal distribution within which 95 per cent lie
NORMAL = 1.959964


def wilson_interval(hits: int, cases: int) -> tuple[float, float]:
    """Return the 95 per cent interval of a share observed as `hits` of `cases` (Wilson 1927).

    `cases` is above 0.
    """
    # not the usual p ± 1.96 s: with few years and rare events that interval reaches below 0
    share, square = hits / cases, NORMAL**2
    middle = share + square / (2 * cases)
    reach = NORMAL * sqrt(share * (1 - share) / cases + square / (4 * cases**2))
    whole = 1 + square / cases
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
