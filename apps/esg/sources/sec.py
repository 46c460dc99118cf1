"""SEC EDGAR company facts: revenue of the last year, and how soon its annual report was filed.

Published format: `company_tickers.json` (`cik_str`, `title`) and `companyfacts/CIK##########.json`
with `facts.us-gaap.<concept>.units.USD[]` of `start, end, val, form, filed`. Not verified against a
whole real file. The SEC asks for a contact in the User-Agent (ESG_CONTACT).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.esg.evidence import Figure
from apps.esg.sources import Asked
from apps.esg.sources.asking import Site, day, mapping, number, objects, same_company

SLUG = "sec"
ANNUAL = ("10-K", "20-F", "40-F")
YEAR = range(350, 381)  # days of a fiscal year, of 52 or 53 weeks
CONCEPTS = (  # the first that a company uses
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "Revenues",
    "RevenueFromContractWithCustomerIncludingAssessedTax",
    "SalesRevenueNet",
)


@dataclass(frozen=True, slots=True)
class Year:
    """One fiscal year as its annual report has it."""

    end: date
    filed: date
    revenue: Decimal


def fetch(*, url: str, asked: Asked) -> Iterable[Figure]:
    """Return revenue and days to the annual report of the last year; nothing for others' names."""
    number_ = _cik(url, asked)
    if number_ is None:
        return []
    path = f"/api/xbrl/companyfacts/CIK{number_:010d}.json"
    body = mapping(Site(SLUG, url).json(path), "the answer")
    last = max(_years(body), key=lambda one: (one.end, -one.filed.toordinal()), default=None)
    if last is None:
        return []
    page = (
        f"https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK={number_:010d}&type=10-K"
    )
    return list(_figures(asked, last, page))


def _cik(url: str, asked: Asked) -> int | None:
    """Return the number under which a company files, None for one that does not."""
    listed = Site(SLUG, url.replace("data.sec.gov", "www.sec.gov"))
    body = mapping(listed.json("/files/company_tickers.json"), "the list of companies")
    for one in objects(list(body.values()), "the list of companies"):
        if same_company(asked=asked, other=str(one.get("title") or "")):
            return int(number(one.get("cik_str"), "cik_str"))
    return None


def _years(body: Mapping[str, Any]) -> Iterator[Year]:
    facts = mapping(mapping(body.get("facts"), "facts").get("us-gaap", {}), "us-gaap")
    for concept in CONCEPTS:
        units = mapping(mapping(facts.get(concept, {}), concept).get("units", {}), "units")
        for one in objects(units.get("USD", []), concept):
            if one.get("form") not in ANNUAL or "start" not in one:
                continue
            start, end = day(one["start"], "start"), day(one.get("end"), "end")
            if (end - start).days in YEAR:
                yield Year(end, day(one.get("filed"), "filed"), number(one.get("val"), "val"))


def _figures(asked: Asked, last: Year, page: str) -> Iterator[Figure]:
    told = (
        ("revenue_usd", last.revenue),
        ("annual_report_days", Decimal((last.filed - last.end).days)),
    )
    for key, value in told:
        yield Figure(
            subject=asked.lei,
            key=key,
            value=value,
            period=f"year to {last.end}",
            period_end=last.end,
            source="SEC",
            url=page,
            as_of=last.filed,
        )
