"""One fetch for all publishers: conditional, bounded, behind a breaker, and none without leave."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.platform.upstreams.http import UpstreamError
from apps.platform.upstreams.models import UpstreamState
from apps.reference.signals import services
from apps.reference.signals.clients import publishers
from apps.reference.signals.models import Fetch, Observation, RawFile
from tests.conftest import NOON
from tests.signals.fake_publisher import Publisher, feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
BODY = b"Date,OFR FSI\n2026-11-17,1.0\n2026-11-18,1.1\n"
DAY = timedelta(days=1)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as server:
        server.body = BODY
        yield server


@pytest.fixture
def stress(monkeypatch: Any, publisher: Publisher) -> Publisher:
    serve(monkeypatch, publisher, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
    return publisher


def test_a_file_that_did_not_change_is_not_sent_again(stress: Publisher) -> None:
    stress.etag = '"one"'
    assert [services.refresh_feeds(now=NOON), services.refresh_feeds(now=NOON + DAY)] == [2, 0]
    stress.etag, stress.body = '"two"', BODY + b"2026-11-19,1.2\n"
    assert services.refresh_feeds(now=NOON + 2 * DAY) == 1
    assert [headers.get("If-None-Match") for _, headers in stress.asked] == [None, '"one"', '"one"']
    outcomes = Fetch.objects.order_by("at").values_list("outcome", flat=True)
    assert list(outcomes) == ["NEW", "UNCHANGED", "NEW"]
    assert RawFile.objects.count() == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"wanted": ("ofr.fsi", "ofr.fsi.credit")},
        {"params": {"column": "Credit"}},
        {"publisher": "OTHER"},
        {"url": "/mirror"},
        {"query": {"from": "2026-11-01"}},
        {"missing": frozenset({"", "."})},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_is_wanted_otherwise_than_before_is_sent_again(
    monkeypatch: Any, publisher: Publisher, changed: dict[str, Any]
) -> None:
    publisher.etag, publisher.body = '"one"', b"Date,OFR FSI,Credit\n2026-11-17,1.0,0.5\n"
    serve(monkeypatch, publisher, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
    assert services.refresh_feeds(now=NOON) == 1
    names = changed.pop("wanted", ("ofr.fsi",))
    all_series = rows("ofr-fsi", *names, **changed.pop("params", {}))
    one = serve(monkeypatch, publisher, feed("ofr-fsi"), all_series)
    there = {"url": publisher.url + changed.pop("url", "")}
    monkeypatch.setattr(services, "FEEDS", (replace(one, **there | changed),))
    services.refresh_feeds(now=NOON + DAY)
    services.refresh_feeds(now=NOON + 2 * DAY)
    asked = [headers.get("If-None-Match") for _, headers in publisher.asked]
    assert asked == [None, None, '"one"']
    assert list(Fetch.objects.values_list("outcome", flat=True))[:1] == ["UNCHANGED"]
    assert {observation.series for observation in Observation.objects.all()} == set(names)


def test_a_key_is_no_part_of_what_was_asked(
    monkeypatch: Any, publisher: Publisher, settings: Any
) -> None:
    publisher.etag = '"one"'
    publisher.body = b'{"response": {"data": [{"period": "2026-11-17", "value": "80.1"}]}}'
    serve(monkeypatch, publisher, feed("eia-wti"), rows("eia-wti"))
    for key in ("first", "second"):
        settings.EIA_API_KEY = key
        services.refresh_feeds(now=NOON)
    assert Fetch.objects.values("asked").distinct().count() == 1
    assert publisher.asked[1][1]["If-None-Match"] == '"one"'


def test_after_a_rejected_file_the_last_good_one_is_compared_with(stress: Publisher) -> None:
    stress.etag = '"one"'
    services.refresh_feeds(now=NOON)
    stress.etag, stress.body = '"bad"', b"<html>"
    for hours in (1, 2):
        with pytest.raises(ValueError):
            services.refresh_feeds(now=NOON + timedelta(hours=hours))
    assert stress.asked[-1][1]["If-None-Match"] == '"one"'
    assert [fetch.outcome for fetch in Fetch.objects.all()] == ["REJECTED", "REJECTED", "NEW"]


def test_the_same_file_again_is_nothing_new(stress: Publisher) -> None:
    services.refresh_feeds(now=NOON)
    assert services.refresh_feeds(now=NOON + DAY) == 0
    assert Fetch.objects.first().outcome == "SAME"  # type: ignore[union-attr]


@pytest.mark.parametrize("status", [404, 500, 301])
def test_a_publisher_that_does_not_give_it_changes_nothing(stress: Publisher, status: int) -> None:
    stress.status = status
    with pytest.raises(UpstreamError):
        services.refresh_feeds(now=NOON)
    fetch = Fetch.objects.get()
    assert fetch.outcome == "FAILED" and str(status) in fetch.reason
    assert not Observation.objects.exists()


def test_a_publisher_that_fails_again_and_again_is_left_alone(stress: Publisher) -> None:
    stress.status = 500
    for _ in range(6):
        with pytest.raises(UpstreamError):
            services.refresh_feeds(now=NOON)
    assert len(stress.asked) == 5
    assert UpstreamState.objects.get(pk="signals 127.0.0.1").failures == 5


def test_a_file_that_is_too_large_is_not_read(monkeypatch: Any, publisher: Publisher) -> None:
    serve(monkeypatch, publisher, feed("ofr-fsi", largest=len(BODY) - 1), rows("ofr-fsi"))
    with pytest.raises(UpstreamError, match="more than"):
        services.refresh_feeds(now=NOON)


def test_a_publisher_hears_who_asks_as_it_wants_it(monkeypatch: Any, publisher: Publisher) -> None:
    told = {"agent": "Mozilla/5.0 (x)", "accept": "application/json"}
    serve(monkeypatch, publisher, feed("ofr-fsi", **told), rows("ofr-fsi", "ofr.fsi"))
    services.refresh_feeds(now=NOON)
    _, headers = publisher.asked[0]
    assert (headers["User-Agent"], headers["Accept"]) == ("Mozilla/5.0 (x)", "application/json")


def test_who_asks_is_said_by_itself(stress: Publisher) -> None:
    services.refresh_feeds(now=NOON)
    assert stress.asked[0][1]["User-Agent"].startswith("compliance-oracle/")


def test_a_key_is_sent_and_never_written_down(
    monkeypatch: Any, publisher: Publisher, settings: Any, caplog: Any
) -> None:
    settings.EIA_API_KEY = "s3cret"
    serve(monkeypatch, publisher, feed("eia-wti"), rows("eia-wti"))
    publisher.status = 403
    with pytest.raises(UpstreamError) as told:
        services.refresh_feeds(now=NOON)
    assert "api_key=s3cret" in publisher.asked[0][0]
    written = [caplog.text, str(told.value), str(list(Fetch.objects.values_list()))]
    written.append(str(list(UpstreamState.objects.values_list())))
    assert not any("s3cret" in one for one in written)


@pytest.mark.parametrize(
    ("named", "name", "key", "asked"),
    [
        (("all",), "ofr-fsi", "", True),
        ((), "ofr-fsi", "", False),
        (("fed-h15",), "ofr-fsi", "", False),
        (("ofr-fsi",), "ofr-fsi", "", True),
        (("all",), "cboe-vix", "", False),
        (("all", "cboe-vix"), "cboe-vix", "", True),
        (("all",), "eia-wti", "", False),
        (("all",), "eia-wti", "ours", True),
        (("all",), "bls", "", True),
        (("all",), "fred-t10y2y", "ours", False),
        (("all", "fred-t10y2y"), "fred-t10y2y", "", False),
        (("all", "fred-t10y2y"), "fred-t10y2y", "ours", True),
    ],
)
def test_only_what_the_operator_may_and_wants_is_asked(
    settings: Any, named: tuple[str, ...], name: str, key: str, asked: bool
) -> None:
    settings.SIGNALS_FEEDS = named
    settings.EIA_API_KEY = settings.FRED_API_KEY = key
    assert publishers.is_feed_on(feed(name)) is asked


def test_a_mirror_of_the_operators_is_asked_instead(settings: Any) -> None:
    settings.SIGNALS_FEEDS = ("all", "ofr-fsi=https://mirror.example/fsi.csv")
    assert publishers.feed_url(feed("ofr-fsi")) == "https://mirror.example/fsi.csv"
    assert publishers.feed_url(feed("fed-h15")).startswith("https://www.federalreserve.gov/")
    assert publishers.is_feed_on(feed("ofr-fsi"))


def test_the_year_stands_in_an_address_that_has_it(monkeypatch: Any, publisher: Publisher) -> None:
    all_series = rows("treasury-yields")
    one = serve(monkeypatch, publisher, feed("treasury-yields"), all_series)
    here = publisher.url.replace("file", "{year}/all")
    monkeypatch.setattr(services, "FEEDS", (feed("treasury-yields", url=here),))
    publisher.body = b'Date,"2 Yr","10 Yr"\n11/19/2026,3.5,4.1\n11/18/2026,3.6,4.2\n'
    assert services.refresh_feeds(now=NOON) == 4
    assert publisher.asked[0][0].startswith("/2026/all?type=daily_treasury_yield_curve&")
    assert one.query["field_tdr_date_value"] == "{year}"


def test_one_publishers_failure_stops_no_other(monkeypatch: Any, publisher: Publisher) -> None:
    bad = feed("nyfed-gscpi", url=publisher.url)
    good = feed("ofr-fsi", url=publisher.url)
    wanted = [*rows("nyfed-gscpi"), *rows("ofr-fsi", "ofr.fsi")]
    monkeypatch.setattr(services, "FEEDS", (bad, good))
    monkeypatch.setattr(services, "SERIES", tuple(wanted))
    with pytest.raises(ValueError):
        services.refresh_feeds(now=NOON)
    assert Observation.objects.filter(series="ofr.fsi").count() == 2


def test_files_are_found_by_their_name_and_by_their_series() -> None:
    names = [
        one.name for one in services.choose_feeds(["us.dgs2", "us.dgs10", "fx.eur.USD", "bls"])
    ]
    assert names == ["fed-h15", "ecb-rates", "bls"]
    with pytest.raises(KeyError, match=r"us\.curve"):
        services.choose_feeds(["us.curve.10y2y"])


def test_a_host_is_asked_at_its_pace(monkeypatch: Any) -> None:
    waits: list[float] = []
    monkeypatch.setattr(publishers.time, "sleep", lambda seconds: waits.append(seconds))
    free = iter([True, False, False, True])
    monkeypatch.setattr(publishers.cache, "add", lambda *_, **__: next(free))
    for _ in range(2):
        publishers.wait_for_pace("host", feed("ofr-fsi", pace=DAY))
    assert len(waits) == 2
    publishers.wait_for_pace("host", feed("ofr-fsi", pace=timedelta(0)))
