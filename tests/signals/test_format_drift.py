"""The drift contract: a file that is not what it used to be is rejected whole."""

import string
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals import services
from apps.reference.signals.format_drift import accept_rows
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.readers import READERS, Malformed, find_reader
from apps.reference.signals.row_parsing import FileRow
from apps.reference.signals.series import FEEDS, SERIES
from tests.conftest import NOON
from tests.signals.fake_publisher import Publisher, feed, publishing, rows, serve

TODAY = NOON.date()
DAY = timedelta(days=1)
HEAD = b"Date,OFR FSI,Credit,Equity valuation,Safe assets,Funding,Volatility"
NAMES = ("ofr.fsi", "ofr.fsi.credit")
GOOD = HEAD + b"\n2026-11-17,1.0,0.2,0,0,0,0.8\n2026-11-18,1.1,0.3,0,0,0,0.8\n"


@pytest.fixture
def publisher(monkeypatch: Any, db: Any) -> Iterator[Publisher]:
    with publishing() as server:
        serve(monkeypatch, server, feed("ofr-fsi", least=2), rows("ofr-fsi", *NAMES))
        yield server


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "empty"),
        (b"<html>Sorry</html>", "column 'Date' is missing"),
        (b"\xff\xfe", "not UTF-8"),
        (GOOD.replace(b"Credit", b"Credits"), "column 'Credit' is missing"),
        (GOOD.replace(b"Funding", b"Credit"), "appears twice"),
        (GOOD + b"2026-11-19,1.1\n", "2 cells under 7 names"),
        (GOOD + b"2026-11-19,61,0.3,0,0,0,0.8\n", "not plausible"),
        (GOOD + b"2026-11-19,-30.1,0.3,0,0,0,0.8\n", "not plausible"),
        (GOOD + b"2026-11-19,x,0.3,0,0,0,0.8\n", "is not a number"),
        (GOOD + b"2026-11-19,1_0,0.3,0,0,0,0.8\n", "is not a number"),
        (GOOD + b"2026-11-19,1e999,0.3,0,0,0,0.8\n", "is not a number"),
        (GOOD + b"2026-11-19,Infinity,0.3,0,0,0,0.8\n", "is not a number"),
        (GOOD + b"2026-11-16,1,0.3,0,0,0,0.8\n", "out of order"),
        (GOOD + b"2026-11-18,1,0.3,0,0,0,0.8\n", "two values"),
        (GOOD + b"2026-11-21,1,0.3,0,0,0,0.8\n", "in the future"),
        (GOOD + b"18/11/2026,1,0.3,0,0,0,0.8\n", "is not a day"),
        (GOOD[: GOOD.rindex(b"2026")], "1 values of ofr.fsi, where a whole file has 2"),
    ],
)
def test_a_file_that_broke_changes_nothing_and_says_why(
    publisher: Publisher, body: bytes, told: str
) -> None:
    publisher.body = GOOD
    assert services.refresh_feeds(now=NOON) == 4
    publisher.body = body
    with pytest.raises(Malformed, match=told):
        services.refresh_feeds(now=NOON + DAY / 24)
    last = Fetch.objects.first()
    assert last is not None and last.outcome == "REJECTED" and told in last.reason
    assert Observation.objects.count() == 4


@pytest.mark.parametrize(
    "more", [b"2026-11-20,60,0.3,0,0,0,0.8\n", b"2026-11-20,-30,0.3,0,0,0,0.8\n", b",,,,,,\n"]
)
def test_what_is_just_plausible_and_of_today_is_kept(publisher: Publisher, more: bytes) -> None:
    publisher.body = GOOD + more
    assert services.refresh_feeds(now=NOON) >= 4


@pytest.mark.parametrize("mark", ["", ".", "NA", "ND"])
def test_a_mark_for_a_missing_value_is_a_gap_and_no_zero(publisher: Publisher, mark: str) -> None:
    publisher.body = GOOD + f"2026-11-19,{mark},0.3,0,0,0,0.8\n".encode()
    assert services.refresh_feeds(now=NOON) == 5
    assert not Observation.objects.filter(value=0).exists()


def test_a_publisher_may_put_the_newest_first(publisher: Publisher) -> None:
    lines = GOOD.splitlines()
    publisher.body = b"\n".join([lines[0], lines[2], lines[1]])
    assert services.refresh_feeds(now=NOON) == 4


def test_a_revision_is_a_further_vintage(publisher: Publisher) -> None:
    publisher.body = GOOD
    services.refresh_feeds(now=NOON)
    publisher.body = GOOD.replace(b"1.1", b"1.2")
    assert services.refresh_feeds(now=NOON + DAY) == 1
    values = Observation.objects.filter(series="ofr.fsi", observed_on=date(2026, 11, 18))
    assert sorted(values.values_list("value", flat=True)) == [Decimal("1.1"), Decimal("1.2")]


