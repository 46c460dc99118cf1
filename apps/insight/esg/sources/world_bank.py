"""World Bank indicators of all countries, the newest value of each (API version 2, JSON).

Published format: a list of two, the page and its rows with `country.id` (ISO 3166-1 alpha-2 for
countries, other codes for groups of them), `date` and `value`. Not verified for these indicators.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import (
    MalformedAnswer,
    SourceServer,
    parse_number,
    require_object,
    require_object_list,
)
from apps.platform.api.shapes import COUNTRIES

SLUG = "world-bank"
PAGE = "https://data.worldbank.org/indicator/{}"
# measure: the World Bank's code, and by what its value is multiplied
CODES: dict[str, tuple[str, int]] = {
    "country_co2_per_capita": ("EN.GHG.CO2.PC.CE.AR5", 1),
    "country_human_capital": ("HD.HCI.OVRL", 1),
    "country_rule_of_law": ("RL.EST", 1),
    "country_ghg_t": ("EN.GHG.ALL.MT.CE.AR5", 1_000_000),
    "country_gdp_usd": ("NY.GDP.MKTP.CD", 1),
}
# rows of a page: with some 270 countries and groups, everything is on the first
ROWS = "1000"


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the newest value of every indicator and country; all of them or none."""
    site = SourceServer(SLUG, url)
    figures: list[Figure] = []
    for key, (code, times) in CODES.items():
        path = f"/country/all/indicator/{code}"
        # mrnev: the most recent non-empty value of each country
        body = site.json(path, format="json", per_page=ROWS, mrnev="1")
        figures += _parse_figures(body, key, code, times, asked.today)
    return figures


def _parse_figures(body: Any, key: str, code: str, times: int, today: date) -> Iterator[Figure]:
    if not isinstance(body, list) or len(body) != 2:
        raise MalformedAnswer(f"{code}: the answer is not a page with rows")
    if int(parse_number(require_object(body[0], "the page").get("pages", 1), "pages")) > 1:
        raise MalformedAnswer(f"{code}: the answer has more than one page")
    for row in require_object_list(body[1], code):
        country = str(require_object(row.get("country"), "country").get("id") or "")
        # groups of countries, such as the euro area, have codes of two letters too
        if country not in COUNTRIES or row.get("value") is None:
            continue
        year = int(parse_number(row.get("date"), "date"))
        yield Figure(
            subject=country,
            key=key,
            value=Decimal(times) * parse_number(row["value"], code),
            period=str(year),
            period_end=date(year, 12, 31),
            source="WORLD_BANK",
            url=PAGE.format(code),
            as_of=today,
        )
