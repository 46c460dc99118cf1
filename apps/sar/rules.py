"""Rules of the SAR log: what must be done by when, and what a record of it must say.

Pure: days come in and go out. Every clock names the text it rests on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from holidays import country_holidays

from apps.desk.rules import note_fault

DAYS_TO_FILE = 30
DAYS_TO_REVIEW = 90
REPORT_BUSINESS_DAYS = 10
LONGEST_REFERENCE = 100


# --- business days of the United States (5 U.S.C. 6103) -------------------------------


@lru_cache(maxsize=64)
def federal_holidays(year: int) -> frozenset[date]:
    """Return the working days of a year that are federal holidays, as they are observed.

    One on a Saturday is observed on the Friday before, one on a Sunday on the Monday after; so
    New Year's Day of the next year may fall on 31 December of this one.
    """
    days = country_holidays("US", years=year)
    return frozenset(day for day in days if day.year == year and day.weekday() < 5)


def business_days_after(start: date, number: int) -> date:
    """Return the business day that is `number` business days after a day."""
    day = start
    while number:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in federal_holidays(day.year):
            number -= 1
    return day


# --- where a matter stands ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matter:
    """One entry and what was recorded of it since.

    `sanctions`: a party was matched that OFAC may have listed, so it may be owed a report;
    `matched` is the day on which that was found where it was not known at first. `ofac` is empty
    until it is settled, then BLOCKED, REJECTED or NONE.
    """

    detected: date
    sanctions: bool
    filed: date | None = None
    declined: bool = False
    ended: bool = False
    ofac: str = ""
    annuals: int = 0
    matched: date | None = None
    released: date | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A deadline that runs: `by` is the last day."""

    ref: str
    title: str
    basis: str
    by: date


def clocks(matter: Matter) -> tuple[Clock, ...]:
    """Return the deadlines that run, the nearest first."""
    found = (rule(matter) for rule in CLOCKS)
    return tuple(sorted((one for one in found if one), key=lambda one: (one.by, one.ref)))


def _file(matter: Matter) -> Clock | None:
    """30 calendar days after detection to file, or to record why not."""
    if matter.filed or matter.declined:
        return None
    by = matter.detected + timedelta(days=DAYS_TO_FILE)
    return Clock("SAR-1", "File, or record why not", "31 CFR 1020.320(b)(3)", by)


def _review(matter: Matter) -> Clock | None:
    """90 days after a filing: does the activity go on?"""
    if matter.filed is None or matter.ended:
        return None
    by = matter.filed + timedelta(days=DAYS_TO_REVIEW)
    return Clock("SAR-2", "Review continuing activity", "FinCEN guidance, 90-day review", by)


def _report(matter: Matter) -> Clock | None:
    """10 business days to report blocked property or a rejected transaction to OFAC."""
    if not matter.sanctions or matter.ofac:
        return None
    by = business_days_after(matter.matched or matter.detected, REPORT_BUSINESS_DAYS)
    return Clock("OFAC-1", "Report to OFAC, or record why not", "31 CFR 501.603, 501.604", by)


def _annual(matter: Matter) -> Clock | None:
    """30 September for what was held blocked on 30 June of that year."""
    year = _annual_year(matter)
    if year is None:
        return None
    title = f"Annual report of blocked property {year}"
    return Clock("OFAC-2", title, "31 CFR 501.603(b)(2)", date(year, 9, 30))


def _annual_year(matter: Matter) -> int | None:
    """Return the first year of which the annual report is not made; None when none is due."""
    if matter.ofac != "BLOCKED":
        return None
    first = matter.detected.year + (matter.detected > date(matter.detected.year, 6, 30))
    year = first + matter.annuals
    if matter.released and matter.released <= date(year, 6, 30):
        return None
    return year


def _annual_open(matter: Matter, day: date) -> bool:
    """Tell whether a report can be made: it says what was held on 30 June, so not before July."""
    year = _annual_year(matter)
    return year is not None and day > date(year, 6, 30)


