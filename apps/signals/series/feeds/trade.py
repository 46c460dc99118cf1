"""Files on trade by water: straits and canals, gauges with their low-water marks, freight."""

from collections.abc import Mapping
from datetime import timedelta

from apps.signals.series.shape import DAY, MISSING, Feed

US = "US government work, public domain"
STATIONS = "https://www.pegelonline.wsv.de/webservices/rest-api/v2/stations/"
KOELN = "a6ee8177-107b-47dd-bcfd-30960ccc6e9c"
MARKS = {"includeTimeseries": "true", "includeCharacteristicValues": "true"}
SPAN = {"startyear": "{first}", "endyear": "{year}", "registrationkey": "{key}"}


def _strait(name: str, title: str, port: str) -> Feed:
    """Return what a satellite counted of one strait or canal, by its name at PortWatch."""
    return Feed(
        name=name,
        publisher="PORTWATCH",
        title=title,
        url="https://services9.arcgis.com/weJ1QsnbMYJlCHdG/arcgis/rest/services/"
        "Daily_Chokepoints_Data/FeatureServer/0/query",
        query={
            "where": f"portname='{port}' AND date >= timestamp '{{since}} 00:00:00'",
            "outFields": "date,n_total",
            "orderByFields": "date",
            "f": "json",
        },
        reader="json",
        options={
            "day": "attributes.date",
            "form": "milliseconds",
            "value": "attributes.n_total",
            "whole": "exceededTransferLimit",
        },
        licence="IMF PortWatch, with attribution; commercial terms not published",
        cite="IMF PortWatch, University of Oxford",
        cadence="day",
        lag=11 * DAY,
        max_age=14 * DAY,
        revises="recent",
    )


def _gauge(
    name: str,
    title: str,
    path: str,
    *,
    every: timedelta,
    max_age: timedelta,
    query: Mapping[str, str] | None = None,
) -> Feed:
    """Return a document on a gauge of the German waterways."""
    return Feed(
        name=name,
        publisher="WSV",
        title=title,
        url=STATIONS + path,
        query=query or {},
        reader="json",
        licence="DL-DE-Zero-2.0",
        cite="Wasserstraßen- und Schifffahrtsverwaltung des Bundes, PEGELONLINE",
        cadence="minutes",
        lag=timedelta(0),
        every=every,
        max_age=max_age,
        revises="recent",
    )


def _mark(name: str, title: str, station: str) -> Feed:
    """Return a gauge's characteristic values: they are set anew every few years."""
    path = f"{station}.json"
    return _gauge(name, title, path, query=MARKS, every=7 * DAY, max_age=40 * DAY)


FEEDS: tuple[Feed, ...] = (
    _strait("portwatch-canals", "Ships through the Suez canal", "Suez Canal"),
    _strait("portwatch-panama", "Ships through the Panama canal", "Panama Canal"),
    _strait("portwatch-hormuz", "Ships through the strait of Hormuz", "Strait of Hormuz"),
    _strait("portwatch-malacca", "Ships through the strait of Malacca", "Malacca Strait"),
    _mark("rhine-kaub-mark", "Low-water mark of the Rhine at Kaub", "KAUB"),
    _mark("rhine-koeln-mark", "Low-water mark of the Rhine at Cologne", KOELN),
    _gauge(
        "rhine-koeln",
        "The Rhine at Cologne",
        f"{KOELN}/W/currentmeasurement.json",
        every=timedelta(hours=1),
        max_age=2 * DAY,
    ),
    Feed(
        name="usgs-memphis",
        publisher="USGS",
        title="The Mississippi at Memphis",
        url="https://api.waterdata.usgs.gov/ogcapi/v0/collections/latest-continuous/items",
        query={
            "monitoring_location_id": "USGS-07032000",
            "parameter_code": "00065",
            "f": "json",
        },
        reader="json",
        options={"day": "properties.time", "value": "properties.value"},
        licence=US,
        cite="US Geological Survey, Water Data for the Nation",
        cadence="minutes",
        lag=timedelta(0),
        every=timedelta(hours=1),
        max_age=2 * DAY,
        missing=MISSING | {"-999999"},
        revises="recent",
    ),
    Feed(
        name="bls-freight",
        publisher="BLS",
        title="Producer prices of freight over deep sea",
        url="https://api.bls.gov/publicAPI/v2/timeseries/data/PCU483111483111",
        query=SPAN,
        reader="json",
        options={"day": "year+period", "form": "bls", "value": "value"},
        licence=US,
        cite="US Bureau of Labor Statistics, PPI industry data",
        cadence="month",
        lag=18 * DAY,
        max_age=50 * DAY,
        least=12,
        revises="recent",
        key="BLS_API_KEY",
    ),
)
