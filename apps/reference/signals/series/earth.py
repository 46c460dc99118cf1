"""Series on the earth: air, heat, ice, sea, drought, rivers, fires."""

from datetime import timedelta

from apps.reference.signals.series.definitions import Series, plausible_range

# forecasts look a quarter back
DROUGHT_PAST = timedelta(days=400)
DROUGHT = ("d0", "d1", "d2", "d3", "d4")


def _air_series(name: str, title: str, unit: str, feed: str, column: str, most: str) -> Series:
    return Series(
        name=name,
        title=title,
        unit=unit,
        feed=feed,
        params={"column": column},
        plausible=plausible_range("200", most),
    )


SERIES: tuple[Series, ...] = (
    _air_series(
        "air.co2", "Carbon dioxide at Mauna Loa, of a month", "ppm", "noaa-co2", "3", "700"
    ),
    _air_series("air.co2.week", "Carbon dioxide, of a week", "ppm", "noaa-co2-week", "4", "700"),
    _air_series("air.ch4", "Methane, of a month", "ppb", "noaa-ch4", "3", "5000"),
    _air_series("air.n2o", "Nitrous oxide, of a month", "ppb", "noaa-n2o", "3", "700"),
    Series(
        name="heat.anomaly",
        title="Temperature of land and ocean over that of 1951 to 1980",
        unit="degrees C",
        feed="nasa-gistemp",
        plausible=plausible_range("-3", "5"),
    ),
    Series(
        name="heat.anomaly.noaa",
        title="Temperature of land and ocean over that of 1901 to 2000",
        unit="degrees C",
        feed="noaa-cag-globe",
        params={"path": "data"},
        plausible=plausible_range("-3", "5"),
    ),
    Series(
        name="ice.north",
        title="Extent of the sea ice of the Arctic",
        unit="million km2",
        feed="nsidc-ice-north",
        params={"column": "Extent"},
        plausible=plausible_range("0.5", "20"),
    ),
    Series(
        name="ice.north.year",
        title="Extent of the sea ice of the Arctic, mean of a year",
        unit="million km2",
        kind="derived",
        inputs=("ice.north",),
        op="trailing_year",
        plausible=plausible_range("1", "20"),
    ),
    Series(
        name="sea.enso",
        title="Oceanic Niño index",
        unit="degrees C",
        feed="noaa-oni",
        params={"column": "3"},
        plausible=plausible_range("-5", "5"),
    ),
    Series(
        name="sea.level",
        title="Mean level of the seas",
        unit="mm",
        feed="nasa-sea-level",
        params={"column": "1"},
        plausible=plausible_range("-100", "500"),
    ),
    Series(
        name="sea.heat",
        title="Heat of the oceans down to 2000 m, over that of 1955",
        unit="10^22 J",
        feed="jma-ocean-heat",
        params={"column": "3"},
        plausible=plausible_range("-50", "500"),
    ),
    *(
        Series(
            name=f"drought.us.{name}",
            title=f"Land of the United States in class {name.upper()} of drought",
            unit="per cent",
            feed="drought-monitor",
            params={"path": "", "value": name},
            plausible=plausible_range("0", "100"),
            past=DROUGHT_PAST,
        )
        for name in DROUGHT
    ),
    Series(
        name="drought.us",
        title="Severity and coverage of drought in the United States",
        unit="0 to 500",
        kind="derived",
        inputs=tuple(f"drought.us.{name}" for name in DROUGHT),
        op="severity",
        plausible=plausible_range("0", "500"),
    ),
    Series(
        name="river.kaub",
        title="Water of the Rhine at Kaub",
        unit="cm",
        feed="rhine-kaub",
        params={"path": "value", "at": "timestamp"},
        plausible=plausible_range("-50", "1000"),
    ),
    Series(
        name="river.st_louis",
        title="Water of the Mississippi at St. Louis",
        unit="feet",
        feed="usgs-mississippi",
        params={"path": "features"},
        plausible=plausible_range("-15", "60"),
    ),
    Series(
        name="disasters",
        title="Storms, floods, droughts and fires of the last month, alert orange or red",
        unit="events",
        feed="gdacs",
        params={"path": "features"},
        plausible=plausible_range("0", "5000"),
    ),
    Series(
        name="fires.open",
        title="Wildfires under way",
        unit="fires",
        feed="eonet-fires",
        params={"path": "events"},
        plausible=plausible_range("0", "100000"),
    ),
)
