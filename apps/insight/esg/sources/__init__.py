"""Where evidence comes from: one row for each source, one small module for each connector.

A connector is `fetch(*, url, asked) -> Iterable[Figure]`: it queries its source, and refuses an
answer that breaks the pinned format as a whole (ValueError). `verified` says whether its parser has
been tested with a real file; none has been available so far (see docs/data-sources.md).
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from django.conf import settings

ALL = "all"


@dataclass(frozen=True, slots=True)
class SourceQuery:
    """The entity that a source is queried about; all empty for country references."""

    lei: str
    name: str
    country: str
    today: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source. Without a `url` of its own it is queried only if ESG_SOURCES gives one.

    `by` is the identifier that it searches by. A source searched by name is queried with the legal
    name that GLEIF or our register has for the LEI, never with a caller's name.
    """

    slug: str
    title: str
    licence: str
    fetch: str
    of: Literal["entity", "country"] = "entity"
    by: Literal["name", "lei"] = "name"
    url: str = ""
    verified: bool = False


SOURCES: tuple[Source, ...] = (
    Source(
        slug="epa-ghgrp",
        title="EPA Greenhouse Gas Reporting Program",
        licence="US government work, public domain",
        fetch="apps.insight.esg.sources.epa_ghgrp.fetch_figures",
        url="https://data.epa.gov/efservice",
    ),
    Source(
        slug="epa-echo",
        title="EPA Enforcement and Compliance History Online",
        licence="US government work, public domain",
        fetch="apps.insight.esg.sources.epa_echo.fetch_figures",
        url="https://echodata.epa.gov/echo",
    ),
    Source(
        slug="sec",
        title="SEC EDGAR company facts",
        licence="US government work, public domain",
        fetch="apps.insight.esg.sources.sec.fetch_figures",
        url="https://data.sec.gov",
    ),
    Source(
        slug="osha",
        title="OSHA injury summaries (form 300A)",
        licence="US government work, public domain",
        fetch="apps.insight.esg.sources.osha.fetch_figures",
    ),
    Source(
        slug="eu-ets",
        title="EU emissions trading, verified emissions",
        licence="European Union, reuse with the source named (decision 2011/833/EU)",
        fetch="apps.insight.esg.sources.eu_ets.fetch_figures",
        by="lei",
    ),
    Source(
        slug="sbti",
        title="Science Based Targets initiative, companies taking action",
        licence="the initiative's terms; commercial use needs its consent",
        fetch="apps.insight.esg.sources.sbti.fetch_figures",
        by="lei",
    ),
    Source(
        slug="climate-trace",
        title="Climate TRACE, site owners and emissions",
        licence="CC BY 4.0",
        fetch="apps.insight.esg.sources.climate_trace.fetch_figures",
        by="lei",
    ),
    Source(
        slug="world-bank",
        title="World Bank country indicators",
        licence="CC BY 4.0",
        fetch="apps.insight.esg.sources.world_bank.fetch_figures",
        of="country",
        url="https://api.worldbank.org/v2",
    ),
)
BY_SLUG = {source.slug: source for source in SOURCES}


def list_configured_sources(*, of: Literal["entity", "country"]) -> list[Source]:
    """Return the enabled sources for entities or countries, each with its address."""
    sources: dict[str, Source] = {}
    for part in settings.ESG_SOURCES:
        slug, _, url = part.partition("=")
        # sources named before `all` keep the address that they were given
        if slug == ALL:
            sources |= {source.slug: source for source in SOURCES if source.slug not in sources}
        elif slug in BY_SLUG:
            row = BY_SLUG[slug]
            sources[slug] = replace(row, url=url.strip().rstrip("/") or row.url)
        else:
            raise ValueError(f"ESG_SOURCES names {slug!r}, which is not a source")
    return [source for source in sources.values() if source.of == of and source.url]
