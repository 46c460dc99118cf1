"""Reporting rates of the US Treasury: read, refused, kept, and used for thresholds alone."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.signals import ecb_parser, exchange_rates, services
from apps.reference.signals.models import Observation
from apps.reference.signals.readers import treasury_rates
from tests import sampling
from tests.signals.fake_publisher import feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
QUARTER = "2026-09-30"
NAMES = {code: name for name, code in reversed(treasury_rates.CURRENCIES.items())}


def row(name: str, rate: Any, effective: str = QUARTER, record: str = QUARTER) -> dict[str, Any]:
    return {
        "record_date": record,
        "effective_date": effective,
        "country_currency_desc": name,
        "exchange_rate": rate,
    }


# the published shape of an answer; the rates of other currencies are there to make it whole
WHOLE = [row(name, "7.5") for name in NAMES.values()]
BASE = [one for one in WHOLE if one["country_currency_desc"] not in ("Kuwait-Dinar", "Egypt-Pound")]
KWD, EGP = row("Kuwait-Dinar", "0.307"), row("Egypt-Pound", "48.5")


def body(*found: Any, pages: int = 1) -> bytes:
    meta = {"count": len(found), "total-count": len(found), "total-pages": pages}
    return json.dumps({"data": list(found), "meta": meta, "links": {}}).encode()


def fetched(patch: Any, content: bytes) -> int:
    with publishing() as server:
        server.body = content
        serve(patch, server, feed("treasury-rates"), rows("treasury-rates"))
        found = services.refresh_feeds(now=NOON)
        asked = server.asked[0][0]
        assert "filter=record_date%3Agte%3A2026-05-04" in asked and "10000" in asked
        return found


def usd(amount: str, currency: str, now: datetime = NOON, *, quarterly: bool = True) -> Any:
    return exchange_rates.convert_to_usd(
        amount=Decimal(amount), currency=currency, now=now, quarterly=quarterly
    )


def test_a_file_is_kept_once_and_names_that_are_not_known_are_left_out(monkeypatch: Any) -> None:
    content = body(*BASE, KWD, EGP, row("Canada-Dollar", "1.39"), row("Atlantis-Dollar", "2"))
    assert fetched(monkeypatch, content) == len(treasury_rates.CODES)
    observation = Observation.objects.get(series="fx.treasury.KWD")
    assert (observation.observed_on, observation.value, observation.source) == (
        date(2026, 9, 30),
        Decimal("0.307"),
        "TREASURY",
    )
    assert not Observation.objects.filter(series="fx.treasury.CAD").exists()


def test_an_amended_rate_counts_from_its_effective_day(monkeypatch: Any) -> None:
    amended = row("Egypt-Pound", "60", effective="2026-10-31")
    fetched(monkeypatch, body(*BASE, KWD, EGP, amended))
    now, before = usd("600", "EGP"), usd("485", "EGP", datetime(2026, 10, 30, tzinfo=UTC))
    assert (now.amount_usd, now.rate_date) == (Decimal("10.000000"), date(2026, 10, 31))
    assert before.amount_usd == Decimal("10.000000")


def test_of_two_names_of_a_currency_the_first_of_the_table_counts(monkeypatch: Any) -> None:
    others = [one for one in BASE if one["country_currency_desc"] != "Burma-Kyat"]
    two = (row("Myanmar-Kyat", "2100"), row("Burma-Kyat", "2099"))
    fetched(monkeypatch, body(*others, KWD, EGP, *two))
    assert Observation.objects.get(series="fx.treasury.MMK").value == 2099


@pytest.mark.parametrize(
    "content",
    [
        b"<html>",
        b"[]",
        b'{"data": {}, "meta": {"total-pages": 1}}',
        b'{"data": []}',
        body(*BASE, KWD, EGP, pages=2),
        body(*BASE[: treasury_rates.FEWEST - 2], EGP),
        body(*BASE, KWD),  # that which a whole file has
        body(*BASE, KWD, EGP, row("Peru-Sol", "x", effective="2026-10-31")),
        body(*BASE, KWD, EGP, row("Peru-Sol", 3.4)),
        body(*BASE, KWD, EGP, row("Peru-Sol", "3.4", effective="soon")),
        body(*BASE, KWD, EGP, row("Peru-Sol", "3.4", effective="2026-11-21")),
        body(*BASE, KWD, EGP, row("Egypt-Pound", "49")),
        body(*BASE, EGP, row("Kuwait-Dinar", "0.0001")),
    ],
)
def test_a_broken_answer_is_refused_whole(monkeypatch: Any, content: bytes) -> None:
    with pytest.raises(ValueError):
        fetched(monkeypatch, content)
    assert not Observation.objects.exists()


@pytest.mark.parametrize(("effective", "taken"), [("2026-07-13", True), ("2026-07-12", False)])
def test_an_answer_that_ended_a_quarter_ago_is_refused(
    monkeypatch: Any, effective: str, taken: bool
) -> None:
    found = body(*(one | {"effective_date": effective} for one in (*BASE, KWD, EGP)))
    with publishing() as server:
        server.body = found
        new_feed = feed("treasury-rates", max_age=timedelta(days=130))
        serve(monkeypatch, server, new_feed, rows("treasury-rates"))
        if taken:
            assert services.refresh_feeds(now=NOON) == len(treasury_rates.CODES)
        else:
            with pytest.raises(ValueError, match="too old"):
                services.refresh_feeds(now=NOON)


def test_a_mark_for_a_missing_rate_is_none(monkeypatch: Any) -> None:
    fetched(monkeypatch, body(*BASE, EGP, row("Kuwait-Dinar", "null")))
    assert usd("1", "KWD") is None


@pytest.mark.parametrize(("days", "found"), [(130, True), (131, False), (0, True), (-1, False)])
def test_a_rate_serves_for_a_quarter_and_some_weeks(
    monkeypatch: Any, days: int, found: bool
) -> None:
    fetched(monkeypatch, body(*BASE, KWD, EGP))
    at = datetime(2026, 9, 30, 12, tzinfo=UTC) + timedelta(days=days)
    assert (usd("1", "KWD", at) is not None) is found


def test_it_serves_thresholds_alone_and_only_where_no_rate_is_published(
    monkeypatch: Any, settings: Any
) -> None:
    sampling.in_production(settings)
    assert usd("1", "KWD") is None
    missing_rate = exchange_rates.describe_missing_rate("KWD", now=NOON, quarterly=True)
    assert "last ten days" in missing_rate and "US Treasury of the last 130 days" in missing_rate
    assert "Treasury" not in exchange_rates.describe_missing_rate("KWD", now=NOON)
    fetched(monkeypatch, body(*BASE, KWD, EGP))
    found = usd("307", "KWD")
    assert (found.amount_usd, found.source) == (Decimal("1000.000000"), "TREASURY")
    assert found.rate_date == date(2026, 9, 30)
    assert usd("307", "KWD", quarterly=False) is None
    daily = [
        ecb_parser.Rate("USD", NOON.date(), Decimal(1)),
        ecb_parser.Rate("KWD", NOON.date(), Decimal("0.3")),
    ]
    exchange_rates.record_rates(rates=daily, source="ECB", now=NOON)
    assert usd("300", "KWD").source == "ECB"


def test_no_currency_that_the_central_bank_publishes_is_read_here() -> None:
    published = "USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS"
    others = "INR KRW MXN MYR NZD PHP SGD THB ZAR EUR"
    assert not treasury_rates.CODES & {*published.split(), *others.split()}


def test_what_nothing_was_known_of_before_is_not_used_for_what_was_then(monkeypatch: Any) -> None:
    fetched(monkeypatch, body(*BASE, KWD, EGP))
    options = {"amount": Decimal(1), "currency": "KWD", "now": NOON, "quarterly": True}
    assert exchange_rates.convert_to_usd(**options, known_at=NOON - timedelta(seconds=1)) is None  # type: ignore[arg-type]
    assert exchange_rates.convert_to_usd(**options, known_at=NOON) is not None  # type: ignore[arg-type]
