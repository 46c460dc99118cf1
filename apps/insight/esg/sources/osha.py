"""OSHA form 300A summaries: recordable cases and hours of a company's establishments, as CSV.

Published columns of the yearly file (Injury Tracking Application); unpacked, at the address that
ESG_SOURCES names. Not verified against a real file.
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import is_same_company, iter_csv_rows, parse_number
from apps.reference.lei.legal_name_check import fold_name

SLUG = "osha"
PAGE = "https://www.osha.gov/Establishment-Specific-Injury-and-Illness-Data"
CASES = ("total_deaths", "total_dafw_cases", "total_djtr_cases", "total_other_cases")
NEEDED = ("company_name", "year_filing_for", "total_hours_worked", *CASES)
# hours of a hundred full-time workers in a year, the base of the rate in OSHA's statistics
RATE_HOURS = 200_000


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the rate of recordable cases of the last year in which a company reported hours."""
    cases: dict[int, Decimal] = {}
    hours: dict[int, Decimal] = {}
    known: dict[str, bool] = {}
    for row in iter_csv_rows(slug=SLUG, url=url, needed=NEEDED, today=asked.today):
        name = fold_name(row["company_name"])
        # the file has a row per establishment: companies recur, and comparing names is what costs
        # time
        if name not in known:
            known[name] = bool(name) and is_same_company(query=asked, other=name)
        # what is blank is not known to be none
        if known[name] and all(row[case] for case in ("total_hours_worked", *CASES)):
            year = int(parse_number(row["year_filing_for"], "year_filing_for"))
            worked = parse_number(row["total_hours_worked"], "total_hours_worked")
            hours[year] = hours.get(year, Decimal(0)) + worked
            count = sum((parse_number(row[case], case) for case in CASES), Decimal(0))
            cases[year] = cases.get(year, Decimal(0)) + count
    years = [year for year, worked in hours.items() if worked > 0]
    if not years:
        return []
    year = max(years)
    return [
        Figure(
            subject=asked.lei,
            key="injury_rate",
            value=cases[year] * RATE_HOURS / hours[year],
            period=str(year),
            period_end=date(year, 12, 31),
            source="OSHA",
            url=PAGE,
            as_of=asked.today,
        )
    ]
