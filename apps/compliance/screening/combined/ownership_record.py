"""Write the owners of a screened party into its record, and read them back for a replay."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.compliance.screening.ubo.screened_nodes import ScreenedNode
from apps.reference.lei.values import OwnerChain, OwnerGap, OwnerNode, OwnershipTie


def serialize_ownership(
    chain: OwnerChain | None, screened: Iterable[ScreenedNode]
) -> dict[str, Any]:
    """Return chain, gaps and ties in canonical form; empty without a chain."""
    shown = {node.lei for node in chain.nodes} if chain else set()
    return {
        "chain": [
            _serialize_owner(screened_node, screened_node.node.lei in shown)
            for screened_node in screened
        ],
        "gaps": [[gap.role, gap.reason] for gap in chain.gaps] if chain else [],
        "ties": [[t.child, t.parent, t.kind, t.share] for t in chain.ties] if chain else [],
    }


def _serialize_owner(screened_node: ScreenedNode, shown: bool) -> dict[str, Any]:
    node = screened_node.node
    return {
        "lei": node.lei,
        "name": node.name,
        "role": node.role,
        "jurisdiction": node.jurisdiction,
        "country": node.country,
        "headquarters": node.headquarters,
        "category": node.category,
        "known": node.known,
        "shown": shown,
        "also": list(node.also),
        "status": screened_node.status,
        "matches": [match.recorded() for match in screened_node.matches],
    }


def parse_ownership(subject: str, evidence: dict[str, Any]) -> OwnerChain | None:
    """Return the chain that `serialize_ownership` wrote, None when there was none."""
    if not evidence["chain"]:
        return None
    nodes = [(_parse_node(row), row["shown"]) for row in evidence["chain"]]
    return OwnerChain(
        subject,
        tuple(node for node, shown in nodes if shown),
        tuple(OwnerGap(role, reason) for role, reason in evidence["gaps"]),
        further=tuple(node for node, shown in nodes if not shown),
        ties=tuple(
            OwnershipTie(child, parent, kind, None if share is None else Decimal(share))
            for child, parent, kind, share in evidence["ties"]
        ),
    )


def _parse_node(row: dict[str, Any]) -> OwnerNode:
    return OwnerNode(
        lei=row["lei"],
        name=row["name"],
        role=row["role"],
        jurisdiction=row["jurisdiction"],
        country=row["country"],
        headquarters=row["headquarters"],
        category=row["category"],
        known=row["known"],
        also=tuple(row["also"]),
    )
