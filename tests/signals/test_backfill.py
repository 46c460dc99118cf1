"""The past that users of a series need is asked for, in windows that its publisher allows."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import PRODUCTS
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import services
from apps.reference.signals.checks import find_table_problems
from apps.reference.signals.clients import publishers
from apps.reference.signals.composites import COMPOSITES
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.readers import Malformed
from apps.reference.signals.selectors import series_values
from apps.reference.signals.selectors.series_values import list_stored_series
from apps.reference.signals.series import FEEDS, SERIES, find_feed, find_series
from apps.reference.signals.series.definitions import DAY
from tests.conftest import NOON
from tests.signals.fake_publisher import Publisher, feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
TODAY = NOON.date()


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as server:
        yield server


def test_whoever_reads_a_series_by_dates_finds_its_past_declared() -> None:
    """Composites are judged at each start (`manage.py check`); products read series beside them."""
    names = {name for product in PRODUCTS for name in product.series}
    names |= {part.series for row in COMPOSITES for part in row.parts}
    lacking = [
        name
        for name in list_stored_series(names)
        if (row := find_series(name)) and (of := find_feed(row)) and of.window and row.past is None
    ]
    assert lacking == []


def test_a_composite_whose_input_lacks_a_declared_past_is_refused() -> None:
    bare = [replace(row, past=None) if row.name == "us.cpi" else row for row in SERIES]
    table_problems = find_table_problems(feeds=FEEDS, series=bare, composites=COMPOSITES)
    assert "Composite dollar-strain: us.cpi declares no past from 2003-01-01 on." in table_problems
    assert "Composite regime: us.cpi declares no past from 1985-01-01 on." in table_problems


class Bank:
    """The rates of the ECB for whichever days are asked; it keeps the spans."""

    def __init__(self, *, first: date = date(1999, 1, 4), fails_before: date = date.min) -> None:
        self.first, self.fails_before = first, fails_before
        self.spans: list[tuple[date, date]] = []

    def __call__(self, path: str, query: dict[str, str]) -> tuple[int, bytes]:
        since, until = (date.fromisoformat(query[name]) for name in ("startPeriod", "endPeriod"))
        self.spans.append((since, until))
        if until < self.fails_before:
            return 500, b""
        days = (max(since, self.first) + n * DAY for n in range((until - since).days + 1))
        lines = [
            f"D,USD,EUR,SP00,A,{day},1.1" for day in days if day <= until and day.weekday() < 5
        ]
        head = "FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE"
        return 200, "\n".join([head, *lines]).encode()


def rates(patch: Any, publisher: Publisher, bank: Bank, settings: Any) -> None:
    publisher.answer = bank
    settings.ECB_RATES_URL = publisher.url
    serve(patch, publisher, feed("ecb-rates", window=2 * 365 * DAY), rows("ecb-rates"))


def test_the_first_fetch_of_rates_goes_back_to_the_euro(
    monkeypatch: Any, publisher: Publisher, settings: Any
) -> None:
    bank = Bank()
    rates(monkeypatch, publisher, bank, settings)
    assert services.refresh_feeds(now=NOON) == Observation.objects.count() > 7000
    days = Observation.objects.order_by("observed_on").values_list("observed_on", flat=True)
    assert (days.first(), days.last()) == (date(1999, 1, 4), TODAY)
    assert all(until - since <= 2 * 365 * DAY for since, until in bank.spans)
    spans = sorted(bank.spans)
    assert all(after[0] - before[1] <= 3 * DAY for before, after in pairwise(spans))
    notes = list(Fetch.objects.order_by("pk").values_list("reason", flat=True))
    assert notes[0] == "" and all(note.startswith("The past, from ") for note in notes[1:])
    asked = len(bank.spans)
    services.refresh_feeds(now=NOON + DAY)
    assert len(bank.spans) == asked + 1, "what is held is not asked for again"
    assert bank.spans[-1] == (TODAY - 14 * DAY, TODAY + DAY)


def test_a_past_that_was_interrupted_goes_on_where_it_was(
    monkeypatch: Any, publisher: Publisher, settings: Any
) -> None:
    bank = Bank(fails_before=date(2020, 1, 1))
    rates(monkeypatch, publisher, bank, settings)
    with pytest.raises(UpstreamError):
        services.refresh_feeds(now=NOON)
    observation = Observation.objects.order_by("observed_on").first()
    assert observation is not None and date(2018, 1, 1) < observation.observed_on < date(2021, 1, 1)
    bank.fails_before = date.min
    services.refresh_feeds(now=NOON + timedelta(hours=6))
    first = Observation.objects.order_by("observed_on").first()
    assert first is not None and first.observed_on == date(1999, 1, 4)


def test_a_publisher_that_has_no_more_is_asked_once_in_each_refresh(
    monkeypatch: Any, publisher: Publisher, settings: Any
) -> None:
    bank = Bank(first=date(2026, 1, 5))
    rates(monkeypatch, publisher, bank, settings)
    with pytest.raises(Malformed):  # it gives an empty file of the past
        services.refresh_feeds(now=NOON)
    assert len(bank.spans) == 2 and Observation.objects.exists()


def labour(limit: int) -> Any:
    """Answer as the labour statistics do: of too many years the first ones, and say so."""

    def answer(path: str, query: dict[str, str]) -> tuple[int, bytes]:
        first, last = int(query["startyear"]), int(query["endyear"])
        said = []
        if last - first >= limit:
            last = first + limit - 1
            said = [f"Year range has been reduced to the system-allowed limit of {limit} years."]
        data = [
            {"year": str(year), "period": f"M{month:02}", "value": f"{year - 1800}.{month:02}"}
            for year in range(last, first - 1, -1)
            for month in range(12, 0, -1)
            if date(year, month, 1) < date(2026, 11, 1)
        ]
        series = [{"seriesID": "CUUR0000SA0", "data": data}]
        body = {"status": "REQUEST_SUCCEEDED", "message": said, "Results": {"series": series}}
        return 200, json.dumps(body).encode()

    return answer


@pytest.mark.parametrize(("key", "limit", "requests"), [("", 10, 5), ("ours", 20, 3)])
def test_prices_are_asked_for_in_the_years_that_are_given_at_once(
    monkeypatch: Any, publisher: Publisher, settings: Any, key: str, limit: int, requests: int
) -> None:
    settings.BLS_API_KEY = key
    publisher.answer = labour(limit)
    table = next(one for one in FEEDS if one.name == "bls")
    serve(monkeypatch, publisher, feed("bls", window=table.window), rows("bls"))
    services.refresh_feeds(now=NOON)
    past = series_values.load_history("us.cpi", as_of=NOON)
    assert (past[0][0], past[-1][0]) == (date(1984, 1, 31), date(2026, 10, 31))
    assert len(past) == 12 * 43 - 2
    assert len(publisher.asked) == requests
    assert len(series_values.load_history("us.cpi.yoy", as_of=NOON)) == len(past) - 12


def test_a_file_that_its_publisher_cut_is_refused_in_its_words(
    monkeypatch: Any, publisher: Publisher
) -> None:
    publisher.answer = labour(10)
    serve(monkeypatch, publisher, feed("bls", window=19 * 365 * DAY), rows("bls"))
    with pytest.raises(Malformed, match="cut its answer; the publisher says: Year range has been"):
        services.refresh_feeds(now=NOON)
    assert not Observation.objects.exists()
    assert "system-allowed limit of 10 years" in Fetch.objects.get().reason


def test_a_refusal_of_a_publisher_is_told_in_its_words(
    monkeypatch: Any, publisher: Publisher
) -> None:
    said = "Request could not be serviced, as the daily threshold has been reached."
    publisher.body = json.dumps(
        {"status": "REQUEST_NOT_PROCESSED", "message": [said], "Results": {}}
    ).encode()
    serve(monkeypatch, publisher, feed("bls"), rows("bls"))
    with pytest.raises(Malformed, match="daily threshold has been reached"):
        services.refresh_feeds(now=NOON)


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("portwatch-canals", {"error": {"code": 429, "message": "Too many requests."}},
         "Too many requests."),
        ("worldbank-nature-forest", [{"message": [{"id": "120", "value": "Invalid value"}]}],
         "Invalid value"),
        ("eia-wti", {"error": "invalid api_key", "code": 403}, "invalid api_key"),
    ],
)  # fmt: skip
def test_words_of_other_publishers_are_told_too(
    monkeypatch: Any, publisher: Publisher, settings: Any, name: str, body: Any, said: str
) -> None:
    settings.EIA_API_KEY = "ours"
    publisher.body = json.dumps(body).encode()
    serve(monkeypatch, publisher, feed(name), rows(name))
    with pytest.raises(Malformed, match=f"the publisher says: .*{said}"):
        services.refresh_feeds(now=NOON)


@pytest.mark.parametrize(("ago", "taken"), [(7, True), (8, False)])
def test_a_file_whose_newest_value_is_too_old_is_refused(
    monkeypatch: Any, publisher: Publisher, ago: int, taken: bool
) -> None:
    newest = TODAY - ago * DAY
    publisher.body = f"Date,OFR FSI\n2026-11-01,1.0\n{newest},1.1\n".encode()
    serve(monkeypatch, publisher, feed("ofr-fsi", max_age=7 * DAY), rows("ofr-fsi", "ofr.fsi"))
    if taken:
        assert services.refresh_feeds(now=NOON) == 2
    else:
        with pytest.raises(Malformed, match=f"newest value is of {newest}"):
            services.refresh_feeds(now=NOON)
        assert not Observation.objects.exists()


@pytest.mark.parametrize("day", ["1795132800000", "2026-11-20", "2026-11-20T00:00:00Z"])
def test_ships_of_a_day_are_read_however_it_is_written(
    monkeypatch: Any, publisher: Publisher, day: str
) -> None:
    told = json.loads(f"[{day}]") if day.isdigit() else [day]
    item = {"attributes": {"date": told[0], "n_total": 39}}
    publisher.body = json.dumps({"features": [item], "exceededTransferLimit": False}).encode()
    serve(monkeypatch, publisher, feed("portwatch-canals"), rows("portwatch-canals"))
    assert services.refresh_feeds(now=NOON) == 1
    assert Observation.objects.get().observed_on == TODAY


@pytest.mark.parametrize(("events", "pages"), [(99, 1), (100, 2), (250, 3), (0, 1)])
def test_disasters_that_come_a_hundred_to_a_page_are_all_counted(
    monkeypatch: Any, publisher: Publisher, events: int, pages: int
) -> None:
    asked = []

    def answer(path: str, query: dict[str, str]) -> tuple[int, bytes]:
        number, size = int(query["pagenumber"]), int(query["pagesize"])
        asked.append(number)
        shown = min(size, max(0, events - (number - 1) * size))
        if not shown:
            return 404, b""
        item = {"properties": {"eventtype": "TC"}, "geometry": {"coordinates": [1, 1]}}
        return 200, json.dumps({"features": [item] * shown}).encode()

    publisher.answer = answer
    serve(monkeypatch, publisher, feed("gdacs"), rows("gdacs", "disasters"))
    services.refresh_feeds(now=NOON)
    assert Observation.objects.get().value == events
    assert asked == [*range(1, pages + 1)]


def test_a_publisher_whose_pages_never_end_is_given_up(
    monkeypatch: Any, publisher: Publisher
) -> None:
    monkeypatch.setattr(publishers, "MOST_PAGES", 3)
    item = {"properties": {"eventtype": "TC"}, "geometry": {"coordinates": [1, 1]}}
    publisher.body = json.dumps({"features": [item] * 100}).encode()
    serve(monkeypatch, publisher, feed("gdacs"), rows("gdacs", "disasters"))
    with pytest.raises(UpstreamError, match="more than 3 pages"):
        services.refresh_feeds(now=NOON)


def test_what_is_counted_is_that_of_thirty_days_from_the_first_fetch_on(
    monkeypatch: Any, publisher: Publisher
) -> None:
    publisher.body = b'{"features": []}'
    serve(monkeypatch, publisher, feed("gdacs"), rows("gdacs", "disasters"))
    for at in (NOON, NOON + 5 * DAY):
        services.refresh_feeds(now=at)
    assert [path.partition("fromdate=")[2][:10] for path, _ in publisher.asked] == [
        "2026-10-21", "2026-10-26",
    ]  # fmt: skip


def chart(month: str, labels: str, value: str) -> dict[str, Any]:
    days = labels.split()
    data = [{"value": value} for _ in days]
    return {
        "chart": {"subcaption": month},
        "categories": [{"category": [{"label": day} for day in days]}],
        "dataset": [{"seriesname": "CPI Inflation", "data": data}],
    }


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_open_months_the_earlier_one_is_the_nowcast_of_the_day(
    monkeypatch: Any, publisher: Publisher, turned: bool
) -> None:
    charts = [
        chart("2026-9", "10/10 10/13", "2.8"),
        chart("2026-10", "11/18 11/19", "2.9"),
        chart("2026-11", "11/18 11/19", "3.1"),
    ]
    publisher.body = json.dumps(charts[::-1] if turned else charts).encode()
    serve(monkeypatch, publisher, feed("cleveland-nowcast"), rows("cleveland-nowcast"))
    services.refresh_feeds(now=NOON)
    found = Observation.objects.order_by("observed_on").values_list("observed_on", "value")
    assert [(day.isoformat(), str(value.normalize())) for day, value in found] == [
        ("2026-10-13", "2.8"), ("2026-11-19", "2.9"),
    ]  # fmt: skip
    point = series_values.load_latest_points(["us.cpi.independent"], as_of=NOON)[
        "us.cpi.independent"
    ]
    assert point.kind == "proxy" and point.estimated
