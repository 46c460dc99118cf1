"""Publishers' files as they were really sent: fetched over HTTP, read, kept."""

import csv
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from apps.reference.signals import services
from apps.reference.signals.models import Fetch, Observation, RawFile
from apps.reference.signals.series import FEEDS
from tests.conftest import NOON
from tests.shared_data import shared
from tests.signals.fake_publisher import Publisher, feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
SERIES = "series/climate/"


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as server:
        yield server


# file of the table, file of the shared data, series, how many values, the last day and its value
REAL = [
    ("fed-h15", "misc/fed_ddp_h15_sample.csv", "us.dgs10", 4, "1962-02-13", "4.03"),
    ("ofr-fsi", "misc/ofr_fsi_sample.csv", "ofr.fsi.emerging", 6, "2026-09-23", "-0.562"),
    ("nyfed-gscpi", "misc/nyfed_gscpi_interactive_sample.csv", "trade.gscpi", 0, "2026-08-31",
     "1.06"),
    ("noaa-co2", SERIES + "co2_mm_mlo.txt", "air.co2", 0, "2026-07-31", "429.12"),
    ("noaa-co2-week", SERIES + "co2_weekly_mlo.txt", "air.co2.week", 0, "2026-08-16", "426.93"),
    ("noaa-ch4", SERIES + "ch4_mm_gl.txt", "air.ch4", 0, "2026-04-30", "1937.59"),
    ("noaa-n2o", SERIES + "n2o_mm_gl.txt", "air.n2o", 0, "2026-04-30", "339.78"),
    ("nasa-gistemp", "nasa/GLB.Ts+dSST.csv", "heat.anomaly", 0, "2025-05-31", "1.07"),
    ("noaa-cag-globe", SERIES + "cag_globe_land_ocean_tavg_1_0.json", "heat.anomaly.noaa", 0,
     "2026-07-31", "1.18"),
    ("noaa-oni", SERIES + "oni.txt", "sea.enso", 918, "2026-06-30", "1.39"),
    ("jma-ocean-heat", SERIES + "ohc_global_1955.txt", "sea.heat", 71, "2025-12-31", "50.97"),
    ("nasa-sea-level", SERIES + "gmsl.txt", "sea.level", 0, "2026-06-27", "98.849"),
    ("rhine-kaub", "pegelonline/emmerich_W_currentmeasurement_negative.json", "river.kaub", 1,
     "2026-09-23", "-7"),
    ("rhine-koeln", "pegelonline/emmerich_W_currentmeasurement_negative.json", "river.koeln", 1,
     "2026-09-23", "-7"),
    ("rhine-koeln-mark", "pegelonline/kaub_like_station_koeln.json", "river.koeln.low", 1,
     NOON.date().isoformat(), "139"),
]  # fmt: skip
# these say how a file is shaped; their numbers are made up
SHAPES = [
    ("treasury-debt", "misc/treasury_fiscaldata_debt.json", "us.debt", 2),
    ("eia-wti", "misc/eia_v2_weekly.json", "oil.wti", 2),
    ("portwatch-canals", "misc/portwatch_arcgis_sample.json", "trade.suez", 2),
    ("portwatch-malacca", "misc/portwatch_arcgis_sample.json", "trade.malacca", 2),
    ("drought-monitor", "misc/usdm_state_percent_shape.json", "drought.us.d4", 1),
]


def kept(series: str) -> Any:
    return Observation.objects.filter(series=series).order_by("observed_on")


@pytest.mark.parametrize(("name", "file", "series", "count", "day", "value"), REAL)
def test_a_real_file_is_read(
    monkeypatch: Any, publisher: Publisher, settings: Any,
    name: str, file: str, series: str, count: int, day: str, value: str,
) -> None:  # fmt: skip
    publisher.body = shared(f"signals/{file}").read_bytes()
    # whole files keep their own floor: it must let the publisher's real length through
    least = 1 if file.startswith(("misc", "pegel")) else feed(name).least
    serve(monkeypatch, publisher, feed(name, least=least), rows(name, series))
    assert services.refresh_feeds(now=NOON) == Observation.objects.count()
    last = kept(series).last()
    assert (last.observed_on.isoformat(), last.value) == (day, Decimal(value))
    assert not count or kept(series).count() == count
    assert last.digest == hashlib.sha256(publisher.body).hexdigest()
    raw = RawFile.objects.get(pk=last.digest)
    assert zlib.decompress(raw.content) == publisher.body


