"""Reporting periods as funds write them: which days they are. Pure.

In the specification `reportingPeriod` is a text, such as year-quarter (document 1 section 2.8). If
it can be parsed, later figures do not count. Delegated Regulation (EU) 2022/1288 requires a yearly
statement with earlier years for comparison (Article 10).
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

_FORMS = (
    r"(?:FY ?)?(?P<year>\d{4})",
    # S for semester, as some funds write half years
    r"(?P<year>\d{4})[- /]?(?P<kind>[QHS])(?P<part>\d)",
    r"(?P<kind>[QHS])(?P<part>\d)[- /]?(?P<year>\d{4})",
    r"(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?",
)
_READ = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
# length in months of a quarter and of a half year
_MONTHS = {"Q": 3, "H": 6, "S": 6}


class NoSuchPeriod(ValueError):
    """A text that is written as a period names none, such as a fifth quarter."""


@dataclass(frozen=True, slots=True)
class ReportedPeriod:
    """A period of days, both ends included."""

    begin: date
    end: date


def parse_period(text: str) -> ReportedPeriod | None:
    """Return the days of 2025, FY2025, 2025-Q4, Q4 2025, 2025-H2, 2025-12 or 2025-12-31.

    None for any other text; NoSuchPeriod for 2025-Q5.
    """
    match = next(
        (form_match for form in _READ if (form_match := form.fullmatch(text.strip()))), None
    )
    if match is None:
        return None
    parts = match.groupdict()
    try:
        year = int(parts["year"] or "")
        if parts.get("day"):
            day = date(year, int(parts["month"] or ""), int(parts["day"] or ""))
            return ReportedPeriod(day, day)
        if parts.get("month"):
            return _period_of_months(year, int(parts["month"] or ""), 1)
        if kind := parts.get("kind"):
            length = _MONTHS[kind.upper()]
            return _period_of_months(year, (int(parts["part"] or "") - 1) * length + 1, length)
        return _period_of_months(year, 1, 12)
    except ValueError:
        raise NoSuchPeriod(f"There is no period {text.strip()}.") from None


def _period_of_months(year: int, first: int, count: int) -> ReportedPeriod:
    """Return some months of one year; ValueError where it has none of them."""
    last = first + count - 1
    # 2025-Q5 ends in month 15, which date() refuses
    return ReportedPeriod(date(year, first, 1), date(year, last, monthrange(year, last)[1]))
