"""Weather and events of the world's producing regions that forecasts are about.

Each region has a point for its weather, and a box within which fires, storms and floods are
counted: west, south, east, north, in degrees.
"""

from dataclasses import dataclass

from apps.reference.signals.series.definitions import Series, plausible_range


@dataclass(frozen=True, slots=True)
class GrowingRegion:
    """A region: `point` is (latitude, longitude), None where there is no land."""

    title: str
    point: tuple[str, str] | None
    box: tuple[int, int, int, int]

    @property
    def box_parameter(self) -> str:
        """The box as a parameter of a series."""
        return ",".join(map(str, self.box))


GROWING_REGIONS: dict[str, GrowingRegion] = {
    "us-plains": GrowingRegion(
        "Great Plains, United States", ("38.5", "-98.5"), (-105, 36, -95, 49)
    ),
    "us-corn-belt": GrowingRegion(
        "Corn Belt, United States", ("41.5", "-92.0"), (-97, 37, -81, 47)
    ),
    "us-south": GrowingRegion("Texas and New Mexico", ("32.0", "-101.5"), (-108, 26, -94, 36)),
    "us-southeast": GrowingRegion(
        "Southeast, United States", ("32.5", "-84.5"), (-91, 29, -75, 37)
    ),
    "us-appalachia": GrowingRegion(
        "Appalachia, United States", ("40.5", "-79.5"), (-83, 37, -74, 43)
    ),
    "us-gulf": GrowingRegion("Gulf of Mexico", None, (-98, 25, -85, 31)),
    "ca-prairies": GrowingRegion("Prairies, Canada", ("51.0", "-107.0"), (-115, 49, -96, 55)),
    "ca-british-columbia": GrowingRegion(
        "British Columbia, Canada", ("53.5", "-123.0"), (-130, 49, -115, 60)
    ),
    "br-centre": GrowingRegion("Mato Grosso, Brazil", ("-13.0", "-56.0"), (-61, -18, -50, -8)),
    "br-southeast": GrowingRegion(
        "Minas Gerais and São Paulo", ("-20.5", "-46.5"), (-53, -25, -40, -15)
    ),
    "ar-pampas": GrowingRegion("Pampas, Argentina", ("-33.5", "-62.0"), (-66, -39, -57, -29)),
    "cl-atacama": GrowingRegion("Atacama, Chile", ("-23.5", "-69.0"), (-71, -30, -67, -18)),
    "pe-andes": GrowingRegion("Southern Andes, Peru", ("-15.0", "-72.0"), (-77, -18, -69, -8)),
    "co-andes": GrowingRegion("Andes, Colombia", ("4.5", "-75.5"), (-78, 1, -73, 8)),
    "ec-coast": GrowingRegion("Coast of Ecuador", ("-1.5", "-79.5"), (-81, -4, -78, 1)),
    "ci-forest": GrowingRegion("Forest belt, Côte d'Ivoire", ("6.5", "-6.5"), (-9, 4, -3, 9)),
    "gh-ashanti": GrowingRegion("Ashanti, Ghana", ("6.5", "-1.8"), (-3, 4, 1, 9)),
    "cm-nigeria": GrowingRegion("Cameroon and southern Nigeria", ("5.5", "9.5"), (3, 2, 16, 9)),
    "et-highlands": GrowingRegion("Southern highlands, Ethiopia", ("7.0", "37.0"), (34, 4, 41, 12)),
    "cd-copperbelt": GrowingRegion("Copperbelt, DR Congo", ("-10.8", "26.5"), (24, -14, 29, -8)),
    "eu-west": GrowingRegion("Western Europe", ("49.0", "3.0"), (-5, 43, 15, 54)),
    "eu-north": GrowingRegion("Sweden and Germany", ("58.0", "15.0"), (6, 47, 25, 68)),
    "ua-steppe": GrowingRegion("Ukraine", ("49.0", "32.0"), (22, 45, 40, 52)),
    "ru-south": GrowingRegion("Southern Russia", ("46.5", "41.0"), (37, 43, 50, 54)),
    "ru-siberia": GrowingRegion("Siberia, Russia", ("58.0", "97.0"), (80, 50, 130, 66)),
    "in-ganges": GrowingRegion("Ganges plain, India", ("28.5", "78.5"), (73, 24, 88, 32)),
    "in-west": GrowingRegion("Gujarat and Maharashtra, India", ("20.5", "75.0"), (68, 15, 80, 24)),
    "pk-indus": GrowingRegion("Indus plain, Pakistan", ("30.5", "72.0"), (67, 24, 75, 34)),
    "cn-north": GrowingRegion("North China Plain", ("35.5", "115.5"), (112, 32, 122, 41)),
    "cn-northeast": GrowingRegion("Northeast China", ("45.0", "126.0"), (119, 39, 135, 50)),
    "cn-xinjiang": GrowingRegion("Xinjiang, China", ("41.0", "82.0"), (75, 36, 92, 47)),
    "vn-highlands": GrowingRegion(
        "Central Highlands, Vietnam", ("12.7", "108.1"), (106, 11, 110, 16)
    ),
    "th-centre": GrowingRegion("Central Thailand", ("15.5", "101.0"), (98, 13, 105, 19)),
    "id-sumatra": GrowingRegion(
        "Sumatra and Sulawesi, Indonesia", ("-3.0", "104.0"), (95, -8, 125, 5)
    ),
    "au-southeast": GrowingRegion("Southeast Australia", ("-33.5", "147.0"), (138, -38, 152, -27)),
}
LAND_REGIONS = {name: place for name, place in GROWING_REGIONS.items() if place.point}


def region_series_name(place: str, what: str) -> str:
    """Return the name of a series of a place: of its `heat`, `rain`, `fires` or `storms`."""
    return f"grow.{what}.{place}"


def _weather_series(name: str, place: GrowingRegion) -> tuple[Series, Series]:
    return (
        Series(
            name=region_series_name(name, "heat"),
            title=f"Temperature of a month over that of 1991 to 2020: {place.title}",
            unit="degrees C",
            feed=f"power-{name}",
            params={"parameter": "T2M"},
            plausible=plausible_range("-25", "25"),
        ),
        Series(
            name=region_series_name(name, "rain"),
            title=f"Rain of three months, of that of 1991 to 2020: {place.title}",
            unit="per cent",
            feed=f"power-{name}",
            params={"parameter": "PRECTOTCORR"},
            plausible=plausible_range("0", "10000"),
        ),
    )


SERIES: tuple[Series, ...] = (
    *(series for name, place in LAND_REGIONS.items() for series in _weather_series(name, place)),
    *(
        Series(
            name=region_series_name(name, "fires"),
            title=f"Wildfires under way: {place.title}",
            unit="fires",
            feed="eonet-fires",
            params={"path": "events", "box": place.box_parameter},
            plausible=plausible_range("0", "100000"),
        )
        for name, place in LAND_REGIONS.items()
    ),
    *(
        Series(
            name=region_series_name(name, "storms"),
            title=f"Storms and floods of the last month, alert orange or red: {place.title}",
            unit="events",
            feed="gdacs",
            params={"path": "features", "box": place.box_parameter, "kinds": "TC FL"},
            plausible=plausible_range("0", "5000"),
        )
        for name, place in GROWING_REGIONS.items()
    ),
)
