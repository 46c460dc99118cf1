"""Opens the cases of expected transfers: what was expected, and what the chain has instead."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.backoffice.review.services import CaseOpening, open_case
from apps.payments.chain.assets import Chain
from apps.payments.chain.models import Order
from apps.payments.chain.rules.case_triggers import (
    CASE_TRIGGERS,
    NODES_DIFFER,
    CaseTrigger,
    find_case_trigger,
)

KIND = "chain_transfer"
OPERATOR = "operator"  # whose cases are that concern no order alone
DOLLAR_STABLECOIN = "USDC"


def case_ref_of(order: Order) -> str:
    """Return what the case of an order's last step is named by; a later one has its own."""
    return f"{order.order_id}/{order.steps}"


def open_case_of_transition(
    order: Order, *, turn: str, facts: Mapping[str, Any], now: datetime
) -> None:
    """Open the case of a step that an officer is to look at; in the transaction of the step."""
    row = find_case_trigger(match=str(facts.get("match", "")), turn=turn)
    if row is not None:
        _open_order_case(order, row, facts, now)


def _open_order_case(
    order: Order, row: CaseTrigger, facts: Mapping[str, Any], now: datetime
) -> None:
    opening = CaseOpening(
        kind=KIND,
        ref=case_ref_of(order),
        owner=order.owner,
        title=f"Transfer of {order.amount:,.2f} {order.asset} to {order.recipient}",
        summary=order.why,
        wallet=order.recipient,
        reference=str(order.order_id),
        risk=row.risk,
        amount=order.amount,
        currency=order.asset,
        amount_usd=order.amount if order.asset == DOLLAR_STABLECOIN else None,
        reasons=[{"ref": row.ref, "sentence": row.says}],
        evidence={
            "expected": _expected_evidence(order),
            "seen": _seen_evidence(facts),
            "why": order.why,
        },
    )
    open_case(opening=opening, now=now)


def _expected_evidence(order: Order) -> dict[str, str]:
    return {
        "about": order.about,
        "chain": order.chain,
        "asset": f"{order.asset} ({order.asset_address})",
        "amount": f"{order.amount.normalize():f}",
        "from": order.sender,
        "to": order.recipient,
        "reference": order.reference,
        "from the time of": order.opened_at.isoformat(),
        "deadline": order.deadline.isoformat(),
    }


def _seen_evidence(facts: Mapping[str, Any]) -> dict[str, str]:
    alone = {name: facts[name] for name in ("txHash", "block") if name in facts}
    found = dict(facts.get("transfer", {})) or alone
    return {name: str(value) for name, value in found.items()}


def open_node_conflict_case(chain: Chain, *, said: str, since: datetime, now: datetime) -> None:
    """Open the case of nodes that contradict each other; one for all the time that they do."""
    row = CASE_TRIGGERS[NODES_DIFFER]
    opening = CaseOpening(
        kind=KIND,
        ref=f"{chain.caip2}/{since:%Y%m%dT%H%M%S}",
        owner=OPERATOR,
        title=f"The nodes of {chain.title} differ",
        summary=said,
        risk=row.risk,
        reasons=[{"ref": row.ref, "sentence": row.says}],
        evidence={"nodes": {"chain": chain.caip2, "since": since.isoformat(), "said": said}},
    )
    open_case(opening=opening, now=now)
