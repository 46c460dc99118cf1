"""Rules of oversight: how many closed cases are looked at again, which, and by whom."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import date

# What a spreadsheet would take for a formula at the start of a cell
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def quota(*, closed: int, percent: int) -> int:
    """Return how many of so many closed cases are sampled: the share, rounded up."""
    return -(-closed * percent // 100)


def pick(*, cases: Mapping[str, Sequence[int]], percent: Mapping[str, int], key: bytes) -> set[int]:
    """Return the sampled ids of a month's closed cases, given by risk.

    Which ones is fixed by a keyed hash: officers cannot foresee it, an auditor who has the key
    can repeat it, and running it again picks the same.
    """
    chosen: set[int] = set()
    for risk, ids in cases.items():
        number = quota(closed=len(ids), percent=percent.get(risk, 0))
        chosen.update(sorted(ids, key=lambda one: (_draw(key, one), one))[:number])
    return chosen


def _draw(key: bytes, case_id: int) -> bytes:
    return hmac.digest(key, str(case_id).encode(), "sha256")


def month_before(day: date) -> str:
    """Return the month before a day's, as `2026-10`."""
    year, month = (day.year - 1, 12) if day.month == 1 else (day.year, day.month - 1)
    return f"{year:04}-{month:02}"


def cell(value: object) -> str:
    """Return a value as a CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text