def report_by(matter: Matter) -> date | None:
    """Return until when a report to OFAC would be due, where no clock for it began by itself.

    A country alone blocks also where no embargo forbids the payment, and a party that others than
    OFAC have listed may be under an embargo besides: an officer judges that.
    """
    if matter.sanctions or matter.ofac:
        return None
    return business_days_after(matter.detected, REPORT_BUSINESS_DAYS)


CLOCKS: tuple[Callable[[Matter], Clock | None], ...] = (_file, _review, _report, _annual)


# --- what can be recorded -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that can be recorded: what it must say, when it may be, and what it changes."""

    action: str
    title: str
    needs: str  # "reference" or "rationale"
    may: Callable[[Matter, date], bool]
    then: Callable[[Matter, date], Matter]


STEPS: tuple[Step, ...] = (
    Step(
        "FILED",
        "SAR filed",
        "reference",
        lambda m, day: True,
        lambda m, day: replace(m, filed=day, declined=False, ended=False),
    ),
    Step(
        "NOT_FILED",
        "No SAR",
        "rationale",
        lambda m, day: not m.filed and not m.declined,
        lambda m, day: replace(m, declined=True),
    ),
    Step(
        "ENDED",
        "Reviewed: the activity does not go on",
        "rationale",
        lambda m, day: m.filed is not None and not m.ended,
        lambda m, day: replace(m, ended=True),
    ),
    Step(
        "MATCHED",
        "A sanctioned party was found",
        "rationale",
        lambda m, day: not m.sanctions and not m.ofac,
        lambda m, day: replace(m, sanctions=True, matched=day),
    ),
    Step(
        "OFAC_BLOCKED",
        "Blocked property reported to OFAC",
        "reference",
        # also where a country alone blocked, and where another answer was recorded by error
        lambda m, day: m.ofac != "BLOCKED",
        lambda m, day: replace(m, ofac="BLOCKED"),
    ),
    Step(
        "OFAC_REJECTED",
        "Rejected transaction reported to OFAC",
        "reference",
        lambda m, day: m.ofac in ("", "NONE"),
        lambda m, day: replace(m, ofac="REJECTED"),
    ),
    Step(
        "OFAC_NONE",
        "No report to OFAC is due",
        "rationale",
        lambda m, day: m.sanctions and not m.ofac,
        lambda m, day: replace(m, ofac="NONE"),
    ),
    Step(
        "ANNUAL",
        "Annual report of blocked property made",
        "reference",
        _annual_open,
        lambda m, day: replace(m, annuals=m.annuals + 1),
    ),
    Step(
        "RELEASED",
        "Blocked property released",
        "reference",
        lambda m, day: m.ofac == "BLOCKED" and m.released is None,
        lambda m, day: replace(m, released=day),
    ),
)
BY_ACTION = {step.action: step for step in STEPS}


def opened(*, detected: date, sanctions: bool) -> Matter:
    """Return a matter as it begins."""
    return Matter(detected=detected, sanctions=sanctions)


def after(matter: Matter, recorded: Sequence[tuple[str, date]]) -> Matter:
    """Return where a matter stands after what was recorded, the oldest first."""
    for action, day in recorded:
        matter = BY_ACTION[action].then(matter, day)
    return matter


def possible(matter: Matter, day: date) -> tuple[Step, ...]:
    """Return what can be recorded on a day."""
    return tuple(step for step in STEPS if step.may(matter, day))


def fault(*, step: Step, reference: str, rationale: str) -> str:
    """Return what is missing from a record, or an empty text."""
    if step.needs == "reference" and not reference.strip():
        return "Give the reference of what was filed or reported."
    if len(reference) > LONGEST_REFERENCE:
        return f"Keep the reference under {LONGEST_REFERENCE} characters."
    if step.needs == "rationale" or rationale.strip():
        return note_fault(rationale, what="rationale")
    return ""
