"""Open the cases of expected transfers: what was expected, and what the chain has instead."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.access.keys.tenant_names import OPERATOR
from apps.backoffice.review.services import CaseOpening, open_case
from apps.payments.chain.assets import Chain
from apps.payments.chain.models import Order
from apps.payments.chain.rules.case_triggers import (
    CASE_TRIGGERS,
    NODES_DIFFER,
    find_case_trigger,
)

KIND = "chain_transfer"
DOLLAR_STABLECOIN = "USDC"


def case_ref_of(order: Order) -> str:
    """Return the reference of the case of an order's last step; a later step has its own."""
    return f"{order.order_id}/{order.steps}"


def open_case_of_transition(
    order: Order, *, turn: str, facts: Mapping[str, Any], now: datetime
) -> None:
    """Open the case of a step that an officer must review; in the transaction of the step."""
    row = find_case_trigger(match=str(facts.get("match", "")), turn=turn)
    if row is not None:
        alone = {name: facts[name] for name in ("txHash", "block") if name in facts}
        transfer = dict(facts.get("transfer", {})) or alone
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
            # no rate is looked up in the watcher: an amount in EURC has no dollars here
            amount_usd=order.amount if order.asset == DOLLAR_STABLECOIN else None,
            reasons=[{"ref": row.ref, "sentence": row.says}],
            evidence={
                "expected": {
                    "about": order.about,
                    "chain": order.chain,
                    "asset": f"{order.asset} ({order.asset_address})",
                    "amount": f"{order.amount.normalize():f}",
                    "from": order.sender,
                    "to": order.recipient,
                    "reference": order.reference,
                    "from the time of": order.opened_at.isoformat(),
                    "deadline": order.deadline.isoformat(),
                },
                "seen": {name: str(value) for name, value in transfer.items()},
                "why": order.why,
            },
        )
        open_case(opening=opening, now=now)


def open_node_conflict_case(chain: Chain, *, said: str, since: datetime, now: datetime) -> None:
    """Open the case of nodes that contradict each other; one for as long as they do."""
    row = CASE_TRIGGERS[NODES_DIFFER]
    opening = CaseOpening(
        kind=KIND,
        # by when it began: the same trouble found again has the same case
        ref=f"{chain.caip2}/{since:%Y%m%dT%H%M%S}",
        owner=OPERATOR,
        title=f"The nodes of {chain.title} differ",
        summary=said,
        risk=row.risk,
        reasons=[{"ref": row.ref, "sentence": row.says}],
        evidence={"nodes": {"chain": chain.caip2, "since": since.isoformat(), "said": said}},
    )
    open_case(opening=opening, now=now)
