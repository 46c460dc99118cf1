"""EU emissions trading: verified emissions of installations, by the LEI of their operator, as CSV.

About a fifth of installations name an LEI, hyphenated at times and unchecked: an entity without a
row may still have installations, so a missing row gives no figure. Only carbon dioxide of these
sites: the sum is not the company's own report, and is `estimated`. ESG_SOURCES gives the address;
not verified against a real file.
"""

from collections.abc import Iterable
from decimal import Decimal

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import estimate_scope1, iter_csv_rows, parse_number

SLUG = "eu-ets"
PAGE = "https://union-registry-data.ec.europa.eu"
NEEDED = ("lei", "year", "verified_emissions")


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the verified emissions of the last year that an operator's installations have."""
    tonnes: dict[int, Decimal] = {}
    for row in iter_csv_rows(slug=SLUG, url=url, needed=NEEDED, today=asked.today):
        lei = "".join(character for character in row["lei"].upper() if character.isalnum())
        if lei == asked.lei and row["verified_emissions"]:
            year = int(parse_number(row["year"], "year"))
            emissions = parse_number(row["verified_emissions"], "verified_emissions")
            tonnes[year] = tonnes.get(year, Decimal(0)) + emissions
    return estimate_scope1(tonnes, query=asked, source="EU_ETS", url=PAGE)
