"""Files that were right and are bent: a byte another, a part cut out. All of it is told as that."""

import io
import tracemalloc
import zipfile
from contextlib import suppress
from datetime import timedelta

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals.format_drift import accept_rows
from apps.reference.signals.readers import Malformed, find_reader
from tests.conftest import NOON
from tests.signals.fake_publisher import feed, rows


def book() -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as workbook:
        sheet = workbook.add_worksheet("TPU_MONTHLY")
        sheet.write_row(0, 0, ["DATE", "TPU"])
        for n in range(3):
            sheet.write_row(n + 1, 0, [46000 + 31 * n, 100 + n])
    return stream.getvalue()


def release() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "H10_data.xml",
            '<a><Series SERIES_NAME="JRXWTFB_N.B"><Obs OBS_STATUS="A" OBS_VALUE="121.3" '
            'TIME_PERIOD="2026-11-13"/></Series></a>',
        )
    return stream.getvalue()


GOOD = {
    "iacoviello-tpu": book(),
    "fed-h10": release(),
    "ofr-fsi": b"Date,OFR FSI\n2026-11-17,1.0\n2026-11-18,1.1\n",
    "noaa-oni": b" SEAS  YR   TOTAL   ANOM\n  DJF 1950  25.01  -1.32\n  JFM 1950  25.36  -1.20\n",
    "nyfed-gscpi": b"Date,Jul-26,Aug-26\n30-Jun-2026,0.1,0.2\n31-Jul-2026,#N/A,0.3\n,,\n",
    "nasa-gistemp": b"Title\nYear,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec\n"
    b"2025,.1,.2,.3,.4,.5,.6,.7,.8,.9,1,1.1,1.2\n",
    "treasury-debt": b'{"data": [{"record_date": "2026-07-02", "tot_pub_debt_out_amt": "387e11"}]}',
    "cleveland-nowcast": b'[{"chart": {"subcaption": "2026-9"}, "categories": [{"category": '
    b'[{"label": "09/29"}]}], "dataset": [{"seriesname": "CPI Inflation", "data": '
    b'[{"value": "3.1"}]}]}]',
}  # fmt: skip


def taken(name: str, body: bytes) -> int:
    one, wanted = feed(name), rows(name)[:1]
    today = (NOON + timedelta(days=400)).date()
    return len(
        accept_rows(find_reader(one)(body, one, wanted), feed=one, wanted=wanted, today=today)
    )


@pytest.mark.parametrize("name", GOOD)
def test_the_file_is_right_to_begin_with(name: str) -> None:
    assert taken(name, GOOD[name]) >= 1


@pytest.mark.parametrize("label", [b'"09/29"', b"null", b"[]", b"{}", b'{"vline": "true"}'])
def test_a_chart_whose_labels_are_none_is_refused(label: bytes) -> None:
    body = GOOD["cleveland-nowcast"].replace(b'{"label": "09/29"}', label)
    with pytest.raises(Malformed):
        taken("cleveland-nowcast", body)


@pytest.mark.parametrize("name", GOOD)
@given(st.data())
def test_a_bent_file_is_read_or_refused_and_nothing_else(name: str, data: st.DataObject) -> None:
    body = bytearray(GOOD[name])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        if data.draw(st.booleans()):
            body[place] = data.draw(st.integers(0, 255))
        else:
            del body[place : place + data.draw(st.integers(1, 20))]
            body = body or bytearray(b" ")
    with suppress(Malformed):
        assert taken(name, bytes(body)) >= 1


def packed(name: str, body: bytes, **others: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, text in {name: body, **others}.items():
            archive.writestr(one, text)
    return stream.getvalue()


def released(middle: bytes) -> bytes:
    return packed("H10_data.xml", b"<a>" + middle + b"</a>")


def peak(name: str, body: bytes) -> int:
    """Return how many bytes were held at most while a file was refused, or read for nothing."""
    tracemalloc.start()
    with suppress(Malformed):
        taken(name, body)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


MANY = 400_000
PLENTY = {
    "parts beside each other": released(b"<b/>" * MANY),
    "series beside each other": released(b'<Series SERIES_NAME="x"/>' * MANY),
    "a series without end": released(
        b'<Series SERIES_NAME="JRXWTFB_N.B">' + b"<Obs/>" * MANY + b"</Series>"
    ),
    "parts within parts": released(b"<b>" * MANY + b"</b>" * MANY),
}


@pytest.mark.slow
@pytest.mark.parametrize("body", PLENTY.values(), ids=PLENTY)
def test_a_release_of_many_parts_takes_little_memory(body: bytes) -> None:
    assert len(body) < 100_000
    assert peak("fed-h10", body) < 80 * 1024 * 1024


@pytest.mark.slow
@pytest.mark.parametrize("numbered", [True, False])
def test_a_sheet_of_many_empty_cells_takes_little_memory(numbered: bool) -> None:
    # the last column that is read, in each row: two thousand cells for a few bytes
    count = 15_000 if numbered else 60_000
    row = '<row%s><c r="BXA1"><v>1</v></c></row>'
    rows_ = "".join(row % (f' r="{n}"' if numbered else "") for n in range(1, count))
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    with zipfile.ZipFile(io.BytesIO(book())) as whole:
        parts = {one: whole.read(one) for one in whole.namelist()}
    sheet = next(part for part in parts if "sheet1.xml" in part and "rels" not in part)
    parts[sheet] = f"<worksheet {space}><sheetData>{rows_}</sheetData></worksheet>".encode()
    body = packed("unused", b"", **parts)
    assert len(body) < 300_000
    assert peak("iacoviello-tpu", body) < 150 * 1024 * 1024
