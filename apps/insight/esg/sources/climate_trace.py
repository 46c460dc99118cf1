"""Climate TRACE: emissions of sites by satellite and model, by the LEI of their owners, as CSV.

One file with `parent_lei`, `overall_share_percent`, `year` and `emissions_quantity` (tonnes CO2e,
100 years), joined from the published files of owners and of emissions. All of it is estimated, and
is used where nothing was reported. At the address that ESG_SOURCES names; not verified.
"""

from collections.abc import Iterable
from decimal import Decimal

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import estimate_scope1, iter_csv_rows, parse_number

SLUG = "climate-trace"
PAGE = "https://climatetrace.org/data"
NEEDED = ("parent_lei", "overall_share_percent", "year", "emissions_quantity")


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the estimated emissions of the last year of the sites that an entity owns."""
    tonnes: dict[int, Decimal] = {}
    for row in iter_csv_rows(slug=SLUG, url=url, needed=NEEDED, today=asked.today):
        if row["parent_lei"].upper() == asked.lei and row["emissions_quantity"]:
            year = int(parse_number(row["year"], "year"))
            share = parse_number(row["overall_share_percent"] or 100, "overall_share_percent")
            emissions = parse_number(row["emissions_quantity"], "emissions_quantity")
            tonnes[year] = tonnes.get(year, Decimal(0)) + emissions * share / 100
    return estimate_scope1(tonnes, query=asked, source="CLIMATE_TRACE", url=PAGE)
