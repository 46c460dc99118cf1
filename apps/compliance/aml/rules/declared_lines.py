"""Lines of a declaration as people write them, and as a file of past payments gives them. Pure."""

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from apps.compliance.aml.rules.expected_activity import KIND_BY_CODE, KINDS, ActivityLine

# a trillion USD and ten million payments a month: what is more is a slip
MOST_USD = 10**12
MOST_PAYMENTS = 10**7
MONTH_DAYS = 30
COLUMNS = ("date", "kind", "amount", "counterparty")  # of a file of past payments
NUMBERS = tuple(field.name for field in fields(ActivityLine) if field.name != "kind")
LIMITS = dict(zip(NUMBERS, (MOST_PAYMENTS, MOST_USD, MOST_PAYMENTS, MOST_USD), strict=True))


class LineError(ValueError):
    """A line cannot be read; the text says which, and why."""


def parse_written_lines(text: str) -> list[dict[str, Any]]:
    """Return the lines of a text, one a line: kind; payments; volume; counterparties; largest."""
    return [
        _parse_line(row, number) for number, row in enumerate(text.splitlines(), 1) if row.strip()
    ]


def _parse_line(row: str, number: int) -> dict[str, Any]:
    kind, *numbers = (part.strip() for part in row.split(";"))
    if len(numbers) != len(NUMBERS):
        raise LineError(
            f"Line {number}: write kind; payments; volume; counterparties; largest, with four ; "
            "between them."
        )
    values = {
        name: _parse_whole_number(text, number, name)
        for name, text in zip(NUMBERS, numbers, strict=True)
    }
    return {"kind": kind.upper(), **values}


def _parse_whole_number(text: str, number: int, name: str) -> int:
    digits = text.replace(",", "").replace(" ", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 15:
        raise LineError(f"Line {number}: {name} is a whole number, not {text[:30]!r}.")
    return int(digits)


def format_lines(lines: Iterable[Mapping[str, Any]]) -> str:
    """Return lines as people write them."""
    return "\n".join("; ".join(str(row[name]) for name in ("kind", *NUMBERS)) for row in lines)


def find_line_faults(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the faults of declared lines as sentences."""
    line_faults = []
    kinds = [str(row["kind"]) for row in lines]
    for kind in dict.fromkeys(kinds):
        if kind not in KIND_BY_CODE:
            line_faults.append(
                f"Unknown kind {kind[:30]!r}. Known: {', '.join(known.code for known in KINDS)}."
            )
        elif kinds.count(kind) > 1:
            line_faults.append(f"{kind} is listed twice: combine its payments.")
    for row in lines:
        for name, most in LIMITS.items():
            if not 1 <= row[name] <= most:
                line_faults.append(f"{row['kind']}: {name} must be 1 to {most:,}.")
        if row["largest"] > row["volume"]:
            line_faults.append(
                f"{row['kind']}: the largest payment is more than the month's volume."
            )
    return line_faults


def summarize_history(text: str, *, today: date) -> list[dict[str, Any]]:
    """Return the busiest month of a file of past payments, by kind; refuses future days.

    The file is CSV with COLUMNS: a date, a kind, an amount in USD and a counterparty. The busiest
    month counts, because a declaration states the most that a month may have.
    """
    try:
        return _summarize_rows(csv.DictReader(io.StringIO(text, newline="")), today)
    except csv.Error as error:
        raise LineError(f"The file is not CSV: {error}.") from error


def _summarize_rows(reader: "csv.DictReader[str]", today: date) -> list[dict[str, Any]]:
    heads = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
    if missing := [name for name in COLUMNS if name not in heads]:
        raise LineError(f"The first line of the file must name {', '.join(missing)}.")
    rows: list[tuple[date, str, Decimal, str]] = []
    for number, row in enumerate(reader, 2):
        cells = {name: (row[heads[name]] or "").strip() for name in COLUMNS}
        kind = cells["kind"].upper()
        if kind not in KIND_BY_CODE:
            codes = ", ".join(activity_kind.code for activity_kind in KINDS)
            raise LineError(f"Line {number}: unknown kind {cells['kind'][:30]!r}. Known: {codes}.")
        try:
            day, amount = date.fromisoformat(cells["date"]), Decimal(cells["amount"])
        except (ValueError, InvalidOperation) as error:
            raise LineError(
                f"Line {number}: write dates like 2026-11-28 and amounts like 1234.50."
            ) from error
        if not amount.is_finite() or not 0 < amount <= MOST_USD:
            raise LineError(f"Line {number}: {cells['amount'][:30]} is not a valid amount.")
        if day > today:
            raise LineError(f"Line {number}: {day} is in the future; give past payments only.")
        rows.append((day, kind, amount, cells["counterparty"]))
    if not rows:
        raise LineError("The file contains no payments.")
    # months of 30 days from the first payment on, as `covers` counts them
    first = min(day for day, *_ in rows)
    months: dict[str, dict[int, list[tuple[Decimal, str]]]] = defaultdict(lambda: defaultdict(list))
    for day, kind, amount, other in rows:
        months[kind][(day - first).days // MONTH_DAYS].append((amount, other))
    return [
        asdict(_summarize_busiest_month(kind, list(payments_by_month.values())))
        for kind, payments_by_month in sorted(months.items())
    ]


def _summarize_busiest_month(
    kind: str, months: Sequence[Sequence[tuple[Decimal, str]]]
) -> ActivityLine:
    return ActivityLine(
        kind,
        payments=max(len(month) for month in months),
        # whole USD are declared, rounded up so that the busiest month itself stays within
        volume=math.ceil(max(sum(amount for amount, _ in month) for month in months)),
        counterparties=max(len({other for _, other in month}) for month in months),
        largest=math.ceil(max(amount for month in months for amount, _ in month)),
    )
