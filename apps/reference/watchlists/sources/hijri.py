"""Dates of the Hijri calendars as lists print them, and their Gregorian equivalents.

A list that says "Islamic" may mean the lunar year of Arabia or the solar one of Iran and
Afghanistan: 1343 is 1924/25 in the one and 1964/65 in the other. Both are kept, so that neither
counts as a difference.
"""

import re
from dataclasses import dataclass
from datetime import date

import icu

LUNAR, SOLAR = "lunar", "solar"
# of the lunar calendar two reckonings are in use, which are a day apart: lists print either
CALENDARS = {LUNAR: ("islamic", "islamic-umalqura"), SOLAR: ("persian",)}
FIRST, LAST = 1200, 1500  # years that are no Gregorian birth years of listed persons

_YEAR_FIRST = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?", re.ASCII)
_DAY_FIRST = re.compile(r"(?:(\d{1,2})[-/.])?(\d{1,2})[-/.](\d{4})", re.ASCII)
_UTC = icu.TimeZone.getGMT()


@dataclass(frozen=True, slots=True)
class HijriDate:
    """A day, month or year of a Hijri calendar; month and day are 0 if not stated."""

    year: int
    month: int = 0
    day: int = 0

    def readings(self, *, until: str = "") -> dict[str, tuple[str, ...]]:
        """Return the ISO dates that it may mean by calendar, none later than `until`.

        A day gives days, a month the months that it overlaps, and a year its two years.
        """
        length = 10 if self.day else 7 if self.month else 4
        dates_by_calendar: dict[str, tuple[str, ...]] = {}
        for name, calendars in CALENDARS.items():
            spans = [span for calendar in calendars if (span := self._span(calendar))]
            ends = (end.isoformat()[:length] for span in spans for end in span)
            dates = tuple(sorted(end for end in set(ends) if not until or end <= until))
            if dates:
                dates_by_calendar[name] = dates
        return dates_by_calendar

    def _span(self, calendar: str) -> tuple[date, date] | None:
        """Return the first and the last day; None for what is no date of that calendar."""
        first = _to_gregorian(calendar, self.year, self.month or 1, self.day or 1)
        if self.day or first is None:
            return (first, first) if first else None
        month = self.month or 12
        # months have 29 to 31 days, by calendar and year: the longest that exists is the end
        ends = (_to_gregorian(calendar, self.year, month, day) for day in (31, 30, 29))
        last = next((end for end in ends if end), None)
        return (first, last) if last else None


def parse_hijri_date(text: str) -> HijriDate | None:
    """Return a printed date of a Hijri calendar, whichever end comes first; None for none."""
    if match := _YEAR_FIRST.fullmatch(text.strip()):
        year, month, day = match.groups()
    elif match := _DAY_FIRST.fullmatch(text.strip()):
        day, month, year = match.groups()
    else:
        return None
    if not FIRST <= int(year) <= LAST:
        return None
    if not int(month or 0):
        return HijriDate(int(year))
    return HijriDate(int(year), int(month), int(day or 0))


def _to_gregorian(calendar: str, year: int, month: int, day: int) -> date | None:
    reckoned = icu.Calendar.createInstance(_UTC, icu.Locale(f"en@calendar={calendar}"))
    reckoned.clear()
    reckoned.setLenient(False)  # a thirtieth of a month of 29 days is no date
    reckoned.set(year, month - 1, day)
    try:
        moment = reckoned.getTime()
    except icu.ICUError:
        return None
    days = int(moment // 86_400)  # whole seconds since 1970, at midnight
    return date.fromordinal(date(1970, 1, 1).toordinal() + days)
