"""Gathers an ownership report: `POST /compliance/ubo-chain` (document 1 section 2.6)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core.canonical import digest
from apps.core.problems import NotFound, Unavailable
from apps.countries.listings import listings_at
from apps.countries.rules import Listings
from apps.lei import gleif, lookups
from apps.lei.values import Chain
from apps.screening.models.reports import UboReport
from apps.screening.rules import ubo as rules
from apps.screening.ubo.nodes import Screened, node_facts, screen_nodes, unread
from apps.watchlists import engine as engines
from apps.watchlists.engine import Engine


class LeiUnknown(NotFound):
    """GLEIF has no such LEI."""

    code, title = "lei_unknown", "No such LEI"


class LeiUnavailable(Unavailable):
    """The LEI is not held and could not be asked for."""

    code, title = "lei_unavailable", "The LEI could not be checked"


@dataclass(frozen=True, slots=True)
class Kept:
    """A report of the last 24 hours, as it was given."""

    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """All that a new report rests on."""

    key: str
    deep: bool
    chain: Chain
    screened: tuple[Screened, ...]
    facts: rules.Facts
    judged: rules.Judgement
    lists: Engine


def gather(*, asked: dict[str, Any], now: datetime) -> Kept | Found:
    """Follow and screen the chain of a valid LEI, unless a report of the last 24 hours is kept.

    Raises LeiUnknown (404) when GLEIF has no such LEI, LeiUnavailable (503) when the subject
    is not held and nobody could be asked, and 503 when the sanctions lists cannot be used.
    """
    lei, deep = asked["lei"], asked["deep"]
    lists = engines.current(now, need=("sanction",))
    listings = listings_at(now)
    lacking = lists.lacking("sanction")
    key = _key(lei, deep, [lists.list_set.id, *lacking], listings)
    kept = UboReport.kept(key=key, now=now)
    if kept is not None:
        return Kept(kept)
    chain = _chain(lei, deep, now)
    screened = screen_nodes(chain=chain, lists=lists)
    facts = rules.Facts(
        nodes=node_facts(chain=chain, screened=screened, listings=listings),
        gaps=chain.gaps,
        sources_missing=lacking,
        unread=unread(screened),
    )
    return Found(key, deep, chain, screened, facts, rules.judge(facts), lists)


def _key(lei: str, deep: bool, lists: list[str], listings: Listings) -> str:
    listed = sorted((country, sorted(names)) for country, names in listings.by_country.items())
    return digest([lei, deep, lists, rules.VERSION, listed])


def _chain(lei: str, deep: bool, now: datetime) -> Chain:
    found, chain = lookups.lookup_with_chain(lei=lei, now=now, levels=3, deep=deep)
    if found.status == "UNKNOWN":
        raise LeiUnknown(f"GLEIF has no LEI {lei}.")
    if chain is None:
        asked = "could not be asked" if gleif.configured() else "is not set up here (GLEIF_URL)"
        raise LeiUnavailable(f"LEI {lei} is not held, and GLEIF {asked}.")
    return chain
