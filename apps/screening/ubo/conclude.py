"""Concludes an ownership report: its values, the signed statement, and what is kept of it."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from apps.core.callers import Caller
from apps.core.rendering import Wire, render
from apps.core.signing import attest
from apps.countries.rules import NOT_PROVIDED, STANDARD
from apps.lei import gleif
from apps.lei.values import Chain, Node
from apps.screening.models.answered import remember_answer
from apps.screening.models.reports import UboReport
from apps.screening.rules import ubo as rules
from apps.screening.rules.owners import NodeFact, gravest
from apps.screening.serializers.reports import UboOut
from apps.screening.ubo.gather import Found, Kept
from apps.screening.ubo.nodes import Screened, encounters
from apps.watchlists.encounters import remember_parties
from apps.watchlists.engine import Engine
from apps.watchlists.found import Match
from apps.watchlists.rules import BLOCK_SCORE

UNFINISHED_KEPT = timedelta(minutes=5)


def conclude(
    *, asked: dict[str, Any], gathered: Kept | Found, caller: Caller, now: datetime
) -> Wire:
    """Return the report and record it; a new one is kept, and its parties are remembered."""
    kept = isinstance(gathered, Kept)
    body = Wire(gathered.body) if isinstance(gathered, Kept) else _new(asked, gathered, caller, now)
    told = {"asked": asked, "body": body, "result": body["result"], "kept": kept}
    remember_answer(kind="UBO", owner=caller.ref, now=now, **told)
    return body


def _new(asked: dict[str, Any], gathered: Found, caller: Caller, now: datetime) -> Wire:
    body = render(UboOut, _values(gathered, now))
    _keep(gathered.key, asked["lei"], gathered.chain, body, now)
    met = encounters(gathered.chain.everybody, owner=caller.ref)
    remember_parties(encounters=met, now=now)
    return body


def _values(gathered: Found, now: datetime) -> dict[str, Any]:
    chain, judged, lists = gathered.chain, gathered.judged, gathered.lists
    facts = {fact.lei: fact for fact in gathered.facts.nodes}
    shown = {node.lei for node in chain.nodes}
    hits = [
        _shown(one.node, match)
        for one in gathered.screened
        for match in one.matches
        if match.score >= BLOCK_SCORE
    ]
    return {
        "result": judged.result,
        "reasons": [finding.reason for finding in judged.findings],
        "rules": [finding.code for finding in judged.findings],
        "rule_references": [finding.ref for finding in judged.findings],
        "chain": [
            _node(one, facts[one.node.lei]) for one in gathered.screened if one.node.lei in shown
        ],
        "screened": sum(one.score is not None for one in gathered.screened),
        "deep": gathered.deep,
        "gaps": [{"role": gap.role, "reason": gap.reason} for gap in chain.gaps],
        "sanctions_matches": hits,
        "fatf_attestation": _attestation(gathered, now),
        "data_quality": _quality(chain, lists),
        "list_versions": lists.list_set.versions,
        "cached_at": int(now.timestamp()),
    }


def _node(one: Screened, fact: NodeFact) -> dict[str, Any]:
    return {
        "lei": one.node.lei,
        "name": one.node.name,
        "role": one.node.role,
        "jurisdiction": one.node.jurisdiction or one.node.country or None,
        "lei_status": one.node.status or None,
        "country_label": fact.label,
        "label_country": fact.label_country or None,
        "sanctions": {
            "status": one.status,
            "score": None if one.score is None else share(one.score),
            "matches": [_shown(one.node, match) for match in one.matches],
        },
    }


def _shown(node: Node, match: Match) -> dict[str, Any]:
    return {
        "lei": node.lei,
        "name": node.name,
        "role": node.role,
        "matched_name": match.name,
        "matched_by": "LEI" if match.exact else "NAME",
        "score": share(match.score),
        "dataset": match.dataset,
        "entity_id": match.ref,
        "programs": match.evidence["entity"]["programs"],
    }


def share(percent: int) -> Decimal:
    """Return whole percents as a share of 1, as this section of the specification has scores."""
    return Decimal(percent) / 100


def _quality(chain: Chain, lists: Engine) -> str:
    if chain.sample or lists.sample:
        return "SAMPLE"
    return "PARTIAL" if lists.lacking("sanction") else "LIVE"


def _attestation(gathered: Found, now: datetime) -> dict[str, Any]:
    """Return the signed statement: what was identified and checked, and never more."""
    chain, judged, lists = gathered.chain, gathered.judged, gathered.lists
    order = ("MATCH", "NOT_CHECKED", "PARTIAL", "CLEAR")
    statuses = {one.status for one in gathered.screened}
    owners = [node for node in chain.everybody if node.role != "SUBJECT"]
    top = next((node.lei for node in owners if node.role == "ULTIMATE_PARENT"), None)
    risk = gravest(fact.label for fact in gathered.facts.nodes)
    if risk == STANDARD and rules.chain_note(chain.gaps):
        risk = NOT_PROVIDED  # somebody above is not known, and neither is their country
    return attest(
        {
            "type": "FATF_R16_UBO",
            "subject": chain.subject,
            "leiStatus": chain.nodes[0].status or None,
            "ownersIdentified": rules.owners_identified(chain),
            "owners": [node.lei for node in owners],
            "ultimateParent": top,
            "exceptions": [f"{gap.role}: {gap.reason}" for gap in chain.gaps],
            "sharesMissing": list(rules.shares_missing(chain)),
            "sanctionsStatus": next(one for one in order if one in statuses),
            "jurisdictionRisk": risk,
            "result": judged.result,
            "rules": [finding.code for finding in judged.findings],
            "rulesVersion": rules.VERSION,
            "listSet": lists.list_set.id,
            "ownershipAsOf": chain.as_of.isoformat() if chain.as_of else None,
            "dataQuality": _quality(chain, lists),
            "issuedAt": int(now.timestamp()),
        }
    )


def _keep(key: str, lei: str, chain: Chain, body: Wire, now: datetime) -> None:
    # a chain that a job is completing is asked for again soon
    waiting = gleif.configured() and any(gap.reason in rules.UNCHECKED for gap in chain.gaps)
    lasts = UNFINISHED_KEPT if waiting else timedelta(hours=rules.CACHED_HOURS)
    until = now + lasts
    if chain.renewals is not None:  # an LEI that lapses is lapsed in every answer of that day
        ends = datetime.combine(chain.renewals + timedelta(days=1), time.min, UTC)
        until = min(until, ends)
    UboReport.keep(key=key, lei=lei, body=body, now=now, until=until)
