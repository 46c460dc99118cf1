"""Files on land: each is read as its publisher writes it."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest

from apps.reference.signals.readers import find_reader
from apps.reference.signals.row_parsing import FileRow
from apps.reference.signals.series import FEEDS, SERIES, Feed, Series
from apps.reference.signals.series.feeds.land import DROUGHT_AREAS, INDICATORS
from apps.reference.signals.series.land import BANK, DRY, RAIN
from tests.shared_data import shared


def feed_and_rows(name: str) -> tuple[Feed, list[Series]]:
    return next(feed for feed in FEEDS if feed.name == name), [
        series for series in SERIES if series.feed == name
    ]


def read(name: str, body: bytes) -> Sequence[FileRow]:
    feed, rows = feed_and_rows(name)
    return list(find_reader(feed)(body, feed, rows))


def test_a_region_of_climate_at_a_glance_is_read() -> None:
    body = shared("signals/noaa/cag_us110_tavg_annual.json").read_bytes()
    text_by_day = {file_row.day: file_row.text for file_row in read("noaa-cag-west", body)}
    assert text_by_day[date(1900, 12, 31)] == "52.76"


def test_classes_of_drought_of_a_region_are_read() -> None:
    body = shared("signals/misc/usdm_state_percent_shape.json").read_bytes()
    found = {
        file_row.series: (file_row.day, Decimal(file_row.text))
        for file_row in read("drought-california", body)
    }
    assert found["drought.california.d1"] == (date(2026, 6, 30), 30)
    assert len(found) == 5


def test_rain_of_countries_is_read_from_one_file_and_dated_in_the_middle_of_its_year() -> None:
    data = ", ".join(f'"{one}": {{"1901-07": 700.5, "2023-07": null}}' for one in RAIN)
    file_rows = read("cckp-rain", f'{{"metadata": {{}}, "data": {{{data}}}}}'.encode())
    assert len(file_rows) == 20
    assert file_rows[0] == FileRow("rain.usa", date(1901, 7, 31), "700.5")


def test_the_red_list_index_is_read() -> None:
    body = b'{"totalElements": 1, "data": [{"timePeriodStart": 2024.0, "value": "0.7261"}]}'
    assert read("un-red-list", body) == [FileRow("nature.redlist", date(2024, 1, 1), "0.7261")]


@pytest.mark.parametrize("series", sorted(INDICATORS))
def test_an_indicator_of_the_world_bank_is_read(series: str) -> None:
    body = shared("signals/misc/worldbank_v2_indicator_trimmed.json").read_bytes()
    file_rows = read(f"worldbank-{series.replace('.', '-')}", body)
    assert file_rows[0].series == series and file_rows[0].day == date(2025, 12, 31)


def test_tables_of_files_and_of_series_name_the_same() -> None:
    assert set(DROUGHT_AREAS) == set(DRY)
    assert set(INDICATORS) == set(BANK)
