"""Dates as lists print them, turned into ISO dates that may be partial."""

import re
from datetime import date

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WIDEST_RANGE = 20  # years; a wider one says too little to tell two people apart
CIRCA_SLACK = 1  # years either side of a date that the list itself calls approximate

_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ].*)?)?)?", re.ASCII)
_WORDS = re.compile(r"(?:(\d{1,2})[ -])?(?:([A-Za-z]{3})[a-z]*\.?[ -])?(\d{4})", re.ASCII)
_SLASHES = re.compile(r"(\d{2}|dd|--)[/.](\d{2}|mm|--)[/.](\d{4})", re.ASCII | re.IGNORECASE)
_RANGE = re.compile(r"(.*?\d{4})\s*(?:to|and|through|-|/)\s*(.*?\d{4})", re.IGNORECASE)
_CIRCA = re.compile(r"(?:circa|approximately|approx\.?|about|c\.|~)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:between|from)\s+", re.IGNORECASE)


def build_iso_date(year: str, month: str | None = None, day: str | None = None) -> str:
    """Return `1965-03-02`, `1965-03` or `1965` from its parts, or "" when they are no date.

    A month or day of zero counts as not given, and without a month there is no day.
    """
    parts = [int(year)]
    for part in (month, day):
        if not part or not int(part):
            break
        parts.append(int(part))
    try:
        # raises for a 30 February; missing parts are a first
        date(*[*parts, 1, 1][:3])
    except ValueError:
        return ""
    return "-".join(f"{part:02d}" for part in parts) if parts[0] >= 1000 else ""


def parse_date(text: str) -> str:
    """Return one printed date as ISO (day first where slashes are used), "" when unreadable."""
    text = text.strip()
    if match := _ISO.fullmatch(text):
        return build_iso_date(*match.groups())
    # day first, as the UK list prints dates
    if match := _SLASHES.fullmatch(text):
        day, month, year = match.groups()
        return build_iso_date(
            year, month if month.isdigit() else None, day if day.isdigit() else None
        )
    if match := _WORDS.fullmatch(text):
        day, month, year = match.groups()
        if month is None:
            return build_iso_date(year) if day is None else ""
        if month.lower() in MONTHS:
            return build_iso_date(year, str(MONTHS.index(month.lower()) + 1), day)
    return ""


def parse_possible_dates(text: str) -> tuple[str, ...]:
    """Return every date that a printed one may mean.

    An approximate date means its year and the adjacent years, a range its years (none when wider
    than WIDEST_RANGE), an approximate range also the adjacent ones. Dates are
    ISO, possibly partial; unreadable text gives ().
    """
    text = text.strip().rstrip(".")
    if match := _CIRCA.match(text):
        return widen_approximate_dates(parse_possible_dates(text[match.end() :]))
    if parsed := parse_date(text):
        return (parsed,)
    bare = _BETWEEN.sub("", text, count=1)
    if match := _RANGE.fullmatch(bare):
        first, last = (parse_date(_CIRCA.sub("", part.strip())) for part in match.groups())
        if first and last:
            return list_years(int(first[:4]), int(last[:4]))
    return ()


def widen_approximate_dates(dates: tuple[str, ...]) -> tuple[str, ...]:
    """Return the years of dates that a list calls approximate, and those beside them."""
    if not dates:
        return ()
    first, last = int(min(dates)[:4]) - CIRCA_SLACK, int(max(dates)[:4]) + CIRCA_SLACK
    return tuple(str(year) for year in range(max(first, 1000), min(last, 9999) + 1))


def list_years(first: int, last: int) -> tuple[str, ...]:
    """Return the years from first to last as text, or () when the range says too little."""
    if not 1000 <= first <= last <= 9999 or last - first > WIDEST_RANGE:
        return ()
    return tuple(str(year) for year in range(first, last + 1))
