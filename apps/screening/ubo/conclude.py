"""Concludes an ownership report: its values, the signed statement, and what is kept of it."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.core.callers import Caller
from apps.core.rendering import Wire, render
from apps.core.signing import attest
from apps.countries.rules import LABELS, STANDARD
from apps.lei import gleif
from apps.lei.values import Chain, Node
from apps.screening.models.reports import UboReport
from apps.screening.rules import ubo as rules
from apps.screening.serializers.reports import UboOut
from apps.screening.ubo.gather import Found, Kept
from apps.screening.ubo.nodes import Screened, encounters
from apps.watchlists.encounters import remember_parties
from apps.watchlists.engine import Engine
from apps.watchlists.lookup import Match
from apps.watchlists.rules import BLOCK_SCORE

UNFINISHED_KEPT = timedelta(minutes=5)


def conclude(
    *, asked: dict[str, Any], gathered: Kept | Found, caller: Caller, now: datetime
) -> Wire:
    """Return the report; a new one is kept, and its parties are remembered."""
    if isinstance(gathered, Kept):
        return Wire(gathered.body)
    body = render(UboOut, _values(gathered, now))
    _keep(gathered.key, asked["lei"], gathered.chain, body, now)
    remember_parties(encounters=encounters(gathered.chain.nodes), now=now)
    return body


def _values(gathered: Found, now: datetime) -> dict[str, Any]:
    chain, judged, lists, labels = gathered.chain, gathered.judged, gathered.lists, gathered.labels
    hits = [
        _shown(one.node, match)
        for one in gathered.screened
        for match in one.matches
        if match.score >= BLOCK_SCORE
    ]
    return {
        "result": judged.result,
        "reasons": [finding.reason for finding in judged.findings],
        "chain": [_node(one, labels[one.node.lei]) for one in gathered.screened],
        "deep": gathered.deep,
        "gaps": [{"role": gap.role, "reason": gap.reason} for gap in chain.gaps],
        "sanctions_matches": hits,
        "fatf_attestation": _attestation(chain, gathered.screened, labels, judged, lists, now),
        "data_quality": _quality(chain, lists),
        "list_versions": lists.list_set.versions,
        "cached_at": int(now.timestamp()),
    }


def _node(one: Screened, label: str) -> dict[str, Any]:
    return {
        "lei": one.node.lei,
        "name": one.node.name,
        "role": one.node.role,
        "jurisdiction": one.node.jurisdiction or one.node.country or None,
        "lei_status": one.node.status or None,
        "country_label": label,
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


def _attestation(
    chain: Chain,
    screened: tuple[Screened, ...],
    labels: dict[str, str],
    judged: rules.Judgement,
    lists: Engine,
    now: datetime,
) -> dict[str, Any]:
    """Return the signed statement: what was identified and checked, and never more."""
    order = ("MATCH", "NOT_CHECKED", "PARTIAL", "CLEAR")
    statuses = {one.status for one in screened}
    risk = next((name for name in LABELS.values() if name in labels.values()), None)
    top = next((one.node.lei for one in screened if one.node.role == "ULTIMATE_PARENT"), None)
    return attest(
        {
            "type": "FATF_R16_UBO",
            "subject": chain.subject,
            "ownersIdentified": not rules.chain_note(chain.gaps),
            "owners": [one.node.lei for one in screened if one.node.role != "SUBJECT"],
            "ultimateParent": top,
            "exceptions": [f"{gap.role}: {gap.reason}" for gap in chain.gaps],
            "sanctionsStatus": next(one for one in order if one in statuses),
            "jurisdictionRisk": risk or STANDARD,
            "result": judged.result,
            "rules": [finding.ref for finding in judged.findings],
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
    UboReport.keep(key=key, lei=lei, body=body, now=now, until=now + lasts)
