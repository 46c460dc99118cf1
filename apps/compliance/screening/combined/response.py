"""Build the answer of a combined screen (document 1 section 2.7)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen, statements
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.screen import Judgement
from apps.compliance.screening.rules.ubo import are_owners_identified
from apps.reference.signals.serializers import serialize_valuation
from apps.reference.watchlists.lookup import SHOWN
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PEP_SCORE


def build_screen_response(
    *,
    screen_id: UUID,
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    judgement: Judgement,
    now: datetime,
    milliseconds: int,
) -> dict[str, Any]:
    """Return the values of the response; see ScreenOut."""
    facts = gathered.facts
    decision = judgement.outcome.decision
    r16 = statements.select_r16_statement(facts, decision)
    return {
        "screen_id": str(screen_id),
        "decision": judgement.outcome.decision,
        "human_required": judgement.outcome.human_required,
        "risk_score": judgement.risk_score,
        "reasons": [finding.reason for finding in judgement.findings],
        "rules": [finding.code for finding in judgement.findings],
        "rule_references": [finding.ref for finding in judgement.findings],
        "reference": screen_request.reference,
        "checks": _serialize_checks(gathered),
        "attestations": {
            "fatf_r16": {"satisfied": r16.satisfied, "basis": r16.basis, "note": r16.says(facts)},
            "mica_art72": {
                "compatible": statements.is_compatible(facts, decision),
                "note": statements.mica_note(facts, decision),
            },
            "genius_act": {"note": statements.genius_note(facts, decision)},
        },
        "_action": judgement.outcome.action,
        "data_quality": gathered.quality,
        "processing_ms": milliseconds,
        "screened_at": now,
    }


def _serialize_checks(gathered: ScreenInputs) -> dict[str, Any]:
    facts = gathered.facts
    valued = {"valuation": serialize_valuation(gathered.converted)} if gathered.converted else {}
    # the specification counts the entity and its highest known owner only (check rule 5)
    shown = {node.lei for node in gathered.chain.nodes} if gathered.chain else set()
    return valued | {
        "fatf_country": {"source": facts.source_label, "destination": facts.destination_label},
        "amount_flags": screen.amount_flags(facts),
        "sanctions": {
            "matched": facts.sanctions_score >= BLOCK_SCORE,
            "score": facts.sanctions_score,
            "matches": [match.shown() for match in gathered.sanctions.matches[:SHOWN]],
        },
        "pep": {
            "checked": facts.pep_score is not None,
            "matched": None if facts.pep_score is None else facts.pep_score >= PEP_SCORE,
            "score": facts.pep_score,
        },
        "ubo_chain": {
            # a chain that broke off was not checked, unless the part that was followed is enough to
            # block
            "checked": gathered.chain is not None
            and (not facts.chain_note or _serialize_worst_node(facts) is not None),
            "levels": sum(node.score is not None and node.lei in shown for node in facts.nodes),
            "screened": sum(node.score is not None for node in facts.nodes),
            "owners_identified": gathered.chain is not None
            and are_owners_identified(gathered.chain),
            "exceptions": list(facts.exceptions),
            "shares_missing": list(facts.shares_missing),
            "sanctions_at_node": _serialize_worst_node(facts),
        },
    }


def _serialize_worst_node(facts: ScreenFacts) -> dict[str, Any] | None:
    hit = [n for n in facts.nodes if n.score is not None and n.score >= BLOCK_SCORE]
    if not hit:
        return None
    # the owner for whom the screen is blocked, even if one who controls nothing scores higher
    worst = max(hit, key=lambda node: (node.controls, node.score or 0))
    return {"lei": worst.lei, "name": worst.name, "role": worst.role, "score": worst.score}
