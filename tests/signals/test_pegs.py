"""Pegs: what each is worth, from when on, and when it no longer serves."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from apps.platform.common.amounts import MONEY
from apps.reference.signals import ecb_parser, exchange_rates
from apps.reference.signals.pegs import PEGS, find_peg
from apps.reference.signals.readers.treasury_rates import CODES
from apps.reference.signals.series import Reading
from apps.reference.signals.services import record_readings
from tests import sampling

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY = NOON.date()
# units for one of the anchor, beside the table on purpose
KNOWN = {
    "AED": ("3.6725", "USD"), "SAR": ("3.75", "USD"), "QAR": ("3.64", "USD"),
    "OMR": ("0.3845", "USD"), "BHD": ("0.376", "USD"), "JOD": ("0.709", "USD"),
    "HKD": ("7.8", "USD"), "BSD": ("1", "USD"), "BMD": ("1", "USD"), "PAB": ("1", "USD"),
    "KYD": ("0.833333333", "USD"),
    "BBD": ("2", "USD"), "BZD": ("2", "USD"), "XCD": ("2.7", "USD"), "AWG": ("1.79", "USD"),
    "XCG": ("1.79", "USD"), "DJF": ("177.721", "USD"), "XAF": ("655.957", "EUR"),
    "XOF": ("655.957", "EUR"), "KMF": ("491.96775", "EUR"), "XPF": ("119.3317422", "EUR"),
    "BAM": ("1.95583", "EUR"), "CVE": ("110.265", "EUR"), "STN": ("24.5", "EUR"),
    "LSL": ("1", "ZAR"), "SZL": ("1", "ZAR"), "NAD": ("1", "ZAR"), "NPR": ("1.6", "INR"),
    "BTN": ("1", "INR"), "BND": ("1", "SGD"), "FKP": ("1", "GBP"), "GIP": ("1", "GBP"),
    "SHP": ("1", "GBP"),
}  # fmt: skip


def keep(currency, per_euro, days=0, source="ECB"):
    rate = ecb_parser.Rate(currency, TODAY - timedelta(days=days), Decimal(per_euro))
    exchange_rates.record_rates(rates=[rate], source=source, now=NOON)


def quarter(currency, per_dollar, day=date(2026, 9, 30)):
    reading = Reading(f"fx.treasury.{currency}", day, Decimal(per_dollar))
    record_readings(readings=[reading], source="TREASURY", now=NOON)


def usd(amount, currency, **options):
    return exchange_rates.convert_to_usd(
        amount=Decimal(amount), currency=currency, now=NOON, **options
    )


def test_the_table_has_each_peg_once_with_its_figure_and_who_says_so():
    assert {peg.currency: (peg.units.normalize(), peg.anchor) for peg in PEGS} == {
        code: (Decimal(units).normalize(), anchor) for code, (units, anchor) in KNOWN.items()
    }
    assert len(PEGS) == len(KNOWN) and all(peg.basis and peg.since < peg.until for peg in PEGS)
    assert KNOWN.keys() <= set(MONEY), "a currency of ISO 4217"
    assert find_peg("KWD", TODAY) is None, "a basket is no peg"


@pytest.mark.parametrize("code", [code for code, (_, anchor) in KNOWN.items() if anchor == "USD"])
def test_a_currency_that_is_pegged_to_the_dollar_needs_no_published_rate(code, settings):
    sampling.in_production(settings)
    found = usd("100", code)
    assert abs(found.amount_usd * Decimal(KNOWN[code][0]) - 100) < Decimal("0.001")
    assert (found.rate_date, found.source) == (TODAY, "PEG")


@pytest.mark.parametrize("code", [code for code, (_, anchor) in KNOWN.items() if anchor != "USD"])
def test_one_that_is_pegged_to_another_takes_the_date_of_its_anchors_rate(code, settings):
    sampling.in_production(settings)
    units, anchor = KNOWN[code]
    keep("USD", "1.15", 3)
    if anchor != "EUR":
        assert usd("100", code) is None
        assert f"nor one of {anchor}" in exchange_rates.describe_missing_rate(code, now=NOON)
        keep(anchor, "2", 3)
    found = usd("100", code)
    expected = Decimal("1.15") / (1 if anchor == "EUR" else 2) / Decimal(units) * 100
    assert abs(found.amount_usd - expected) < Decimal("0.000002")
    assert (found.rate_date, found.source) == (TODAY - timedelta(days=3), "PEG")


def test_a_published_rate_goes_before_a_peg():
    keep("USD", "1.15")
    keep("HKD", "8.97")
    assert (usd("7.80", "HKD").amount_usd, usd("7.80", "HKD").source) == (Decimal("1.0"), "ECB")


def test_a_peg_over_a_sample_says_sample():
    keep("USD", "1.15", 140, source="SAMPLE")
    assert usd("655.957", "XAF") == exchange_rates.UsdAmount(
        Decimal("1.15"), usd("1", "XAF").rate, TODAY - timedelta(days=140), "SAMPLE"
    )


@pytest.mark.parametrize(("per_dollar", "source"), [("3.85", "PEG"), ("4.00", "TREASURY")])
def test_a_peg_from_which_the_treasury_departs_has_ended(per_dollar, source):
    assert "AED" in CODES
    quarter("AED", per_dollar)
    assert usd("100", "AED", quarterly=True).source == source
    assert (usd("100", "AED") is None) is (source == "TREASURY")


@pytest.mark.parametrize(
    ("currency", "day", "holds"),
    [
        ("XCG", date(2025, 3, 30), False),
        ("XCG", date(2025, 3, 31), True),
        ("AED", date(1997, 10, 31), False),
        ("AED", date(1997, 11, 1), True),
    ],
)
def test_a_peg_holds_from_its_day_on(currency, day, holds):
    assert (find_peg(currency, day) is not None) is holds
