"""Conclude an ownership report: its values, the signed statement, and its record."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from apps.compliance.screening.models.cached_reports import KeptReport, UboReport
from apps.compliance.screening.rules import ubo as ubo_rules
from apps.compliance.screening.rules.owners import NodeFact, worst_country_label
from apps.compliance.screening.serializers.reports import UboOut
from apps.compliance.screening.services.conclude_report import conclude_report
from apps.compliance.screening.ubo.screened_nodes import ScreenedNode, build_owner_encounters
from apps.compliance.screening.ubo.selectors import UboReportInputs
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.crypto.signatures import sign_statement
from apps.reference.countries.rules import NOT_PROVIDED, STANDARD
from apps.reference.lei.clients import gleif
from apps.reference.lei.values import OwnerChain, OwnerNode
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE
from apps.reference.watchlists.services.screened_parties import remember_parties

UNFINISHED_KEPT = timedelta(minutes=5)  # a job fetches the missing records in the meantime


def conclude_ubo_report(
    *,
    asked: dict[str, Any],
    gathered: KeptReport | UboReportInputs,
    caller: Caller,
    now: datetime,
) -> RenderedAnswer:
    """Return the report and record it; a new one is kept, and its parties are remembered."""
    return conclude_report(
        _create_report,
        kind="UBO",
        result="result",
        asked=asked,
        gathered=gathered,
        caller=caller,
        now=now,
    )


def _create_report(
    asked: dict[str, Any], gathered: UboReportInputs, caller: Caller, now: datetime
) -> RenderedAnswer:
    chain, judged, lists = gathered.chain, gathered.judged, gathered.lists
    facts = {fact.lei: fact for fact in gathered.facts.nodes}
    shown = {node.lei for node in chain.nodes}
    hits = [
        _serialize_match(node.node, match)
        for node in gathered.screened
        for match in node.matches
        if match.score >= BLOCK_SCORE
    ]
    report_values = {
        "result": judged.result,
        "reasons": [finding.reason for finding in judged.findings],
        "rules": [finding.code for finding in judged.findings],
        "rule_references": [finding.ref for finding in judged.findings],
        "chain": [
            _serialize_node(node, facts[node.node.lei])
            for node in gathered.screened
            if node.node.lei in shown
        ],
        "screened": sum(node.score is not None for node in gathered.screened),
        "deep": gathered.deep,
        "gaps": [
            {"role": gap.role, "reason": gap.reason} for gap in (*chain.gaps, *chain.untraced)
        ],
        "sanctions_matches": hits,
        "fatf_attestation": _sign_attestation(gathered, now),
        "data_quality": _data_quality(chain, lists),
        "list_versions": lists.list_set.versions,
        "cached_at": int(now.timestamp()),
    }
    body = render_answer(UboOut, report_values)
    # gaps of our own records: a job is asking GLEIF for them
    waiting = gleif.is_gleif_configured() and any(
        gap.reason in ubo_rules.UNCHECKED for gap in gathered.chain.gaps
    )
    lasts = UNFINISHED_KEPT if waiting else timedelta(hours=ubo_rules.CACHED_HOURS)
    until = now + lasts
    # an LEI that lapses is lapsed in every answer of that day
    if gathered.chain.renewals is not None:
        ends = datetime.combine(gathered.chain.renewals + timedelta(days=1), time.min, UTC)
        until = min(until, ends)
    UboReport.keep(key=gathered.key, lei=asked["lei"], body=body, now=now, until=until)
    encounters = build_owner_encounters(gathered.chain.everybody, owner=caller.ref)
    remember_parties(encounters=encounters, now=now)
    return body


def _serialize_node(screened_node: ScreenedNode, fact: NodeFact) -> dict[str, Any]:
    return {
        "lei": screened_node.node.lei,
        "name": screened_node.node.name,
        "role": screened_node.node.role,
        "jurisdiction": screened_node.node.jurisdiction or screened_node.node.country or None,
        "lei_status": screened_node.node.status or None,
        "country_label": fact.label,
        "label_country": fact.label_country or None,
        "sanctions": {
            "status": screened_node.status,
            "score": None if screened_node.score is None else percent_to_share(screened_node.score),
            "matches": [
                _serialize_match(screened_node.node, match) for match in screened_node.matches
            ],
        },
    }


def _serialize_match(node: OwnerNode, match: ListMatch) -> dict[str, Any]:
    return {
        "lei": node.lei,
        "name": node.name,
        "role": node.role,
        "matched_name": match.name,
        "matched_by": "LEI" if match.exact else "NAME",
        "score": percent_to_share(match.score),
        "dataset": match.dataset,
        "entity_id": match.ref,
        "programs": match.evidence["entity"]["programs"],
    }


def percent_to_share(percent: int) -> Decimal:
    """Return whole percents as a share of 1, as this section of the specification has scores."""
    return Decimal(percent) / 100


def _data_quality(chain: OwnerChain, lists: Engine) -> str:
    if chain.sample or lists.sample:
        return "SAMPLE"
    return "PARTIAL" if lists.lacking("sanction") else "LIVE"


def _sign_attestation(gathered: UboReportInputs, now: datetime) -> dict[str, Any]:
    """Return the signed statement: what was identified and checked, and never more."""
    chain, judged, lists = gathered.chain, gathered.judged, gathered.lists
    # the worst first; what was not checked may be a match
    order = ("MATCH", "NOT_CHECKED", "PARTIAL", "CLEAR")
    statuses = {node.status for node in gathered.screened}
    if gathered.facts.sources_missing:
        statuses.add("NOT_CHECKED")  # no party is clear of a list that could not be searched
    owners = [node for node in chain.everybody if node.role != "SUBJECT"]
    top = next((node.lei for node in owners if node.role == "ULTIMATE_PARENT"), None)
    risk = worst_country_label(fact.label for fact in gathered.facts.nodes)
    if risk == STANDARD and ubo_rules.describe_broken_chain(chain.gaps):
        risk = NOT_PROVIDED  # an owner above is unknown, and so is its country
    return sign_statement(
        {
            "type": "FATF_R16_UBO",
            "subject": chain.subject,
            "leiStatus": chain.nodes[0].status or None,
            "ownersIdentified": ubo_rules.are_owners_identified(chain),
            "owners": [node.lei for node in owners],
            "ultimateParent": top,
            "exceptions": [f"{gap.role}: {gap.reason}" for gap in chain.gaps],
            "sharesMissing": list(ubo_rules.describe_missing_shares(chain)),
            "sanctionsStatus": next(status for status in order if status in statuses),
            "jurisdictionRisk": risk,
            "result": judged.result,
            "rules": [finding.code for finding in judged.findings],
            "rulesVersion": ubo_rules.VERSION,
            "listSet": lists.list_set.id,
            "ownershipAsOf": chain.as_of.isoformat() if chain.as_of else None,
            "dataQuality": _data_quality(chain, lists),
            "issuedAt": int(now.timestamp()),
        }
    )
