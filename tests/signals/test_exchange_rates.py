"""Amounts in US dollars by dated reference rates."""

import threading
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from apps.reference.signals import ecb_parser, exchange_rates, services, tasks
from apps.reference.signals.models import Observation
from apps.reference.signals.series import FEEDS
from tests import sampling

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY = NOON.date()


def keep(currency, per_euro, days=0, source="ECB", now=NOON):
    rate = ecb_parser.Rate(currency, TODAY - timedelta(days=days), Decimal(per_euro))
    return exchange_rates.record_rates(rates=[rate], source=source, now=now)


def usd(amount, currency, **options):
    return exchange_rates.convert_to_usd(
        amount=Decimal(amount), currency=currency, now=NOON, **options
    )


def test_dollars_are_dollars_and_need_no_rate(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert usd("12.34", "USD") == exchange_rates.UsdAmount(
            Decimal("12.34"), Decimal(1), TODAY, "USD"
        )


def test_euros_and_other_currencies_cross_over_the_euro(django_assert_num_queries):
    keep("USD", "1.15")
    keep("JPY", "184")
    with django_assert_num_queries(1):
        yen = usd("500000", "JPY")
    assert yen.amount_usd == Decimal("3125.000000")
    assert (yen.rate, yen.rate_date, yen.source) == (Decimal("0.00625"), TODAY, "ECB")
    assert usd("100", "EUR").amount_usd == Decimal("115.000000")


def test_money_is_never_a_float():
    with pytest.raises(TypeError):
        exchange_rates.convert_to_usd(amount=1.5, currency="EUR", now=NOON)


@pytest.mark.parametrize(("days", "found"), [(0, True), (10, True), (11, False), (-1, False)])
def test_a_rate_older_than_ten_days_counts_as_none(days, found):
    keep("USD", "1.15", days)
    assert (usd("1", "EUR") is not None) is found


def test_both_rates_are_of_one_day():
    keep("USD", "1.10", 1)
    keep("GBP", "0.88", 1)
    keep("USD", "1.20")
    assert usd("1", "GBP").rate == Decimal("1.25")
    assert usd("1", "EUR").rate == Decimal("1.20")


def test_a_currency_without_a_rate_cannot_be_judged():
    keep("USD", "1.15")
    assert usd("1", "XAU") is None


def test_the_sample_serves_where_real_rates_are_missing_and_never_in_production(settings):
    keep("USD", "1.10", 140, source="SAMPLE")
    keep("JPY", "180", 140, source="SAMPLE")
    assert usd("1", "EUR").source == "SAMPLE"
    keep("USD", "1.15", 9)
    assert (usd("1", "EUR").source, usd("1", "JPY").source) == ("ECB", "SAMPLE")
    sampling.in_production(settings)
    assert usd("1", "JPY") is None
    assert usd("1", "EUR").source == "ECB"
    with pytest.raises(CommandError, match="Production"):
        call_command("load_sample_rates")


def test_a_correction_is_a_further_row_and_the_past_can_be_asked():
    keep("USD", "1.15", now=NOON - timedelta(hours=2))
    keep("USD", "1.16", now=NOON - timedelta(hours=1))
    assert usd("1", "EUR").rate == Decimal("1.16")
    assert usd("1", "EUR", known_at=NOON - timedelta(hours=2)).rate == Decimal("1.15")
    assert usd("1", "EUR", known_at=NOON - timedelta(hours=3)) is None
    assert Observation.objects.count() == 2


def test_what_is_known_already_adds_nothing():
    assert keep("USD", "1.15") == 1
    assert keep("USD", "1.15") == 0
    assert keep("USD", "1.150") == 0
    assert keep("USD", "1.1501", now=NOON + timedelta(seconds=1)) == 1
    assert keep("USD", "1.1501", source="SAMPLE") == 1


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE signals_observation SET value = 2",
        "DELETE FROM signals_observation",
        "INSERT INTO signals_observation (series, observed_on, value, source, fetched_at, vintage) "
        "SELECT series, observed_on, 9, source, fetched_at, vintage FROM signals_observation",
    ],
)
def test_observations_cannot_be_changed_or_removed_by_raw_sql(sql):
    keep("USD", "1.15")
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    assert Observation.objects.get().value == Decimal("1.15")


def test_the_bundled_sample_covers_some_dozen_currencies_and_loads_once(capsys):
    call_command("load_sample_rates")
    call_command("load_sample_rates")
    assert capsys.readouterr().out == "22 new sample rates\n0 new sample rates\n"
    yen = usd("500000", "JPY")
    assert (yen.source, yen.rate_date) == ("SAMPLE", date(2026, 6, 30))
    assert Decimal(3000) < yen.amount_usd < Decimal(3500)
    for currency in ("EUR", "GBP", "CHF", "CAD", "AUD", "INR", "CNY", "BRL", "MXN", "ZAR", "SEK"):
        assert usd("1", currency) is not None


# --- refreshing ---------------------------------------------------------------------


@pytest.fixture
def bank(settings, monkeypatch):
    """A central bank on loopback, the only publisher there is: set its `body` and `status`."""
    quick = tuple(replace(feed, pace=timedelta(0)) for feed in FEEDS if feed.name == "ecb-rates")
    monkeypatch.setattr(services, "FEEDS", quick)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            bank.asked.append(self.path)
            self.send_response(bank.status)
            self.send_header("Content-Length", str(len(bank.body)))
            self.end_headers()
            self.wfile.write(bank.body)

        def log_message(self, *args):
            """Stay quiet."""

    bank = HTTPServer(("127.0.0.1", 0), Handler)
    bank.asked, bank.status, bank.body = [], 200, b""
    thread = threading.Thread(target=bank.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    settings.ECB_RATES_URL = f"http://127.0.0.1:{bank.server_port}/EXR"
    yield bank
    bank.shutdown()
    bank.server_close()
    thread.join()


BODY = b"FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-11-19,1.15\nD,GBP,2026-11-19,0.86\n"


def test_a_refresh_keeps_new_rates_and_asks_from_two_weeks_before_the_last(bank):
    bank.body = BODY
    tasks.refresh_exchange_rates("", NOON)
    tasks.refresh_exchange_rates("", NOON)
    assert Observation.objects.count() == 2
    first, past, again, _ = bank.asked
    assert "startPeriod=2024-11-20&endPeriod=2026-11-20" in first
    assert "startPeriod=2024-11-18&endPeriod=2026-11-18" in past
    assert "startPeriod=2026-11-05&endPeriod=2026-11-20" in again


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b""),
        (200, b"<html>"),
        (200, b"\xff\xfe"),
        (200, b"FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,GBP,2026-11-19,0.86\n"),
    ],
)
def test_a_bad_answer_changes_nothing(bank, status, body):
    bank.status, bank.body = status, body
    with pytest.raises(CommandError, match="No rates were kept"):
        call_command("refresh_rates")
    assert Observation.objects.count() == 0


def test_rates_can_come_from_a_file(tmp_path, capsys):
    path = tmp_path / "rates.csv"
    path.write_bytes(BODY)
    call_command("refresh_rates", str(path))
    assert capsys.readouterr().out == "2 new rates\n"
    with pytest.raises(CommandError):
        call_command("refresh_rates", str(tmp_path / "none.csv"))
