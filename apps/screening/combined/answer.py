"""Puts the answer of a combined screen together (document 1 section 2.7)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.screening.combined.asked import Asked
from apps.screening.combined.gather import Gathered
from apps.screening.rules import screen as rules
from apps.screening.rules.facts import Facts
from apps.screening.rules.screen import Judgement
from apps.screening.rules.ubo import owners_identified
from apps.watchlists.rules import BLOCK_SCORE, PEP_SCORE


def answer(
    *,
    screen_id: UUID,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    now: datetime,
    milliseconds: int,
) -> dict[str, Any]:
    """Return the values of the response; see ScreenOut."""
    facts = gathered.facts
    return {
        "screen_id": str(screen_id),
        "decision": judgement.outcome.decision,
        "human_required": judgement.outcome.human_required,
        "risk_score": judgement.risk_score,
        "reasons": [finding.reason for finding in judgement.findings],
        "rules": [finding.code for finding in judgement.findings],
        "rule_references": [finding.ref for finding in judgement.findings],
        "reference": asked.reference,
        "checks": _checks(gathered),
        "attestations": _attestations(facts, judgement),
        "_action": judgement.outcome.action,
        "data_quality": gathered.quality,
        "processing_ms": milliseconds,
        "screened_at": now,
    }


def _checks(gathered: Gathered) -> dict[str, Any]:
    facts = gathered.facts
    return {
        "fatf_country": {"source": facts.source_label, "destination": facts.destination_label},
        "amount_flags": rules.amount_flags(facts),
        "sanctions": {
            "matched": facts.sanctions_score >= BLOCK_SCORE,
            "score": facts.sanctions_score,
            "matches": [match.shown() for match in gathered.sanctions.matches],
        },
        "pep": {
            "checked": facts.pep_score is not None,
            "matched": None if facts.pep_score is None else facts.pep_score >= PEP_SCORE,
            "score": facts.pep_score,
        },
        "ubo_chain": {
            "checked": _chain_checked(gathered),
            "levels": _levels(gathered),
            "screened": sum(node.score is not None for node in facts.nodes),
            "owners_identified": _identified(gathered),
            "exceptions": list(facts.exceptions),
            "shares_missing": list(facts.shares_missing),
            "sanctions_at_node": _worst_node(facts),
        },
    }


def _chain_checked(gathered: Gathered) -> bool:
    """A chain that broke off was not checked, unless what was seen of it was enough to block."""
    if gathered.chain is None:
        return False
    return not gathered.facts.chain_note or _worst_node(gathered.facts) is not None


def _levels(gathered: Gathered) -> int:
    """Count the levels that the specification names: the entity and its highest known owner."""
    shown = {node.lei for node in gathered.chain.nodes} if gathered.chain else set()
    return sum(node.score is not None and node.lei in shown for node in gathered.facts.nodes)


def _identified(gathered: Gathered) -> bool:
    return gathered.chain is not None and owners_identified(gathered.chain)


def _worst_node(facts: Facts) -> dict[str, Any] | None:
    hit = [n for n in facts.nodes if n.score is not None and n.score >= BLOCK_SCORE]
    if not hit:
        return None
    worst = max(hit, key=lambda node: (node.controls, node.score or 0))
    return {"lei": worst.lei, "name": worst.name, "role": worst.role, "score": worst.score}


def _attestations(facts: Facts, judgement: Judgement) -> dict[str, Any]:
    basis = rules.r16_basis(facts)
    return {
        "fatf_r16": {
            "satisfied": basis != "NAME_ONLY",
            "basis": basis,
            "note": rules.r16_note(facts, judgement.outcome.decision),
        },
        "mica_art72": {
            "compatible": judgement.outcome.decision == "APPROVED",
            "note": _mica(facts),
        },
        "genius_act": {"note": _genius(facts)},
    }


def _done(facts: Facts) -> str:
    """Name the checks that ran."""
    lists = "those sanctions lists that are held" if facts.sources_missing else "sanctions lists"
    ran = [f"{lists} (not by its whole name)" if facts.unread else lists]
    ran.append("FATF and EU country lists")
    if facts.amount_usd is not None:
        ran.append("amount thresholds")
    if facts.pep_score is not None:
        ran.append("politically exposed persons")
    if facts.nodes and not facts.chain_note:
        ran.append(_owners(facts))
    return ", ".join(ran)


def _owners(facts: Facts) -> str:
    if facts.shares_missing:
        return f"ownership in part ({'; '.join(facts.shares_missing)})"
    if any(node.role != "SUBJECT" for node in facts.nodes):
        return "ownership to the ultimate parent"
    return f"the entity of the LEI, which names no owner ({', '.join(facts.exceptions)})"


def _mica(facts: Facts) -> str:
    return (
        f"Checked of the party: {_done(facts)}. Not assessed: conflicts of interest of a service "
        "provider (MiCA Art. 72), sustainability disclosure (Art. 66(5)), white papers and "
        "authorisations. `compatible` means that no check that ran stands against the payment."
    )


def _genius(facts: Facts) -> str:
    return (
        f"Checked of the party: {_done(facts)}. Not assessed: whether a payment stablecoin's "
        "issuer is permitted, its reserve and its monthly report; the GENIUS Act takes effect on "
        "2027-01-18."
    )
