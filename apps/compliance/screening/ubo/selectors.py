"""Gather an ownership report: `POST /compliance/ubo-chain` (document 1 section 2.6)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.compliance.screening.models.cached_reports import KeptReport, UboReport
from apps.compliance.screening.rules import ubo as ubo_rules
from apps.compliance.screening.ubo.screened_nodes import (
    ScreenedNode,
    build_node_facts,
    collect_unread_names,
    screen_nodes,
)
from apps.platform.common.problems import NotFound, Unavailable
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.countries.listings import listings_at
from apps.reference.lei.clients import gleif
from apps.reference.lei.services import lookups
from apps.reference.lei.values import OwnerChain
from apps.reference.watchlists import engine
from apps.reference.watchlists.engine import Engine


class LeiUnknown(NotFound):
    """GLEIF has no such LEI."""

    code, title = "lei_unknown", "No such LEI"


class LeiUnavailable(Unavailable):
    """We do not have the LEI, and it could not be looked up."""

    code, title = "lei_unavailable", "The LEI could not be checked"


@dataclass(frozen=True, slots=True)
class UboReportInputs:
    """All that a new report rests on."""

    key: str
    deep: bool
    chain: OwnerChain
    screened: tuple[ScreenedNode, ...]
    facts: ubo_rules.ChainFacts
    judged: ubo_rules.Judgement
    lists: Engine


def gather_ubo_report(*, asked: dict[str, Any], now: datetime) -> KeptReport | UboReportInputs:
    """Follow and screen the chain of a valid LEI, unless a report of the last 24 hours is cached.

    Raises LeiUnknown (404) if GLEIF has no such LEI, LeiUnavailable (503) if there is no record of
    the subject and GLEIF could not be reached, and 503 if the sanctions lists cannot be used.
    """
    lei, deep = asked["lei"], asked["deep"]
    lists = engine.load_current_engine(now, need=("sanction",))
    listings = listings_at(now)
    lacking = lists.lacking("sanction")
    listed = sorted((country, sorted(names)) for country, names in listings.by_country.items())
    # all that an answer depends on besides the LEI records: a list, a listing or a rule that
    # changes makes it another question
    key = canonical_digest([lei, deep, [lists.list_set.id, *lacking], ubo_rules.VERSION, listed])
    stored = UboReport.kept(key=key, now=now)
    if stored is not None:
        return KeptReport(stored)
    lei_lookup, chain = lookups.look_up_with_chain(lei=lei, now=now, levels=3, deep=deep)
    if lei_lookup.status == "UNKNOWN":
        raise LeiUnknown(f"GLEIF has no LEI {lei}.")
    if chain is None:
        text = (
            "could not be reached"
            if gleif.is_gleif_configured()
            else "is not configured here (GLEIF_URL)"
        )
        raise LeiUnavailable(f"We do not have LEI {lei}, and GLEIF {text}.")
    screened = screen_nodes(chain=chain, lists=lists)
    facts = ubo_rules.ChainFacts(
        nodes=build_node_facts(chain=chain, screened=screened, listings=listings),
        gaps=chain.gaps,
        sources_missing=lacking,
        unread=collect_unread_names(screened),
    )
    return UboReportInputs(key, deep, chain, screened, facts, ubo_rules.judge_chain(facts), lists)
