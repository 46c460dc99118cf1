"""Currencies pegged to another one by law or by their central bank. Pure.

They are used where no rate is published (signals/exchange_rates.py). Each row has the first day of
its value and, once it ended, the last. A band of less than one per cent (HKD, JOD) counts by its
middle. A currency tied to a basket (KWD) or with a managed float is not a peg.
`tests/signals/test_pegs.py` checks each row's figure.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Peg:
    """`units` of a currency are one unit of its anchor, from a day on; `basis` is who says so."""

    currency: str
    anchor: str
    units: Decimal
    since: date
    basis: str
    until: date = date.max  # the first day on which it no longer holds


def _make_peg(currency: str, anchor: str, units: str, since: str, basis: str) -> Peg:
    return Peg(currency, anchor, Decimal(units), date.fromisoformat(since), basis)


_CFA = "Council of the EU, Decision 98/683/EC: the French franc's parity in euro"
_COMMON = "Multilateral Monetary Agreement of the Common Monetary Area: at par with the rand"

PEGS: tuple[Peg, ...] = (
    _make_peg("AED", "USD", "3.6725", "1997-11-01", "Central Bank of the UAE"),
    _make_peg("SAR", "USD", "3.75", "1986-06-01", "Saudi Central Bank"),
    _make_peg("QAR", "USD", "3.64", "2001-07-09", "Qatar, Amiri Decree 34 of 2001"),
    _make_peg("OMR", "USD", "0.3845", "1986-01-25", "Central Bank of Oman"),
    _make_peg("BHD", "USD", "0.376", "2001-12-25", "Bahrain, Decree 48 of 2001"),
    _make_peg(
        "JOD", "USD", "0.709", "1995-10-23", "Central Bank of Jordan, between 0.708 and 0.710"
    ),
    _make_peg("HKD", "USD", "7.80", "2005-05-18", "Hong Kong Monetary Authority, 7.75 to 7.85"),
    _make_peg(
        "KYD", "USD", "0.833333333", "1974-04-01", "Cayman Islands Monetary Authority, 1.20 USD"
    ),
    _make_peg("BSD", "USD", "1", "1973-02-01", "Central Bank of The Bahamas"),
    _make_peg("BMD", "USD", "1", "1972-07-31", "Bermuda Monetary Authority"),
    _make_peg("PAB", "USD", "1", "1904-06-28", "Panama, Monetary Convention of 1904"),
    _make_peg("BBD", "USD", "2", "1975-07-05", "Central Bank of Barbados"),
    _make_peg("BZD", "USD", "2", "1976-05-11", "Central Bank of Belize"),
    _make_peg("XCD", "USD", "2.70", "1976-07-07", "Eastern Caribbean Central Bank"),
    _make_peg("AWG", "USD", "1.79", "1986-01-01", "Central Bank of Aruba"),
    _make_peg("XCG", "USD", "1.79", "2025-03-31", "Central Bank of Curacao and Sint Maarten"),
    _make_peg("DJF", "USD", "177.721", "1973-02-16", "Central Bank of Djibouti"),
    _make_peg("XAF", "EUR", "655.957", "1999-01-01", _CFA),
    _make_peg("XOF", "EUR", "655.957", "1999-01-01", _CFA),
    _make_peg("KMF", "EUR", "491.96775", "1999-01-01", _CFA),
    _make_peg(
        "XPF", "EUR", "119.3317422", "1999-01-01", "France, Decree 98-1152: 1,000 are 8.38 euro"
    ),
    _make_peg(
        "BAM", "EUR", "1.95583", "1999-01-01", "Law on the Central Bank of Bosnia, article 32"
    ),
    _make_peg("CVE", "EUR", "110.265", "1999-01-04", "Bank of Cape Verde, agreement with Portugal"),
    _make_peg("STN", "EUR", "24.5", "2018-01-01", "Central Bank of Sao Tome and Principe"),
    _make_peg("LSL", "ZAR", "1", "1980-01-19", _COMMON),
    _make_peg("SZL", "ZAR", "1", "1974-09-06", _COMMON),
    _make_peg("NAD", "ZAR", "1", "1993-09-15", _COMMON),
    _make_peg("NPR", "INR", "1.6", "1993-02-12", "Nepal Rastra Bank"),
    _make_peg("BTN", "INR", "1", "1974-04-16", "Royal Monetary Authority of Bhutan"),
    _make_peg(
        "BND", "SGD", "1", "1967-06-12", "Currency Interchangeability Agreement with Singapore"
    ),
    _make_peg("FKP", "GBP", "1", "1899-01-01", "Falkland Islands, Currency Ordinance"),
    _make_peg("GIP", "GBP", "1", "1934-01-01", "Gibraltar, Currency Notes Act"),
    _make_peg("SHP", "GBP", "1", "1976-01-01", "Saint Helena, Currency Ordinance"),
)


def find_peg(currency: str, day: date) -> Peg | None:
    """Return the peg of a currency that holds on a day, None where there is none."""
    return next(
        (peg for peg in PEGS if peg.currency == currency and peg.since <= day < peg.until), None
    )
