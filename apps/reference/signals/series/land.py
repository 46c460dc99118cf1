"""Series on land: rain of farming zones, heat and drought of regions, nature, society, water.

Rain is of whole countries, heat of the nine climate regions of the United States, drought of the
regions of its climate centres and, in the west, of climate hubs and of California.
"""

from apps.reference.signals.series.definitions import Series, plausible_range
from apps.reference.signals.series.earth import DROUGHT, DROUGHT_PAST

PERCENT = "per cent"
WORLD_ELECTRICITY = {"us": "United States", "eu": "European Union (27)"}
RAIN = {
    "USA": "the United States", "BRA": "Brazil", "ARG": "Argentina", "UKR": "Ukraine",
    "IND": "India", "CHN": "China", "AUS": "Australia", "CIV": "Côte d'Ivoire",
    "ETH": "Ethiopia", "IDN": "Indonesia",
}  # fmt: skip
# climate region of NOAA -> its number there
HEAT = {
    "northeast": ("Northeast", 101), "upper_midwest": ("Upper Midwest", 102),
    "ohio_valley": ("Ohio Valley", 103), "southeast": ("Southeast", 104),
    "plains": ("Northern Rockies and Plains", 105), "south": ("South", 106),
    "southwest": ("Southwest", 107), "northwest": ("Northwest", 108), "west": ("West", 109),
}  # fmt: skip
DRY = {
    "plains": "High Plains", "midwest": "Midwest", "northeast": "Northeast", "south": "South",
    "southeast": "Southeast", "california": "California", "northwest": "Northwest",
    "southwest": "Southwest",
}  # fmt: skip
# name -> what it is, its unit, the least and the most that is plausible
BANK = {
    "nature.forest": ("Forest, of the land of the world", PERCENT, "0", "60"),
    "nature.protected.land": ("Land of the world that is protected", PERCENT, "0", "100"),
    "nature.protected.sea": ("Seas of the world that are protected", PERCENT, "0", "100"),
    "gender.law": ("Women, Business and the Law, the world", "0 to 100", "0", "100"),
    "gender.work": ("Women's part in work, of men's", PERCENT, "0", "150"),
    "gender.parliament": ("Women in parliaments, the world", PERCENT, "0", "100"),
    "gender.school": ("Girls in secondary schools for each boy", "ratio", "0", "2"),
    "gender.mothers": ("Mothers who die, of 100,000 births", "deaths", "0", "3000"),
    "water.withdrawn.india": (
        "Freshwater withdrawn in India, share of available resources", PERCENT, "0", "500",
    ),
    "water.withdrawn.china": (
        "Freshwater withdrawn in China, share of available resources", PERCENT, "0", "500",
    ),
    "water.withdrawn.us": (
        "Freshwater withdrawn in the United States, share of available resources",
        PERCENT, "0", "500",
    ),
    "water.withdrawn.pakistan": (
        "Freshwater withdrawn in Pakistan, share of available resources", PERCENT, "0", "500",
    ),
    "water.withdrawn.iran": (
        "Freshwater withdrawn in Iran, share of available resources", PERCENT, "0", "500",
    ),
}  # fmt: skip


def _electricity_series(
    name: str, title: str, unit: str, column: str, country: str, most: str
) -> Series:
    return Series(
        name=name,
        title=title,
        unit=unit,
        feed="owid-energy",
        params={"column": column, "where": f"country={country}"},
        plausible=plausible_range("0", most),
    )


SERIES: tuple[Series, ...] = (
    *(
        Series(
            name=f"rain.{code.lower()}",
            title=f"Rain of a year in {title}",
            unit="mm",
            feed="cckp-rain",
            params={"path": f"data.{code}"},
            plausible=plausible_range("1", "12000"),
        )
        for code, title in RAIN.items()
    ),
    *(
        Series(
            name=f"heat.us.{name}",
            title=f"Temperature of a month: {title}",
            unit="degrees F",
            feed=f"noaa-cag-{name.replace('_', '-')}",
            params={"path": "data"},
            plausible=plausible_range("-40", "120"),
        )
        for name, (title, _) in HEAT.items()
    ),
    *(
        Series(
            name=f"drought.{region}.{name}",
            title=f"Land in class {name.upper()} of drought: {title}",
            unit=PERCENT,
            feed=f"drought-{region}",
            params={"path": "", "value": name},
            plausible=plausible_range("0", "100"),
            past=DROUGHT_PAST,
        )
        for region, title in DRY.items()
        for name in DROUGHT
    ),
    *(
        Series(
            name=f"drought.{region}",
            title=f"Severity and coverage of drought: {title}",
            unit="0 to 500",
            kind="derived",
            inputs=tuple(f"drought.{region}.{name}" for name in DROUGHT),
            op="severity",
            plausible=plausible_range("0", "500"),
        )
        for region, title in DRY.items()
    ),
    Series(
        name="nature.redlist",
        title="Red List Index of the world",
        unit="0 to 1",
        feed="un-red-list",
        params={"path": "data"},
        plausible=plausible_range("0", "1"),
    ),
    *(
        Series(
            name=name,
            title=title,
            unit=unit,
            feed=f"worldbank-{name.replace('.', '-')}",
            params={"path": "1"},
            plausible=plausible_range(least, most),
        )
        for name, (title, unit, least, most) in BANK.items()
    ),
    _electricity_series(
        "energy.fossil", "Fossil sources in the world's electricity", PERCENT,
        "fossil_share_elec", "World", "100",
    ),
    *(
        series
        for code, country in WORLD_ELECTRICITY.items()
        for series in (
            _electricity_series(
                f"energy.renewables.{code}", f"Renewable sources in electricity, {country}",
                PERCENT, "renewables_share_elec", country, "100",
            ),
            _electricity_series(
                f"energy.carbon.{code}", f"Carbon in electricity, {country}", "g CO2 for a kWh",
                "carbon_intensity_elec", country, "1500",
            ),
        )
    ),
)  # fmt: skip
