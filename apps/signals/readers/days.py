"""How publishers write days, as a table of pure functions. A period is dated by its last day."""

import re
from calendar import isleap
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from apps.signals.rows import Malformed, month_end

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SEASONS = ("DJF", "JFM", "FMA", "MAM", "AMJ", "MJJ", "JJA", "JAS", "ASO", "SON", "OND", "NDJ")
ZONED = re.compile(r"T.*(Z|[+-]\d\d:?\d\d)$")
EXCEL = date(1899, 12, 30)  # day 0 of spreadsheets, whose 1900 is a leap year


def iso(text: str) -> date:
    """Read `2026-11-20`, with or without a time behind it; one that names its zone, in UTC."""
    if ZONED.search(text):  # a publisher east of Greenwich is in tomorrow first
        return datetime.fromisoformat(text).astimezone(UTC).date()
    return date.fromisoformat(text[:10])


def american(text: str) -> date:
    """Read `11/20/2026`."""
    month, day, year = (int(part) for part in text.split("/"))
    return date(year, month, day)


def named(text: str) -> date:
    """Read `31-Aug-2026`."""
    day, month, year = text.split("-")
    return date(int(year), MONTHS.index(month) + 1, int(day))


def month(text: str) -> date:
    """Read `2026M05`, `2026-05`, `202605` or `2026-05-01` as the last day of the month."""
    found = re.fullmatch(r"(\d{4})[-M]?(\d{2})(-\d{2})?", text)
    if not found:
        raise ValueError("not a month")
    return month_end(int(found[1]), int(found[2]))


def year(text: str) -> date:
    """Read `2026` as the last day of the year."""
    return date(int(text), 12, 31)


def parts(text: str) -> date:
    """Read `2026 8 21`, or `2026 8` as the last day of the month."""
    numbers = [int(part) for part in text.split()]
    return month_end(numbers[0], numbers[1]) if len(numbers) == 2 else date(*numbers)


def bls(text: str) -> date:
    """Read `2026 M05` as the last day of the month."""
    found = re.fullmatch(r"(\d{4}) M(0[1-9]|1[0-2])", text)
    if not found:
        raise ValueError("not a month")
    return month_end(int(found[1]), int(found[2]))


def season(text: str) -> date:
    """Read `MJJ 2026`, three months by their initials, as the last day of the middle one."""
    name, of = text.split()
    return month_end(int(of), SEASONS.index(name) + 1)


def decimal_year(text: str) -> date:
    """Read `2026.4857` as the day that far into the year."""
    whole, _, fraction = text.partition(".")
    length = 366 if isleap(int(whole)) else 365
    return date(int(whole), 1, 1) + timedelta(days=int(float(f"0.{fraction or 0}") * length))


def milliseconds(text: str) -> date:
    """Read milliseconds since 1970, in UTC."""
    return datetime.fromtimestamp(int(text) / 1000, UTC).date()


def seconds(text: str) -> date:
    """Read seconds since 1970, in UTC."""
    return datetime.fromtimestamp(int(text), UTC).date()


def sheet(text: str) -> date:
    """Read a cell of a spreadsheet: its number of days, or a month as text."""
    if re.fullmatch(r"\d{1,6}(\.0*)?", text) and int(float(text)) < 100000:
        return EXCEL + timedelta(days=int(float(text)))
    return month(text)


def sheet_month(text: str) -> date:
    """Read a cell of a spreadsheet that stands for a month as the last day of it."""
    day = sheet(text)
    return month_end(day.year, day.month)


DAYS: dict[str, Callable[[str], date]] = {
    "iso": iso,
    "american": american,
    "named": named,
    "month": month,
    "year": year,
    "parts": parts,
    "bls": bls,
    "season": season,
    "decimal_year": decimal_year,
    "milliseconds": milliseconds,
    "seconds": seconds,
    "sheet": sheet,
    "sheet_month": sheet_month,
}


def day_of(text: str, form: str) -> date:
    """Return the day that a text in one of these forms stands for; Malformed for anything else."""
    try:
        return DAYS[form](text.strip())
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise Malformed(f"{text[:20]!r} is no day ({form})") from error
