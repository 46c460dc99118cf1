"""Gather the screening part: sanctions lists, PEPs, owners, countries.

It uses the functions and the rules of the combined screen. No payment depends on it: it opens no
case, makes no entry in the SAR log, and appears in no tenant's list of screens. The record of the
report is its evidence: the findings, and the versions of lists, matcher and rules.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.compliance.screening.combined.selectors import ScreenInputs, gather_screen
from apps.compliance.screening.rules import screen, statements
from apps.compliance.screening.rules.screen import Judgement
from apps.compliance.screening.rules.ubo import are_owners_identified
from apps.insight.esg.sfdr.entity_screen import LeiUnavailable, LeiUnknown
from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules.compliance import serialize_travel_rule
from apps.insight.reports.rules.finding_references import expand_reference
from apps.insight.reports.rules.sample_marks import mark_of_sources
from apps.platform.api.shapes import to_camel_case
from apps.reference.lei.services import lookups
from apps.reference.watchlists.lookup import SHOWN
from apps.reference.watchlists.matcher_version import compute_matcher_version
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE, PEP_SCORE

# a payment type whose screening includes PEPs (document 1 section 2.7 rule 4)
PEP_PAYMENT_TYPE = "contractor"


def _gather_screen(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Screen a party; LeiUnknown (404), LeiUnavailable, ListsUnavailable, ListsStale (503)."""
    lei, entity = asked["lei"], _legal_name_of_lei(asked["lei"], now) if asked["lei"] else ""
    screen_request = ScreenRequest(
        name=asked["name"] or entity, lei=lei, payment_type=PEP_PAYMENT_TYPE
    )
    screen_inputs = gather_screen(asked=screen_request, now=now)
    # without apply_known_false_positives(): what officers decided about a client's parties belongs
    # to that client
    judged = screen.judge_screen(screen_inputs.facts)
    return PartResult(
        data=_serialize_screen(screen_request, entity, screen_inputs, judged),
        quality=screen_inputs.quality,
        mark=mark_of_sources([screen_inputs.quality]),
        sources=_list_sources(screen_inputs),
        inputs={
            "request": serialize_screen_request(screen_request),
            "decision": judged.outcome.decision,
            "evidence": screen_inputs.evidence(),
            "versions": _serialize_versions(screen_inputs),
        },
    )


def _legal_name_of_lei(lei: str, now: datetime) -> str:
    """Return the legal name that GLEIF has for an LEI."""
    lei_lookup = lookups.look_up_lei(lei=lei, now=now)
    if lei_lookup.record is None:
        if lei_lookup.status == "UNKNOWN":
            raise LeiUnknown("GLEIF has no such LEI.")
        raise LeiUnavailable("We do not have the LEI, and GLEIF did not answer.", retry_after=300)
    return lei_lookup.record.entity.legal_name if lei_lookup.record.entity else ""


def _serialize_screen(
    screen_request: ScreenRequest, entity: str, screen_inputs: ScreenInputs, judged: Judgement
) -> dict[str, Any]:
    facts = screen_inputs.facts
    r16 = statements.select_r16_statement(facts, judged.outcome.decision)
    return {
        "subject": {
            "name": screen_request.name,
            "lei": screen_request.lei or None,
            "entityName": entity or None,
        },
        "decision": judged.outcome.decision,
        "riskScore": judged.risk_score,
        "rules": [
            {
                "code": finding.code,
                "reference": expand_reference(finding.ref),
                "decision": finding.decision,
                "risk": finding.risk,
                "reason": finding.reason,
            }
            for finding in judged.findings
        ],
        "sanctions": {
            "score": facts.sanctions_score,
            "matchesFrom": BLOCK_SCORE,
            "partialFrom": PARTIAL_SCORE,
            "unread": list(facts.unread),
            "matches": _serialize_matches(screen_inputs.sanctions.matches[:SHOWN]),
        },
        "pep": {
            "checked": facts.pep_score is not None,
            "score": facts.pep_score,
            "matchesFrom": PEP_SCORE,
            "matches": _serialize_matches(screen_inputs.peps),
        },
        "ownership": _serialize_ownership(screen_inputs),
        "travelRule": serialize_travel_rule(
            satisfied=r16.satisfied,
            basis=r16.basis,
            note=r16.says(facts),
            lei_given=facts.lei_given,
            lei_counts=facts.lei_counts,
            lei_note=facts.lei_note,
        ),
        "lists": _serialize_versions(screen_inputs),
    }


def _serialize_matches(list_matches: Sequence[ListMatch]) -> list[dict[str, Any]]:
    return [
        {to_camel_case(name): value for name, value in list_match.shown().items()}
        for list_match in list_matches
    ]


def _serialize_ownership(screen_inputs: ScreenInputs) -> dict[str, Any]:
    """Return the chain that was screened, and what of it is not on record."""
    facts, chain = screen_inputs.facts, screen_inputs.chain
    gaps = [{"role": gap.role, "reason": gap.reason} for gap in chain.gaps] if chain else []
    return {
        "checked": chain is not None and not facts.chain_note,
        "identified": chain is not None and are_owners_identified(chain),
        "note": facts.chain_note,
        "exceptions": list(facts.exceptions),
        "gaps": gaps,
        "nodes": [
            {
                "lei": node.lei,
                "name": node.name,
                "role": node.role,
                "score": node.score,
                "country": node.label_country or None,
                "countryLabel": node.label,
            }
            for node in facts.nodes
        ],
        "matches": [
            {"owner": owner.node.name} | match
            for owner in screen_inputs.owners
            for match in _serialize_matches(owner.matches)
        ],
    }


def _serialize_versions(screen_inputs: ScreenInputs) -> dict[str, Any]:
    """Return the versions of lists, matcher and rules that were used, and the missing lists."""
    lists = screen_inputs.engine.list_set
    published = {source.slug: source.published_at for source in lists.sources}
    return {
        "versions": dict(lists.versions),
        "sanctions": sorted(source.slug for source in lists.of("sanction")),
        "offices": sorted(source.slug for source in lists.of("pep")),
        "published": {slug: at.isoformat() if at else None for slug, at in published.items()},
        "missing": list(screen_inputs.facts.sources_missing),
        "matcher": compute_matcher_version(),
        "rules": screen.VERSION,
    }


def _list_sources(screen_inputs: ScreenInputs) -> list[str]:
    """Return the lists that were searched, by version, and where the owners are from."""
    sources = [
        f"List {slug}, version {at}" for slug, at in screen_inputs.engine.list_set.versions.items()
    ]
    return (
        [*sources, "GLEIF: Global LEI Index, CC0 1.0"] if screen_inputs.facts.lei_given else sources
    )


PART = ReportPart(name="screen", title="Screen", gather=_gather_screen)
