"""Files that were right and are bent: a byte another, a part cut out. All of it is told as that."""

import io
import zipfile
from contextlib import suppress
from datetime import timedelta

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from apps.signals.drift import accept
from apps.signals.readers import Malformed, reader_of
from tests.conftest import NOON
from tests.signals.publishing import feed, rows


def book() -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as workbook:
        sheet = workbook.add_worksheet("TPU_MONTHLY")
        sheet.write_row(0, 0, ["DATE", "TPU"])
        for n in range(3):
            sheet.write_row(n + 1, 0, [46000 + 31 * n, 100 + n])
    return made.getvalue()


def release() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "H10_data.xml",
            '<a><Series SERIES_NAME="JRXWTFB_N.B"><Obs OBS_STATUS="A" OBS_VALUE="121.3" '
            'TIME_PERIOD="2026-11-13"/></Series></a>',
        )
    return made.getvalue()


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
    return len(accept(reader_of(one)(body, one, wanted), feed=one, wanted=wanted, today=today))


@pytest.mark.parametrize("name", GOOD)
def test_the_file_is_right_to_begin_with(name: str) -> None:
    assert taken(name, GOOD[name]) >= 1


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
