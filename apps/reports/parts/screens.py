"""The part that is a screen of a party: lists of sanctions, office holders, owners, countries.

It is gathered by the very functions of the combined screen and judged by its rules. Nothing is paid
on it, so that nobody waits for an officer: it opens no case, enters nothing in the SAR log, and
stands in no tenant's list of screens. What officers know of a client's parties is that client's and
is not asked for. The record of the report is its evidence: what was found, and the versions of
lists, matcher and rules.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.core.shapes import camel
from apps.lei import lookups
from apps.lei.values import Chain
from apps.reports.rules.compliance import travel_rule
from apps.reports.rules.marks import of_sources
from apps.reports.rules.references import named
from apps.reports.shape import Part, Piece
from apps.screening.combined import gather as combined
from apps.screening.combined.asked import Asked, to_record
from apps.screening.combined.gather import Gathered
from apps.screening.rules import screen as rules
from apps.screening.rules.screen import Judgement
from apps.screening.rules.ubo import owners_identified
from apps.sfdr.screens import LeiUnavailable, LeiUnknown
from apps.watchlists.found import Match
from apps.watchlists.matcher_version import matcher
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE, PEP_SCORE

# a screen of whom is paid for work also looks for office holders (document 1 section 2.7 rule 4)
ALSO_OFFICES = "contractor"


def _gather(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Screen a party; LeiUnknown (404), LeiUnavailable, ListsUnavailable, ListsStale (503)."""
    lei, entity = asked["lei"], _entity(asked["lei"], now) if asked["lei"] else ""
    wanted = Asked(name=asked["name"] or entity, lei=lei, payment_type=ALSO_OFFICES)
    found = combined.gather(asked=wanted, now=now)
    judged = rules.judge(found.facts)
    return Piece(
        data=_told(wanted, entity, found, judged),
        quality=found.quality,
        mark=of_sources([found.quality]),
        sources=_sources(found),
        inputs={
            "request": to_record(wanted),
            "decision": judged.outcome.decision,
            "evidence": found.evidence(),
            "versions": _versions(found),
        },
    )


def _entity(lei: str, now: datetime) -> str:
    """Return the legal name that GLEIF has for an LEI."""
    found = lookups.lookup(lei=lei, now=now)
    if found.record is None:
        if found.status == "UNKNOWN":
            raise LeiUnknown("GLEIF has no such LEI.")
        raise LeiUnavailable("The LEI is not held here, and GLEIF did not answer.", retry_after=300)
    return found.record.entity.legal_name if found.record.entity else ""


def _told(asked: Asked, entity: str, found: Gathered, judged: Judgement) -> dict[str, Any]:
    facts = found.facts
    basis = rules.r16_basis(facts)
    return {
        "subject": {"name": asked.name, "lei": asked.lei or None, "entityName": entity or None},
        "decision": judged.outcome.decision,
        "riskScore": judged.risk_score,
        "rules": [
            {
                "code": one.code,
                "reference": named(one.ref),
                "decision": one.decision,
                "risk": one.risk,
                "reason": one.reason,
            }
            for one in judged.findings
        ],
        "sanctions": {
            "score": facts.sanctions_score,
            "matchesFrom": BLOCK_SCORE,
            "partialFrom": PARTIAL_SCORE,
            "unread": list(facts.unread),
            "matches": _matches(found.sanctions.matches),
        },
        "pep": {
            "checked": facts.pep_score is not None,
            "score": facts.pep_score,
            "matchesFrom": PEP_SCORE,
            "matches": _matches(found.peps),
        },
        "ownership": _ownership(found),
        "travelRule": travel_rule(
            basis=basis,
            note=rules.r16_words(basis=basis, decision=judged.outcome.decision),
            lei_given=facts.lei_given,
            lei_counts=facts.lei_counts,
            lei_note=facts.lei_note,
        ),
        "lists": _versions(found),
    }


def _matches(found: Sequence[Match]) -> list[dict[str, Any]]:
    return [{camel(name): value for name, value in one.shown().items()} for one in found]


def _ownership(found: Gathered) -> dict[str, Any]:
    """Return the chain that was screened, and what of it is not on record."""
    facts, chain = found.facts, found.chain
    return {
        "checked": chain is not None and not facts.chain_note,
        "identified": chain is not None and owners_identified(chain),
        "note": facts.chain_note,
        "exceptions": list(facts.exceptions),
        "gaps": _gaps(chain),
        "nodes": [
            {
                "lei": one.lei,
                "name": one.name,
                "role": one.role,
                "score": one.score,
                "country": one.label_country or None,
                "countryLabel": one.label,
            }
            for one in facts.nodes
        ],
        "matches": [
            {"owner": one.node.name} | match
            for one in found.owners
            for match in _matches(one.matches)
        ],
    }


def _gaps(chain: Chain | None) -> list[dict[str, str]]:
    return [{"role": one.role, "reason": one.reason} for one in chain.gaps] if chain else []


def _versions(found: Gathered) -> dict[str, Any]:
    """Return by which lists, matcher and rules the party was judged, and which lists lack."""
    lists = found.engine.list_set
    published = {one.slug: one.published_at for one in lists.sources}
    return {
        "versions": dict(lists.versions),
        "sanctions": sorted(one.slug for one in lists.of("sanction")),
        "offices": sorted(one.slug for one in lists.of("pep")),
        "published": {slug: at.isoformat() if at else None for slug, at in published.items()},
        "missing": list(found.facts.sources_missing),
        "matcher": matcher(),
        "rules": rules.VERSION,
    }


def _sources(found: Gathered) -> list[str]:
    """Return the lists that were searched, by version, and where the owners are from."""
    told = [f"List {slug}, version {at}" for slug, at in found.engine.list_set.versions.items()]
    return [*told, "GLEIF: Global LEI Index, CC0 1.0"] if found.facts.lei_given else told


PART = Part(name="screen", title="Screen", gather=_gather)