@pytest.mark.parametrize(("name", "file", "series", "count"), SHAPES)
def test_a_file_of_that_shape_is_read(
    monkeypatch: Any, publisher: Publisher, settings: Any,
    name: str, file: str, series: str, count: int,
) -> None:  # fmt: skip
    settings.EIA_API_KEY = "ours"
    publisher.body = shared(f"signals/{file}").read_bytes()
    serve(monkeypatch, publisher, feed(name), rows(name))
    services.refresh_feeds(now=NOON)
    assert kept(series).count() == count


def test_the_whole_file_of_the_ice_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = shared("signals/" + SERIES + "N_seaice_extent_daily_v4.0.csv").read_bytes()
    serve(monkeypatch, publisher, feed("nsidc-ice-north", least=13000), rows("nsidc-ice-north"))
    assert services.refresh_feeds(now=NOON) == 15813
    assert kept("ice.north").last().value == Decimal("5.265")


def test_the_whole_file_of_uncertain_policy_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    name = "signals/series/markets/All_Daily_Policy_Data_EPU_US.csv"
    publisher.body = shared(name).read_bytes()
    serve(monkeypatch, publisher, feed("epu-daily", least=12000), rows("epu-daily"))
    assert services.refresh_feeds(now=NOON) == 14844
    assert kept("us.epu").last().observed_on == date(2025, 8, 22)


def test_a_stablecoin_is_read_of_the_day_of_the_fetch(
    monkeypatch: Any, publisher: Publisher
) -> None:
    name = "defillama-stablecoins"
    publisher.body = shared("signals/defillama/stablecoins_trimmed.json").read_bytes()
    serve(monkeypatch, publisher, feed(name), rows(name, "stable.usdt.cap", "stable.usdt.price"))
    services.refresh_feeds(now=NOON)
    assert kept("stable.usdt.cap").get().value == Decimal("183.72768102")  # billions
    price = kept("stable.usdt.price").get()
    assert (price.observed_on, price.value) == (NOON.date(), Decimal("0.99977979"))


def test_a_number_that_is_sent_as_a_text_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    name = "defillama-stablecoins"
    publisher.body = shared("signals/defillama/stablecoins_trimmed.json").read_bytes()
    path = "peggedAssets.symbol=USDT.circulatingPrevDay.peggedUSD"
    serve(monkeypatch, publisher, feed(name), rows(name, "stable.usdt.cap", path=path))
    services.refresh_feeds(now=NOON)
    assert kept("stable.usdt.cap").get().value == Decimal("183.00000000")


def test_a_month_that_labour_statistics_never_published_is_left_out(
    monkeypatch: Any, publisher: Publisher
) -> None:
    publisher.body = shared("signals/misc/bls_api_v2.json").read_bytes()
    path = "Results.series.seriesID=APU0000708111.data"
    all_series = rows("bls-lumber", path=path)
    serve(monkeypatch, publisher, feed("bls-lumber"), [_wide(one) for one in all_series])
    services.refresh_feeds(now=NOON)
    days = list(kept("us.lumber").values_list("observed_on", flat=True))
    assert days == [date(2026, 4, 30), date(2026, 5, 31)]
    [(asked, _)] = publisher.asked
    assert "registrationkey" not in asked and "startyear=2023&endyear=2026" in asked


def _wide(row: Any) -> Any:
    from dataclasses import replace

    return replace(row, plausible=(Decimal(0), Decimal(10)))


def test_a_river_of_the_geological_survey_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    import json

    whole = json.loads(shared("signals/usgs/waterdata_ogc_fixtures.json").read_text())
    found = whole["latest-continuous"]
    found["features"] = [
        feature
        for feature in found["features"]
        if feature["properties"]["parameter_code"] == "00065"
    ]
    publisher.body = json.dumps(found).encode()
    serve(monkeypatch, publisher, feed("usgs-mississippi"), rows("usgs-mississippi"))
    services.refresh_feeds(now=NOON)
    assert kept("river.st_louis").get().value == Decimal("1.59")
    assert "monitoring_location_id=USGS-07010000" in publisher.asked[0][0]


def test_the_workbook_of_commodities_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = workbook()
    serve(monkeypatch, publisher, feed("pink-sheet", least=500), rows("pink-sheet"))
    services.refresh_feeds(now=NOON)
    assert kept("gold").last().value == Decimal("4587.21")
    assert kept("gold").first().observed_on == date(1960, 1, 31)
    # what was not published is a gap and no zero
    assert kept("timber").filter(observed_on__year=1960).exists()
    assert kept("corn").last().value == Decimal("216.17")
    assert kept("copper").filter(value=0).count() == 0


