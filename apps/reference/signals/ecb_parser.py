"""The European Central Bank's euro reference rates: SDMX-CSV to dated rates, all or nothing.

A rate says how many units of a currency one euro buys. Columns are found by name, because the
bank adds some; any breach of the format refuses the whole file, so that the last good rates
stay.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from apps.reference.signals.row_parsing import Malformed

NEEDED = ("CURRENCY", "TIME_PERIOD", "OBS_VALUE")
MISSING = frozenset({"", "NaN", "-"})
# no currency in the bank's list was ever outside; a shifted column would be
LEAST, MOST = Decimal("0.01"), Decimal("1000000")
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Rate:
    """Units of `currency` for one euro on a day."""

    currency: str
    day: date
    per_euro: Decimal


@dataclass(frozen=True, slots=True)
class MissingRate:
    """A day for which the bank states that a currency has no rate."""

    currency: str
    day: date


def parse_ecb_rates(lines: Iterable[str], *, today: date) -> tuple[Rate, ...]:
    """Return the daily rates of an SDMX-CSV file, oldest first, or raise Malformed.

    Days without a value are left out; a day after `today`, a value that is not a plausible rate,
    two values for one day, and a file without rates are refused.
    """
    rates: dict[tuple[str, date], Rate] = {}
    for rate in iter_rates(lines):
        if rate.day > today:
            raise Malformed(f"{rate.day} is in the future")
        first_rate = rates.setdefault((rate.currency, rate.day), rate)
        if first_rate != rate:
            raise Malformed(f"two values for {rate.currency} on {rate.day}")
    if not rates:
        raise Malformed("the file holds no rate")
    return tuple(sorted(rates.values(), key=lambda rate: (rate.day, rate.currency)))


def iter_rates(lines: Iterable[str]) -> Iterator[Rate]:
    """Yield the daily rates of an SDMX-CSV file in its order; Malformed for any breach."""
    for rate in iter_rates_and_gaps(lines):
        if isinstance(rate, Rate):
            yield rate


def iter_rates_and_gaps(lines: Iterable[str]) -> Iterator[Rate | MissingRate]:
    """Yield what a file has for each currency and day: a rate, or a mark that there is none."""
    for number, row in enumerate(_iter_csv_rows(lines), start=2):
        # a file of the bank may also have monthly averages, and rates for other currencies
        if row.get("FREQ", "D") == "D" and row.get("CURRENCY_DENOM", "EUR") == "EUR":
            yield _parse_csv_row(row, number)


def _iter_csv_rows(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(lines, strict=True)
    try:
        missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            raise Malformed(f"columns are missing: {', '.join(missing)}")
        for row in reader:
            # DictReader puts cells without a name under None, and None under names without a cell
            if None in row or None in row.values():
                raise Malformed(f"line {reader.line_num} has another number of cells")
            yield row
    except csv.Error as error:
        raise Malformed(f"line {reader.line_num}: {error}") from error


def _parse_csv_row(row: dict[str, str], number: int) -> Rate | MissingRate:
    if not _CURRENCY.fullmatch(row["CURRENCY"]):
        raise Malformed(f"row {number}: {row['CURRENCY']!r} is not a currency code")
    try:
        day = date.fromisoformat(row["TIME_PERIOD"])
        if row["OBS_VALUE"] in MISSING:
            return MissingRate(row["CURRENCY"], day)
        value = Decimal(row["OBS_VALUE"])
    except (ValueError, InvalidOperation) as error:
        raise Malformed(f"row {number}: {error}") from error
    if not value.is_finite() or not LEAST <= value <= MOST:
        raise Malformed(f"row {number}: {value} is not a plausible rate")
    return Rate(row["CURRENCY"], day, value)
