"""How publishers write days, as a table of pure functions. A period is dated by its last day."""

import re
from calendar import isleap
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from apps.platform.common.days import MONTH_NAMES
from apps.reference.signals.row_parsing import Malformed, last_day_of_month

SEASONS = ("DJF", "JFM", "FMA", "MAM", "AMJ", "MJJ", "JJA", "JAS", "ASO", "SON", "OND", "NDJ")
ZONED = re.compile(r"T.*(Z|[+-]\d\d:?\d\d)$")
EXCEL = date(1899, 12, 30)  # day 0 of spreadsheets, whose 1900 is a leap year


def parse_iso_day(text: str) -> date:
    """Read `2026-11-20`, with or without a time behind it; one that names its zone, in UTC."""
    if ZONED.search(text):  # a publisher east of Greenwich is in tomorrow first
        return datetime.fromisoformat(text).astimezone(UTC).date()
    return date.fromisoformat(text[:10])


def parse_american_day(text: str) -> date:
    """Read `11/20/2026`."""
    month, day, year = (int(part) for part in text.split("/"))
    return date(year, month, day)


def parse_named_month_day(text: str) -> date:
    """Read `31-Aug-2026`."""
    day, month, year = text.split("-")
    return date(int(year), MONTH_NAMES.index(month) + 1, int(day))


def parse_month_end(text: str) -> date:
    """Read `2026M05`, `2026-05`, `202605` or `2026-05-01` as the last day of the month."""
    match = re.fullmatch(r"(\d{4})[-M]?(\d{2})(-\d{2})?", text)
    if not match:
        raise ValueError("not a month")
    return last_day_of_month(int(match[1]), int(match[2]))


def parse_year_end(text: str) -> date:
    """Read `2026` as the last day of the year."""
    return date(int(text), 12, 31)


def parse_day_parts(text: str) -> date:
    """Read `2026 8 21`, or `2026 8` as the last day of the month."""
    numbers = [int(part) for part in text.split()]
    return last_day_of_month(numbers[0], numbers[1]) if len(numbers) == 2 else date(*numbers)


def parse_bls_month(text: str) -> date:
    """Read `2026 M05` as the last day of the month."""
    match = re.fullmatch(r"(\d{4}) M(0[1-9]|1[0-2])", text)
    if not match:
        raise ValueError("not a month")
    return last_day_of_month(int(match[1]), int(match[2]))


def parse_season(text: str) -> date:
    """Read `MJJ 2026`, three months by their initials, as the last day of the middle one."""
    name, of = text.split()
    return last_day_of_month(int(of), SEASONS.index(name) + 1)


def parse_decimal_year(text: str) -> date:
    """Read `2026.4857` as the day that far into the year."""
    whole, _, fraction = text.partition(".")
    length = 366 if isleap(int(whole)) else 365
    return date(int(whole), 1, 1) + timedelta(days=int(float(f"0.{fraction or 0}") * length))


def parse_instant(text: str) -> date:
    """Read milliseconds since 1970, in UTC, or what `parse_iso_day` reads: PortWatch sends both."""
    if re.fullmatch(r"-?\d{9,}", text):
        return datetime.fromtimestamp(int(text) / 1000, UTC).date()
    return parse_iso_day(text)


def parse_epoch_seconds(text: str) -> date:
    """Read seconds since 1970, in UTC."""
    return datetime.fromtimestamp(int(text), UTC).date()


def parse_sheet_day(text: str) -> date:
    """Read a cell of a spreadsheet: its number of days, or a month as text."""
    # up to 100,000, the year 2173, it is a number of days; 202605 is a month
    if re.fullmatch(r"\d{1,6}(\.0*)?", text) and int(float(text)) < 100000:
        return EXCEL + timedelta(days=int(float(text)))
    return parse_month_end(text)


def parse_sheet_month(text: str) -> date:
    """Read a spreadsheet cell for a month as the last day of that month."""
    day = parse_sheet_day(text)
    return last_day_of_month(day.year, day.month)


DAY_PARSERS: dict[str, Callable[[str], date]] = {
    "iso": parse_iso_day,
    "american": parse_american_day,
    "named": parse_named_month_day,
    "month": parse_month_end,
    "year": parse_year_end,
    "parts": parse_day_parts,
    "bls": parse_bls_month,
    "season": parse_season,
    "decimal_year": parse_decimal_year,
    "instant": parse_instant,
    "seconds": parse_epoch_seconds,
    "sheet": parse_sheet_day,
    "sheet_month": parse_sheet_month,
}


def parse_day(text: str, form: str) -> date:
    """Parse a day in one of these forms; Malformed for anything else."""
    try:
        return DAY_PARSERS[form](text.strip())
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise Malformed(f"{text[:20]!r} is not a day ({form})") from error
