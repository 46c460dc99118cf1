"""Files on land: rain of countries, heat and drought of regions, nature, society, water.

The regions of the drought monitor are requested by number: those of five regional climate centres;
in the west, which is one centre's, those of two climate hubs and of the state of California.
"""

from datetime import date, timedelta

from apps.reference.signals.series.definitions import DAY, US_PUBLIC_DOMAIN, Feed
from apps.reference.signals.series.feeds.world_economy import CC_BY
from apps.reference.signals.series.land import HEAT, RAIN

BANK_API = "https://api.worldbank.org/v2/country/"
WEEK = timedelta(days=7)
CENTRE, HUB = "RegionalClimateCenterStatistics", "ClimateHubStatistics"
STATE = "StateStatistics"
# region -> of what the drought monitor calls it, its number there
DROUGHT_AREAS = {
    "plains": (CENTRE, "1"), "midwest": (CENTRE, "2"), "northeast": (CENTRE, "3"),
    "south": (CENTRE, "4"), "southeast": (CENTRE, "5"), "california": (STATE, "CA"),
    "northwest": (HUB, "7"), "southwest": (HUB, "10"),
}  # fmt: skip
# series -> country or group, indicator
INDICATORS = {
    "nature.forest": ("WLD", "AG.LND.FRST.ZS"),
    "nature.protected.land": ("WLD", "ER.LND.PTLD.ZS"),
    "nature.protected.sea": ("WLD", "ER.MRN.PTMR.ZS"),
    "gender.law": ("WLD", "SG.LAW.INDX"),
    "gender.work": ("WLD", "SL.TLF.CACT.FM.ZS"),
    "gender.parliament": ("WLD", "SG.GEN.PARL.ZS"),
    "gender.school": ("WLD", "SE.ENR.SECO.FM.ZS"),
    "gender.mothers": ("WLD", "SH.STA.MMRT"),
    "water.withdrawn.india": ("IND", "ER.H2O.FWST.ZS"),
    "water.withdrawn.china": ("CHN", "ER.H2O.FWST.ZS"),
    "water.withdrawn.us": ("USA", "ER.H2O.FWST.ZS"),
    "water.withdrawn.pakistan": ("PAK", "ER.H2O.FWST.ZS"),
    "water.withdrawn.iran": ("IRN", "ER.H2O.FWST.ZS"),
}


def _heat_feed(name: str, title: str, number: int) -> Feed:
    return Feed(
        name=f"noaa-cag-{name.replace('_', '-')}",
        publisher="NOAA",
        title=f"Temperature of a region of the United States: {title}",
        url="https://www.ncei.noaa.gov/access/monitoring/climate-at-a-glance/regional/time-series/"
        f"{number}/tavg/1/0/1895-{{year}}/data.json",
        reader="json",
        options={"day": "@", "form": "month", "value": "value"},
        licence=US_PUBLIC_DOMAIN,
        cite="NOAA National Centers for Environmental Information, Climate at a Glance",
        cadence="month",
        lag=14 * DAY,
        max_age=50 * DAY,
        missing=frozenset({"", "-99", "-99.0", "-9999"}),
        least=1400,
        revises="recent",
    )


def _drought_feed(region: str, area: str, number: str) -> Feed:
    return Feed(
        name=f"drought-{region}",
        publisher="USDM",
        title=f"Drought of a region of the United States: {region}",
        url=f"https://usdmdataservices.unl.edu/api/{area}/"
        "GetDroughtSeverityStatisticsByAreaPercent",
        query={
            "aoi": number,
            "startdate": "{since}",
            "enddate": "{until}",
            "statisticsType": "2",
        },
        reader="json",
        options={"day": "mapDate"},
        licence="US Drought Monitor, public with the courtesy line",
        cite="The U.S. Drought Monitor: National Drought Mitigation Center, USDA and NOAA",
        cadence="week",
        lag=3 * DAY,
        max_age=12 * DAY,
        accept="application/json",
        overlap=timedelta(days=60),
        window=365 * DAY,
        begins=date(2000, 1, 4),
    )


def _indicator_feed(series: str, country: str, code: str) -> Feed:
    return Feed(
        name=f"worldbank-{series.replace('.', '-')}",
        publisher="WORLD BANK",
        title=f"World Development Indicators: {code}, {country}",
        url=f"{BANK_API}{country}/indicator/{code}",
        query={"format": "json", "per_page": "500"},
        reader="json",
        options={"day": "date", "form": "year", "value": "value", "says": "0.message"},
        licence=CC_BY,
        cite="World Bank, World Development Indicators",
        cadence="year",
        lag=400 * DAY,
        max_age=1500 * DAY,
        least=5,
        every=WEEK,
        revises="whole_history",
    )


FEEDS: tuple[Feed, ...] = (
    Feed(
        name="cckp-rain",
        publisher="WORLD BANK",
        title="Rain of countries since 1901 (CRU TS 4.08)",
        url="https://cckpapi.worldbank.org/cckp/v1/cru-x0.5_timeseries_pr_timeseries_annual_"
        f"1901-2023_mean_historical_cru_ts4.08_mean/{','.join(RAIN)}",
        query={"_format": "json"},
        reader="json",
        options={"day": "@", "form": "month"},  # a year is dated July: the middle of it
        licence=CC_BY,
        cite="World Bank, Climate Change Knowledge Portal; Climatic Research Unit, CRU TS 4.08",
        cadence="year",
        lag=365 * DAY,
        # the years that are compared are fixed, and do not grow old
        max_age=timedelta(days=3652),
        least=1000,
        every=30 * DAY,
        revises="whole_history",
    ),
    *(_heat_feed(name, title, number) for name, (title, number) in HEAT.items()),
    *(_drought_feed(region, area, number) for region, (area, number) in DROUGHT_AREAS.items()),
    Feed(
        name="un-red-list",
        publisher="UN",
        title="Red List Index (indicator 15.5.1)",
        url="https://unstats.un.org/SDGAPI/v1/sdg/Series/Data",
        query={"seriesCode": "ER_RSK_LST", "areaCode": "1", "pageSize": "1000"},
        reader="json",
        options={"day": "timePeriodStart", "form": "decimal_year", "value": "value"},
        licence="United Nations, free use with the source named",
        cite="United Nations Statistics Division, SDG 15.5.1 (BirdLife International and IUCN)",
        cadence="year",
        lag=400 * DAY,
        max_age=1000 * DAY,
        least=20,
        every=WEEK,
        revises="whole_history",
    ),
    *(_indicator_feed(series, country, code) for series, (country, code) in INDICATORS.items()),
)