def test_more_digits_than_are_kept_make_no_new_vintage(publisher: Publisher) -> None:
    publisher.body = GOOD.replace(b"1.1", b"1.123456789123456")
    assert [services.refresh_feeds(now=NOON), services.refresh_feeds(now=NOON + DAY)] == [4, 0]


texts = st.text(alphabet=string.digits + ".-eE+ \u0661_x", max_size=12)
days = st.dates(date(2020, 1, 1), TODAY + 3 * DAY) | st.none()


@given(st.lists(st.tuples(st.sampled_from(NAMES), days, texts), max_size=12))
def test_what_is_accepted_is_in_order_plausible_and_not_of_the_future(told: list[Any]) -> None:
    all_series = rows("ofr-fsi", *NAMES)
    try:
        readings = accept_rows(
            [FileRow(*one) for one in told], feed=feed("ofr-fsi"), wanted=all_series, today=TODAY
        )
    except Malformed:
        return
    assert {one.series for one in readings} == set(NAMES)
    assert [(one.series, one.day) for one in readings] == sorted(
        {(o.series, o.day) for o in readings}
    )
    for one in readings:
        assert one.day <= TODAY and -30 <= one.value <= 60
        assert one.value == one.value.quantize(Decimal("0.00000001"))


FRAGMENTS = [
    b"Date,OFR FSI,Credit", b"\n", b",", b'"', b"2026-11-18", b"1.5", b"Year,Jan,Feb", b"***",
    b"# comment", b" 2026 7 2026.5 429.1 ", b'{"Results": {"series": [', b"]}}", b"{", b"[",
    b"null", b'{"values": {}}', b'"data"', b"Time Period", b"Jan-26", b"\x00", b"\xff", b"MJJ",
    b"PK\x03\x04", b'[{"chart": {"subcaption": "2026-9"}}]', b"1e400",
    b"KEY,FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE",
]  # fmt: skip
SOME = {one.reader: one for one in FEEDS}


@pytest.mark.parametrize("reader", READERS)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(b"".join) | st.binary(max_size=60))
def test_no_file_brings_a_reader_down(reader: str, body: bytes) -> None:
    one = SOME[reader]
    wanted = [row for row in SERIES if row.feed == one.name]
    try:
        readings = accept_rows(
            find_reader(one)(body, one, wanted), feed=one, wanted=wanted, today=TODAY
        )
    except Malformed:
        return
    assert len(readings) >= one.least


def test_every_reader_has_a_file() -> None:
    assert set(SOME) == set(READERS)


@pytest.mark.parametrize("depth", [20, 100_000])
def test_a_document_that_is_nested_deep_is_malformed(depth: int) -> None:
    new_feed = feed("treasury-debt")
    body = b"[" * depth + b"]" * depth
    with pytest.raises(Malformed):
        list(find_reader(new_feed)(body, new_feed, rows("treasury-debt")))


def test_a_cut_answer_is_rejected() -> None:
    new_feed = feed("portwatch-canals")
    body = (
        b'{"features": [{"attributes": {"date": 1, "n_total": 1}}], "exceededTransferLimit": true}'
    )
    with pytest.raises(Malformed, match="cut its answer"):
        list(find_reader(new_feed)(body, new_feed, rows("portwatch-canals")))


def test_an_empty_answer_of_a_throttled_publisher_is_rejected() -> None:
    new_feed = feed("portwatch-canals")
    found = find_reader(new_feed)(b'{"features": []}', new_feed, rows("portwatch-canals"))
    with pytest.raises(Malformed, match="0 values"):
        accept_rows(found, feed=new_feed, wanted=rows("portwatch-canals"), today=TODAY)


def test_a_matrix_whose_header_became_numbers_is_rejected() -> None:
    new_feed = feed("nyfed-gscpi")
    with pytest.raises(Malformed, match="is not a day"):
        list(
            find_reader(new_feed)(
                b"Date,46204,46235\n31-Aug-2026,1,2\n", new_feed, rows("nyfed-gscpi")
            )
        )


def test_a_header_with_fewer_names_than_cells_is_read_by_place() -> None:
    new_feed = feed("noaa-cag-globe", reader="csv", options={"form": "month", "short": "yes"})
    (row,) = rows("noaa-cag-globe")
    row = replace(row, params={"column": "@2"})
    body = b"Date,Decimal Date,Average,Interpolated\n2026-06,2026.4,431.44,429.06,19,0.35\n"
    (found,) = find_reader(new_feed)(body, new_feed, [row])
    assert (found.day, found.text) == (date(2026, 6, 30), "431.44")
