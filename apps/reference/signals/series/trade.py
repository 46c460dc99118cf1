"""Series on trade by water: straits and canals, gauges with their low-water marks, freight."""

from datetime import date

from apps.reference.signals.series.definitions import Series, plausible_range

STRAITS = {
    "suez": ("Ships through the Suez canal on a day", "portwatch-canals"),
    "panama": ("Ships through the Panama canal on a day", "portwatch-panama"),
    "hormuz": ("Ships through the strait of Hormuz on a day", "portwatch-hormuz"),
    "malacca": ("Ships through the strait of Malacca on a day", "portwatch-malacca"),
}
# stations of the Rhine other than Kaub, which is in `earth`
RHINE = {"kaub": "Kaub", "koeln": "Cologne"}
MARK = "timeseries.shortname=W.characteristicValues.shortname=GlW.value"


def _strait_series(name: str, title: str, feed: str) -> Series:
    return Series(
        name=f"trade.{name}",
        title=title,
        unit="ships",
        feed=feed,
        params={"path": "features"},
        plausible=plausible_range("0", "1000"),
        past=date(2019, 1, 1),
    )


def _gauge_mark_series(name: str, title: str) -> Series:
    return Series(
        name=f"river.{name}.low",
        title=f"Low-water mark (GlW) of the Rhine at {title}",
        unit="cm",
        feed=f"rhine-{name}-mark",
        params={"path": MARK},
        plausible=plausible_range("0", "500"),
    )


SERIES: tuple[Series, ...] = (
    *(_strait_series(name, *strait) for name, strait in STRAITS.items()),
    *(_gauge_mark_series(name, title) for name, title in RHINE.items()),
    Series(
        name="river.koeln",
        title="Water of the Rhine at Cologne",
        unit="cm",
        feed="rhine-koeln",
        params={"path": "value", "at": "timestamp"},
        plausible=plausible_range("-50", "1300"),
    ),
    Series(
        name="river.memphis",
        title="Water of the Mississippi at Memphis",
        unit="feet",
        feed="usgs-memphis",
        params={"path": "features"},
        plausible=plausible_range("-20", "60"),
    ),
    Series(
        name="trade.freight",
        title="Producer prices of freight over deep sea (June 1988 = 100)",
        unit="index",
        feed="bls-freight",
        params={"path": "Results.series.seriesID=PCU483111483111.data"},
        plausible=plausible_range("20", "5000"),
        past=date(1995, 1, 1),
    ),
    Series(
        name="trade.freight.yoy",
        title="Producer prices of freight over deep sea, year on year",
        unit="per cent",
        kind="derived",
        inputs=("trade.freight",),
        op="yearly_change",
        plausible=plausible_range("-90", "900"),
    ),
)
