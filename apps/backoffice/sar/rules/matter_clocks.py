"""Deadlines of a SAR matter. Pure.

Every clock names its legal basis. What was filed or reported counts from the day on which that
happened, whenever it is recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from holidays import country_holidays

# calendar days, unless the name says business days
DAYS_TO_FILE = 30  # from the detection: 31 CFR 1020.320(b)(3)
DAYS_WITHOUT_SUSPECT = 60  # from the detection, while no suspect is known; the same paragraph
DAYS_TO_REVIEW = 90  # from a filing, to review whether the activity continues
DAYS_TO_CONTINUE = 120  # from a filing, to file again on continuing activity
REPORT_BUSINESS_DAYS = 10  # from the detection, to report to OFAC: 31 CFR 501.603, 501.604
CONTINUING = "FinCEN guidance on continuing activity: 90 days reviewed, filed by day 120"


# --- business days of the United States (5 U.S.C. 6103) -------------------------------


@lru_cache(maxsize=64)
def list_federal_holidays(year: int) -> frozenset[date]:
    """Return the weekdays of a year that are federal holidays, as they are observed."""
    # observed on the Friday before a Saturday and on the Monday after a Sunday (5 U.S.C. 6103), so
    # New Year's Day of the next year may fall on 31 December of this one, which the library adds
    days = country_holidays("US", years=year)
    return frozenset(day for day in days if day.year == year and day.weekday() < 5)


def add_business_days(start: date, number: int) -> date:
    """Return the business day that is `number` business days after a day."""
    day = start
    while number:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in list_federal_holidays(day.year):
            number -= 1
    return day


# --- the state of a matter ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matter:
    """One entry and the steps recorded since.

    `sanctions`: a party was matched that OFAC may have listed, so it may be owed a report;
    `matched` is the day on which that was found where it was not known at first. `ofac` is empty
    until it is settled, then BLOCKED, REJECTED or NONE. `filed` is the day of the last filing;
    `unknown`: no suspect was known, so more days are allowed to identify one;
    `goes_on`: the review found that the activity does. `anew` is the day of a suspicion that
    reopened a settled matter.
    """

    detected: date
    sanctions: bool
    filed: date | None = None
    to_file: bool = False
    unknown: bool = False
    goes_on: bool = False
    declined: bool = False
    ended: bool = False
    ofac: str = ""
    annuals: int = 0
    matched: date | None = None
    released: date | None = None
    anew: date | None = None

    @property
    def begins(self) -> date:
        """Return the day from which the days to file are counted."""
        return self.anew or self.detected


@dataclass(frozen=True, slots=True)
class Clock:
    """A deadline that runs: `by` is the last day."""

    ref: str
    title: str
    basis: str
    by: date


def list_running_clocks(matter: Matter) -> tuple[Clock, ...]:
    """Return the deadlines that run, the nearest first."""
    clocks = (rule(matter) for rule in CLOCKS)
    return tuple(
        sorted((clock for clock in clocks if clock), key=lambda clock: (clock.by, clock.ref))
    )


def _filing_clock(matter: Matter) -> Clock | None:
    """30 calendar days after detection to file, or to record why not; 60 without a suspect."""
    if matter.filed or matter.declined:
        return None
    by = _get_filing_deadline(matter.begins, unknown=matter.unknown)
    return Clock("SAR-1", "File, or record why not", "31 CFR 1020.320(b)(3)", by)


def _get_filing_deadline(detected: date, *, unknown: bool) -> date:
    return detected + timedelta(days=DAYS_WITHOUT_SUSPECT if unknown else DAYS_TO_FILE)


def count_days_late(*, detected: date, filed: date, unknown: bool) -> int:
    """Return how many days after its last day a first filing was made; 0 for one in time.

    `unknown`: no suspect was identified when it was detected.
    """
    return max(0, (filed - _get_filing_deadline(detected, unknown=unknown)).days)


def get_first_review_day(matter: Matter) -> date | None:
    """Return the day from which the activity after a filing is reviewed; None without a filing."""
    return None if matter.filed is None else matter.filed + timedelta(days=DAYS_TO_REVIEW)


def _review_clock(matter: Matter) -> Clock | None:
    """120 days after a filing: 90 days of activity are reviewed, and filed on if it goes on."""
    if matter.filed is None or matter.ended or matter.goes_on:
        return None
    by = matter.filed + timedelta(days=DAYS_TO_CONTINUE)
    return Clock("SAR-2", "Review continuing activity", CONTINUING, by)


def _continuation_clock(matter: Matter) -> Clock | None:
    """120 days after a filing to file again, where the review found that the activity goes on."""
    if matter.filed is None or not matter.goes_on:
        return None
    by = matter.filed + timedelta(days=DAYS_TO_CONTINUE)
    return Clock("SAR-3", "File again: the activity goes on", CONTINUING, by)


def _ofac_report_clock(matter: Matter) -> Clock | None:
    """10 business days to report blocked property or a rejected transaction to OFAC."""
    if not matter.sanctions or matter.ofac:
        return None
    by = add_business_days(matter.matched or matter.detected, REPORT_BUSINESS_DAYS)
    return Clock("OFAC-1", "Report to OFAC, or record why not", "31 CFR 501.603, 501.604", by)


def _annual_report_clock(matter: Matter) -> Clock | None:
    """30 September for what was held blocked on 30 June of that year."""
    year = _get_next_annual_year(matter)
    if year is None:
        return None
    title = f"Annual report of blocked property {year}"
    return Clock("OFAC-2", title, "31 CFR 501.603(b)(2)", date(year, 9, 30))


def _get_next_annual_year(matter: Matter) -> int | None:
    """Return the first year of which the annual report is not made; None when none is due."""
    if matter.ofac != "BLOCKED":
        return None
    # the report covers what is held on 30 June: what was blocked later is first due the year after
    first = matter.detected.year + (matter.detected > date(matter.detected.year, 6, 30))
    year = first + matter.annuals
    if matter.released and matter.released <= date(year, 6, 30):
        return None
    return year


def get_first_annual_report_day(matter: Matter) -> date | None:
    """Return the first day of a report: it covers what was held on 30 June, so from July on."""
    year = _get_next_annual_year(matter)
    return None if year is None else date(year, 7, 1)


def get_ofac_report_deadline(matter: Matter) -> date | None:
    """Return the deadline of a report to OFAC if no clock started automatically.

    A country alone blocks even if no embargo forbids the payment, and a party listed only by other
    authorities may also be under an embargo: an officer judges that.
    """
    if matter.sanctions or matter.ofac:
        return None
    return add_business_days(matter.detected, REPORT_BUSINESS_DAYS)


CLOCKS: tuple[Callable[[Matter], Clock | None], ...] = (
    _filing_clock,
    _review_clock,
    _continuation_clock,
    _ofac_report_clock,
    _annual_report_clock,
)


def build_new_matter(*, detected: date, sanctions: bool) -> Matter:
    """Return a matter as it begins."""
    return Matter(detected=detected, sanctions=sanctions)
