"""EPA GHGRP through Envirofacts: sites of a parent company with their CO2e of a year.

Published schema: tables `pub_dim_facility` (`parent_company`, as `NAME (60%); OTHER (40%)`) and
`pub_facts_sector_ghg_emission` (`co2e_emission` in tonnes, one row for each sector and gas), joined
by `facility_id`. Not verified against a real answer.

The program knows large sites in the United States alone: what it sums to is not what the company
reports of itself, and is `estimated`.
"""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from urllib.parse import quote

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import (
    MalformedAnswer,
    SourceServer,
    is_same_company,
    parse_number,
    require_object_list,
)

SLUG = "epa-ghgrp"
PAGE = "https://ghgdata.epa.gov"
NEEDED = ("facility_id", "parent_company", "co2e_emission")
_PARENT = re.compile(r"\s*(.+?)\s*(?:\((\d+(?:\.\d+)?)\s*%\))?\s*")
# the search is for a text within parent_company, where the legal form may be written differently
_LEGAL_END = re.compile(
    r"[,.]?\s+(?:inc|incorporated|corp|corporation|co|llc|ltd|plc|lp)\.?$", re.I
)


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the scope 1 emissions of the sites that an entity owns, by its share of each."""
    # a year's emissions are published in the course of the next year
    for year in (asked.today.year - 1, asked.today.year - 2):
        quoted_name = quote(_LEGAL_END.sub("", asked.name), safe="")
        query_path = (
            f"/pub_dim_facility/parent_company/CONTAINING/{quoted_name}/year/{year}"
            f"/pub_facts_sector_ghg_emission/year/{year}/JSON"
        )
        rows = require_object_list(SourceServer(SLUG, url).json(query_path), "the answer")
        tonnes: Decimal | None = None
        for row in rows:
            if missing := [column for column in NEEDED if column not in row]:
                raise MalformedAnswer(f"a row lacks {', '.join(missing)}")
            share = _parse_ownership_share(str(row["parent_company"] or ""), asked)
            if share and row["co2e_emission"] is not None:
                tonnes = (tonnes or Decimal(0)) + share * parse_number(
                    row["co2e_emission"], "co2e_emission"
                )
        if tonnes is not None:
            figure = Figure(
                subject=asked.lei,
                key="ghg_scope1",
                value=tonnes,
                period=str(year),
                period_end=date(year, 12, 31),
                source="EPA_GHGRP",
                url=PAGE,
                as_of=asked.today,
                estimated=True,
            )
            return [figure]
    return []


def _parse_ownership_share(parents: str, source_query: SourceQuery) -> Decimal:
    """Return which part of a site an entity owns, of 1."""
    for part in parents.split(";"):
        match = _PARENT.fullmatch(part)
        if match and is_same_company(query=source_query, other=match[1]):
            # an owner without a percentage counts as the only one
            return Decimal(match[2] or 100) / 100
    return Decimal(0)