def workbook() -> bytes:
    """The published table as a workbook: names in row 5 with blanks behind, units in row 6."""
    text = shared("signals/series/markets/worldbank_pinksheet_monthly_subset.csv").read_text()
    table = list(csv.reader(text.splitlines()[1:]))
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as book:
        book.add_worksheet("AFOSHEET").write(0, 0, "something else")
        sheet = book.add_worksheet("Monthly Prices")
        sheet.write(0, 0, "World Bank Commodity Price Data (The Pink Sheet)")
        for place, name in enumerate(table[0][1:], start=1):
            sheet.write(4, place, name.rpartition(" (")[0] + " ")
            sheet.write(5, place, "(" + name.rpartition(" (")[2])
        for number, line in enumerate(table[1:], start=6):
            sheet.write(number, 0, line[0])
            for place, cell in enumerate(line[1:], start=1):
                sheet.write(number, place, cell if "…" in cell or "." * 3 in cell else float(cell))
    return stream.getvalue()


RELEASE = """<message:MessageGroup xmlns:message="m" xmlns:frb="f" xmlns:kf="k">
<frb:DataSet id="H10"><kf:Series CURRENCY="NA" FREQ="9" SERIES_NAME="JRXWTFB_N.B" UNIT="Index">
<frb:Annotations/><frb:Obs OBS_STATUS="A" OBS_VALUE="121.3351" TIME_PERIOD="2026-11-13"/>
<frb:Obs OBS_STATUS="NA" OBS_VALUE="-9999" TIME_PERIOD="2026-11-16"/></kf:Series>
<kf:Series SERIES_NAME="OTHER"><frb:Obs OBS_STATUS="A" OBS_VALUE="9" TIME_PERIOD="2026-11-13"/>
</kf:Series></frb:DataSet></message:MessageGroup>"""


def release(text: str = RELEASE, name: str = "H10_data.xml") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("H10_struct.xml", "<x/>")
        book.writestr(name, text)
    return stream.getvalue()


def test_a_release_of_the_board_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = release()
    serve(monkeypatch, publisher, feed("fed-h10"), rows("fed-h10"))
    services.refresh_feeds(now=NOON)
    one = kept("us.dollar.broad").get()
    assert (one.observed_on, one.value) == (date(2026, 11, 13), Decimal("121.3351"))
    assert publisher.asked[0][0] == "/file?rel=H10&filetype=zip"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"PK",
        release("<x"),
        release(name="other.xml"),
        release("<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"),
    ],
)
def test_what_is_no_release_is_rejected(
    monkeypatch: Any, publisher: Publisher, body: bytes
) -> None:
    publisher.body = body
    serve(monkeypatch, publisher, feed("fed-h10"), rows("fed-h10"))
    with pytest.raises(ValueError):
        services.refresh_feeds(now=NOON)
    assert Fetch.objects.get().outcome == "REJECTED" and not Observation.objects.exists()


CHARTS = """[
{"chart": {"subcaption": "2026-9"}, "categories": [{"category": [{"label": "09/29"},
 {"vline": "true", "label": "CPI"}, {"label": "10/01"}, {"label": "10/02"}]}],
 "dataset": [{"seriesname": "CPI Inflation", "data": [{"value": "3.1"}, {"value": "3.2"}, {}]}]},
{"chart": {"subcaption": "2025-12"}, "categories": [{"category": [{"label": "12/30"},
 {"label": "01/02"}]}],
 "dataset": [{"seriesname": "CPI Inflation", "data": [{"value": "2.9"}, {"value": "2.8"}]}]}]"""


def test_a_nowcast_is_read_of_the_day_that_it_was_made(
    monkeypatch: Any, publisher: Publisher
) -> None:
    publisher.body = CHARTS.encode()
    serve(monkeypatch, publisher, feed("cleveland-nowcast"), rows("cleveland-nowcast"))
    services.refresh_feeds(now=NOON)
    found = list(kept("us.cpi.independent").values_list("observed_on", "value"))
    assert found == [(date(2026, 1, 2), Decimal("2.8")), (date(2026, 10, 1), Decimal("3.2"))]


def test_forecasts_of_years_to_come_are_not_kept(monkeypatch: Any, publisher: Publisher) -> None:
    years = ", ".join(f'"{year}": {100 + year - 2000}.5' for year in range(2020, 2032))
    countries = ", ".join(f'"{one}": {{{years}}}' for one in ("USA", "GBR", "JPN", "EU"))
    publisher.body = f'{{"values": {{"GGXWDG_NGDP": {{{countries}}}}}}}'.encode()
    serve(monkeypatch, publisher, feed("imf-debt"), rows("imf-debt"))
    services.refresh_feeds(now=NOON)
    last = kept("debt.us").last()
    assert (last.observed_on, last.value) == (date(2025, 12, 31), Decimal("125.5"))


