"""Weather and events of growing regions: read as their publishers write them, or refused whole."""

import json
from calendar import monthrange
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.signals import services
from apps.reference.signals.readers import Malformed, find_reader
from apps.reference.signals.row_parsing import FileRow
from apps.reference.signals.series import FEEDS, SERIES
from apps.reference.signals.series.growing_regions import GROWING_REGIONS, LAND_REGIONS
from tests.conftest import NOON
from tests.signals.fake_publisher import feed, publishing, rows, serve

HEAT, RAIN = "grow.heat.br-centre", "grow.rain.br-centre"


def days(until: int = 2022) -> dict[str, dict[str, float]]:
    """Return days since 1991: 20 degrees and 3 mm, in 2022 two degrees more and half the rain."""
    made: dict[str, dict[str, float]] = {"T2M": {}, "PRECTOTCORR": {}}
    for year in range(1991, until + 1):
        for month in range(1, 13):
            for day in range(1, monthrange(year, month)[1] + 1):
                key = f"{year}{month:02}{day:02}"
                made["T2M"][key] = 22.0 if year == 2022 else 20.0
                made["PRECTOTCORR"][key] = 1.5 if year == 2022 else 3.0
    return made


def answer(made: Any) -> bytes:
    return json.dumps({"type": "Feature", "properties": {"parameter": made}}).encode()


def read(body: bytes) -> list[FileRow]:
    found = next(one for one in FEEDS if one.name == "power-br-centre")
    wanted = [series for series in SERIES if series.feed == found.name]
    return list(find_reader(found)(body, found, wanted))


def told(made: Any) -> dict[tuple[str, date], Decimal]:
    return {
        (file_row.series, file_row.day or date.min): Decimal(file_row.text)
        for file_row in read(answer(made))
    }


def test_months_are_told_against_those_of_thirty_years() -> None:
    found = told(days())
    assert found[HEAT, date(2021, 12, 31)] == 0
    assert found[HEAT, date(2022, 1, 31)] == 2
    assert found[RAIN, date(2021, 12, 31)] == 100
    # January of 1.5 mm a day, November and December of 3
    assert found[RAIN, date(2022, 1, 31)] == Decimal("83.152")
    # of 90 days, where a leap year in four has 91
    assert found[RAIN, date(2022, 3, 31)] == Decimal("49.852")
    assert (RAIN, date(1991, 2, 28)) not in found and (RAIN, date(1991, 3, 31)) in found


def test_a_month_with_a_day_that_lacks_is_not_told() -> None:
    made = days()
    made["T2M"]["20220115"] = -999.0
    made["PRECTOTCORR"]["20221130"] = -999.0
    found = told(made)
    assert (HEAT, date(2022, 1, 31)) not in found and (HEAT, date(2022, 2, 28)) in found
    assert (RAIN, date(2022, 2, 28)) in found
    assert (RAIN, date(2022, 12, 31)) not in found  # it needs November


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        b'{"properties": {}}',
        b'{"properties": {"parameter": []}}',
        answer({"T2M": {}}),
        answer({"T2M": {"2022": 1.0}, "PRECTOTCORR": {}}),
        answer({"T2M": {"20220101": "x"}, "PRECTOTCORR": {}}),
        answer(days(2010)),
    ],
)
def test_a_file_of_another_shape_is_refused_whole(body: bytes) -> None:
    with pytest.raises(Malformed):
        read(body)


def test_twenty_years_are_enough_for_a_normal() -> None:
    assert told(days(2011))[HEAT, date(2011, 12, 31)] == 0  # rain of January needs 1990


@pytest.mark.django_db
def test_a_point_is_asked_since_1991_until_today(monkeypatch: Any) -> None:
    with publishing() as server:
        server.body = answer(days())
        serve(monkeypatch, server, feed("power-br-centre"), rows("power-br-centre"))
        assert services.refresh_feeds(now=NOON) > 700
        assert "start=19910101&end=20261120" in server.asked[0][0]


def disaster(kind: str, longitude: float, latitude: float) -> dict[str, Any]:
    return {
        "properties": {"eventtype": kind},
        "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
    }


def counted(name: str, document: Any) -> dict[str, int]:
    found = next(one for one in FEEDS if one.name == name)
    wanted = [series for series in SERIES if series.feed == name]
    made = find_reader(found)(json.dumps(document).encode(), found, wanted)
    return {one.series: int(one.text) for one in made}


def test_storms_and_floods_are_counted_where_they_are() -> None:
    found = counted(
        "gdacs",
        {
            "features": [
                disaster("TC", -90, 28),  # in the Gulf
                disaster("FL", -98, 25),  # on its corner
                disaster("DR", -90, 28),
                disaster("TC", -84.9, 28),  # east of it
            ]
        },
    )
    assert found["grow.storms.us-gulf"] == 2 and found["disasters"] == 4
    assert found["grow.storms.vn-highlands"] == 0


def test_fires_are_counted_by_their_last_place() -> None:
    moved = {"geometry": [{"coordinates": [0, 0]}, {"coordinates": [-56, -13]}]}
    shape = {"geometry": [{"type": "Polygon", "coordinates": [[[-55, -12], [-54, -12]]]}]}
    found = counted("eonet-fires", {"events": [moved, shape]})
    assert (found["grow.fires.br-centre"], found["fires.open"]) == (2, 2)


@pytest.mark.parametrize(
    "event",
    [{}, {"geometry": []}, {"geometry": [{"coordinates": [1]}]},
     {"geometry": [{"coordinates": ["x", 2]}]}, "x"],
)  # fmt: skip
def test_an_event_without_a_place_is_no_event(event: Any) -> None:
    with pytest.raises(Malformed):
        counted("eonet-fires", {"events": [event]})


def test_every_region_has_its_series() -> None:
    names = {series.name for series in SERIES if series.name.startswith("grow.")}
    assert len(names) == 3 * len(LAND_REGIONS) + len(GROWING_REGIONS) == 137
    for place in GROWING_REGIONS.values():
        west, south, east, north = place.box
        assert west < east and south < north
        if place.point:
            latitude, longitude = map(float, place.point)
            assert west <= longitude <= east and south <= latitude <= north
