"""SEC EDGAR company facts: revenue of the last year, and how soon its annual report was filed.

Published format: `company_tickers.json` (`cik_str`, `title`) and `companyfacts/CIK##########.json`
with `facts.us-gaap.<concept>.units.USD[]` of `start, end, val, form, filed`. Not verified against a
whole real file. The SEC requires a contact in the User-Agent (ESG_CONTACT).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import (
    SourceServer,
    is_same_company,
    parse_day,
    parse_number,
    require_object,
    require_object_list,
)

SLUG = "sec"
ANNUAL = ("10-K", "20-F", "40-F")
# days of a fiscal year, of 52 or 53 weeks; the same concepts also have quarters and half years
FISCAL_YEAR_DAYS = range(350, 381)
# concepts for revenue, which companies choose between; of one year the first counts
CONCEPTS = (
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "Revenues",
    "RevenueFromContractWithCustomerIncludingAssessedTax",
    "SalesRevenueNet",
)


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """One fiscal year as its annual report has it."""

    end: date
    filed: date
    revenue: Decimal


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return revenue and days to the annual report of the last year; empty if no name matches."""
    cik = _find_cik(url, asked)
    if cik is None:
        return []
    path = f"/api/xbrl/companyfacts/CIK{cik:010d}.json"
    body = require_object(SourceServer(SLUG, url).json(path), "the answer")
    last = max(
        _parse_fiscal_years(body),
        # later reports repeat the revenue of earlier years: the first filing of a year is its own
        # report
        key=lambda fiscal_year: (fiscal_year.end, -fiscal_year.filed.toordinal()),
        default=None,
    )
    if last is None:
        return []
    page = f"https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK={cik:010d}&type=10-K"
    return list(_build_figures(asked, last, page))


def _find_cik(url: str, source_query: SourceQuery) -> int | None:
    """Return the CIK of a company, or None if it does not file."""
    # the list of companies is served by www.sec.gov, the facts by data.sec.gov
    listed = SourceServer(SLUG, url.replace("data.sec.gov", "www.sec.gov"))
    body = require_object(listed.json("/files/company_tickers.json"), "the list of companies")
    for company in require_object_list(list(body.values()), "the list of companies"):
        if is_same_company(query=source_query, other=str(company.get("title") or "")):
            return int(parse_number(company.get("cik_str"), "cik_str"))
    return None


def _parse_fiscal_years(body: Mapping[str, Any]) -> Iterator[FiscalYear]:
    facts = require_object(require_object(body.get("facts"), "facts").get("us-gaap", {}), "us-gaap")
    for concept in CONCEPTS:
        units = require_object(
            require_object(facts.get(concept, {}), concept).get("units", {}), "units"
        )
        for fact in require_object_list(units.get("USD", []), concept):
            if fact.get("form") not in ANNUAL or "start" not in fact:
                continue
            start, end = parse_day(fact["start"], "start"), parse_day(fact.get("end"), "end")
            if (end - start).days in FISCAL_YEAR_DAYS:
                yield FiscalYear(
                    end, parse_day(fact.get("filed"), "filed"), parse_number(fact.get("val"), "val")
                )


def _build_figures(source_query: SourceQuery, last: FiscalYear, page: str) -> Iterator[Figure]:
    figures = (
        ("revenue_usd", last.revenue),
        ("annual_report_days", Decimal((last.filed - last.end).days)),
    )
    for key, value in figures:
        yield Figure(
            subject=source_query.lei,
            key=key,
            value=value,
            period=f"year to {last.end}",
            period_end=last.end,
            source="SEC",
            url=page,
            as_of=last.filed,
        )