UNION = """DATAFLOW,LAST UPDATE,freq,unit,sector,na_item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
ESTAT:GOV_10DD_EDPT1(1.0),21/10/26 11:00:00,A,PC_GDP,S13,GD,EU27_2020,2023,80.8,
ESTAT:GOV_10DD_EDPT1(1.0),21/10/26 11:00:00,A,PC_GDP,S13,GD,EU27_2020,2024,81.0,p
ESTAT:GOV_10DD_EDPT1(1.0),21/10/26 11:00:00,A,PC_GDP,S13,GD,EU27_2020,2025,,:
"""


def test_a_table_of_the_union_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = UNION.encode()
    serve(monkeypatch, publisher, feed("eurostat-debt"), rows("eurostat-debt"))
    services.refresh_feeds(now=NOON)
    found = list(kept("debt.eu27").values_list("observed_on", "value"))
    assert found == [(date(2023, 12, 31), Decimal("80.8")), (date(2024, 12, 31), Decimal("81"))]


def test_disasters_of_a_month_are_counted(monkeypatch: Any, publisher: Publisher) -> None:
    told = '"properties": {"eventtype": "TC", "alertlevel": "Red"}'
    one = f'{{"type": "Feature", {told}, "geometry": {{"coordinates": [-92.5, 29.5]}}}}'
    publisher.body = f'{{"type": "FeatureCollection", "features": [{one}, {one}]}}'.encode()
    serve(monkeypatch, publisher, feed("gdacs"), rows("gdacs"))
    services.refresh_feeds(now=NOON)
    assert (kept("disasters").get().value, kept("disasters").get().observed_on) == (2, NOON.date())
    assert "alertlevel=Orange%3BRed" in publisher.asked[0][0]


def test_fires_under_way_are_counted(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = shared("signals/misc/eonet_v3_events_trimmed.json").read_bytes()
    serve(monkeypatch, publisher, feed("eonet-fires"), rows("eonet-fires"))
    services.refresh_feeds(now=NOON)
    assert kept("fires.open").get().value == 1


def test_an_indicator_of_the_world_bank_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = shared("signals/misc/worldbank_v2_indicator_trimmed.json").read_bytes()
    serve(monkeypatch, publisher, feed("worldbank-water"), rows("worldbank-water"))
    services.refresh_feeds(now=NOON)
    # 1960 is null: a gap
    one = kept("water.withdrawn").get()
    assert (one.observed_on, one.value) == (date(2025, 12, 31), Decimal("0.23957834"))


def test_a_price_of_a_token_is_read(monkeypatch: Any, publisher: Publisher) -> None:
    publisher.body = shared("signals/defillama/coins_prices_current.json").read_bytes()
    coin = "coins.coingecko:ethereum."
    all_series = rows("defillama-gold", path=coin + "price", at=coin + "timestamp")
    serve(monkeypatch, publisher, feed("defillama-gold"), all_series)
    services.refresh_feeds(now=NOON)
    assert kept("gold.paxg").get().value == 2492


def test_rates_of_exchange_are_read(monkeypatch: Any, publisher: Publisher, settings: Any) -> None:
    settings.ECB_RATES_URL = publisher.url
    publisher.body = shared("signals/fx/ecb_exr_csvdata_2026.csv").read_bytes()
    serve(monkeypatch, publisher, feed("ecb-rates"), rows("ecb-rates"))
    assert services.refresh_feeds(now=NOON) == Observation.objects.count() > 100
    assert kept("fx.eur.CHF").first().value == Decimal("0.9116")


@pytest.mark.parametrize(
    ("file", "series", "column", "last"),
    [
        ("share-electricity-renewables.csv", "energy.renewables", "Renewables", "33.760456"),
        ("carbon-intensity-electricity.csv", "energy.carbon",
         "Carbon intensity of electricity per kWh", "458.29"),
    ],
)  # fmt: skip
def test_electricity_of_the_world_is_read(
    monkeypatch: Any, publisher: Publisher,
    file: str, series: str, column: str, last: str,
) -> None:  # fmt: skip
    """The same figures as OWID's large table has them, in the files of its charts."""
    from dataclasses import replace

    publisher.body = shared(f"signals/series/energy/{file}").read_bytes()
    one = feed("owid-energy", options={"day": "Year", "form": "year"})
    wanted = [
        replace(row, params={"column": column, "where": "Entity=World"})
        for row in rows("owid-energy", series)
    ]
    serve(monkeypatch, publisher, one, wanted)
    services.refresh_feeds(now=NOON)
    one = kept(series).last()
    assert (one.observed_on, one.value) == (date(2025, 12, 31), Decimal(last))


def test_every_file_is_told_in_the_document_of_sources() -> None:
    text = (Path(__file__).parents[2] / "docs" / "data-sources.md").read_text()
    assert [one.name for one in FEEDS if f"`{one.name}`" not in text] == []
