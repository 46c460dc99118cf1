"""Files on trade by water: straits and canals, gauges with their low-water marks, freight."""

from collections.abc import Mapping
from datetime import date, timedelta

from apps.reference.signals.series.definitions import DAY, MISSING, US_PUBLIC_DOMAIN, Feed
from apps.reference.signals.series.feeds.money import labour_statistics_feed

STATIONS = "https://www.pegelonline.wsv.de/webservices/rest-api/v2/stations/"
KOELN = "a6ee8177-107b-47dd-bcfd-30960ccc6e9c"
MARKS = {"includeTimeseries": "true", "includeCharacteristicValues": "true"}


def _strait_feed(name: str, title: str, port: str) -> Feed:
    """Return what a satellite counted of one strait or canal, by its name at PortWatch."""
    return Feed(
        name=name,
        publisher="PORTWATCH",
        title=title,
        url="https://services9.arcgis.com/weJ1QsnbMYJlCHdG/arcgis/rest/services/"
        "Daily_Chokepoints_Data/FeatureServer/0/query",
        query={
            "where": f"portname='{port}' AND date >= timestamp '{{since}} 00:00:00' "
            "AND date <= timestamp '{until} 00:00:00'",
            "outFields": "date,n_total",
            "orderByFields": "date",
            "f": "json",
        },
        reader="json",
        options={
            "day": "attributes.date",
            "form": "instant",
            "value": "attributes.n_total",
            "whole": "exceededTransferLimit",
            "error": "error",
            "says": "error.message",
        },
        licence="IMF PortWatch, with attribution; commercial terms not published",
        cite="IMF PortWatch, University of Oxford",
        cadence="day",
        lag=11 * DAY,
        max_age=14 * DAY,
        revises="recent",
        window=900 * DAY,  # a thousand rows are given at once
        begins=date(2019, 1, 1),
    )


def _gauge_feed(
    name: str,
    title: str,
    path: str,
    *,
    pace: timedelta,
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
        every=pace,
        max_age=max_age,
        revises="recent",
    )


def _gauge_mark_feed(name: str, title: str, station: str) -> Feed:
    """Return a gauge's characteristic values: they are set anew every few years."""
    path = f"{station}.json"
    return _gauge_feed(name, title, path, query=MARKS, pace=7 * DAY, max_age=40 * DAY)


FEEDS: tuple[Feed, ...] = (
    _strait_feed("portwatch-canals", "Ships through the Suez canal", "Suez Canal"),
    _strait_feed("portwatch-panama", "Ships through the Panama canal", "Panama Canal"),
    _strait_feed("portwatch-hormuz", "Ships through the strait of Hormuz", "Strait of Hormuz"),
    _strait_feed("portwatch-malacca", "Ships through the strait of Malacca", "Malacca Strait"),
    _gauge_mark_feed("rhine-kaub-mark", "Low-water mark of the Rhine at Kaub", "KAUB"),
    _gauge_mark_feed("rhine-koeln-mark", "Low-water mark of the Rhine at Cologne", KOELN),
    _gauge_feed(
        "rhine-koeln",
        "The Rhine at Cologne",
        f"{KOELN}/W/currentmeasurement.json",
        pace=timedelta(hours=1),
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
        licence=US_PUBLIC_DOMAIN,
        cite="US Geological Survey, Water Data for the Nation",
        cadence="minutes",
        lag=timedelta(0),
        every=timedelta(hours=1),
        max_age=2 * DAY,
        missing=MISSING | {"-999999"},
        revises="recent",
    ),
    labour_statistics_feed(
        "bls-freight",
        "Producer prices of freight over deep sea",
        "PCU483111483111",
        cite="US Bureau of Labor Statistics, PPI industry data",
        lag=18,
        revises="recent",
    ),
)
