"""The case of an expected transfer that is not as expected, or that the chain took back."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.backoffice.review.case_types import CaseType, OutcomeLabels, Reason, RuleLabel, SecondRule
from apps.payments.chain.integrity import verify_order
from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.orders import CLOSED_REASON
from apps.payments.chain.rules.case_triggers import CASE_TRIGGERS, NODES_DIFFER, TAKEN_BACK
from apps.payments.chain.rules.lifecycle import AWAITING_TRANSFER
from apps.payments.chain.transitions import record_transition
from apps.platform.common.validators import parse_uuid
from apps.platform.desk.record_page import build_fact_rows

Row = dict[str, Any]
BASIS = "D §4 Settlement rails"
LARGE_AMOUNT = Decimal(100_000)
TAKEN_BACK_RULES = frozenset({TAKEN_BACK})
NODE_RULES = frozenset({NODES_DIFFER})
MATCH_RULES = frozenset(
    case_trigger for case_trigger in CASE_TRIGGERS if case_trigger.startswith("MATCH-")
)


@transaction.atomic
def apply_case_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Have an order go on waiting, or end it; part of the transaction that decides.

    One that went on since the step that the case is about stays as it is; that somebody named a
    transaction is no going on.
    """
    name, _, steps = ref.partition("/")
    if (number := parse_uuid(name)) is None:
        return  # of nodes, which no order is moved for
    order = Order.objects.select_for_update().filter(order_id=number).first()
    if order is None or order.state not in AWAITING_TRANSFER:
        return
    order = verify_order(order)
    at, *since = _load_events_from(order, int(steps))
    if set(since) - {"REPORTED"}:
        return
    if outcome == "REJECT":
        record_transition(order, "CLOSED", now=now, why=CLOSED_REASON)
    elif order.state == "CONFLICT":
        # a hash that several named decides nothing for it any more
        named = order.named if at == "UNDONE" else ""
        record_transition(order, "KEPT", now=now, named=named)


def _load_events_from(order: Order, number: int) -> list[str]:
    """Return the events of an order from a step of its own on."""
    chain_events = ChainEvent.objects.filter(order=order, number__gte=number).order_by("number")
    return list(chain_events.values_list("event", flat=True))


LABELS = {
    "about": "Expected for", "chain": "Chain", "asset": "Token", "amount": "Amount",
    "from": "From", "to": "To", "reference": "Reference", "from the time of": "Since",
    "deadline": "Deadline", "txHash": "Transaction", "logIndex": "Log position",
    "block": "Block", "blockHash": "Block hash", "units": "Smallest units",
    "chainId": "Chain ID", "since": "Since", "said": "Difference",
}  # fmt: skip


def present_evidence(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/backoffice/review/views/evidence.py)."""
    expected, seen = evidence.get("expected", {}), evidence.get("seen", {})
    facts = _evidence_rows("Seen: ", seen) + _evidence_rows("", evidence.get("nodes", {}))
    if evidence.get("why"):
        facts.append({"label": "Amount", "value": evidence["why"]})
    return {"request": {"payment": _evidence_rows("", expected)}, "facts": facts}


def _evidence_rows(before: str, found: dict[str, str]) -> list[dict[str, str]]:
    named = ((f"{before}{LABELS.get(name, name)}", value) for name, value in found.items())
    return list(build_fact_rows(*named))


CHAIN_TRANSFER = CaseType(
    title="Transfer on a chain",
    reasons={
        "APPROVE": (
            Reason(
                "COMES_AGAIN", "The transfer is made anew, or comes again", BASIS, TAKEN_BACK_RULES
            ),
            Reason(
                "PAID_ANEW", "The payer sends the expected transfer besides", BASIS, MATCH_RULES
            ),
            Reason(
                "NOT_OURS", "The transfer is another payment of the payer's", BASIS, MATCH_RULES
            ),
            Reason("NODE_MENDED", "The node at fault was mended or replaced", BASIS, NODE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason(
                "WITHDRAWN",
                "The payer does not send it any more",
                BASIS,
                TAKEN_BACK_RULES | MATCH_RULES,
            ),
            Reason("RETURNED", "The recipient returns what came", BASIS, MATCH_RULES),
            Reason("LOSS", "The value was given: the loss is claimed", BASIS, TAKEN_BACK_RULES),
            Reason("FRAUD", "Fraud is suspected", "FATF R.20", TAKEN_BACK_RULES | MATCH_RULES),
            Reason("NODE_FALSE", "A node told what is not so", BASIS, NODE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(TAKEN_BACK_RULES, NODE_RULES, MATCH_RULES),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=("What the chain took back is HIGH, what is only like the expected one LOW.",),
    seconds=(
        SecondRule("CHAIN-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "CHAIN-SECOND-2",
            "The amount is 100,000 of its token or more.",
            lambda s: s.amount is not None and s.amount >= LARGE_AMOUNT,
        ),
    ),
    words={
        "APPROVE": OutcomeLabels("Keep waiting", "Kept waiting"),
        "REJECT": OutcomeLabels("Stop waiting", "Ended"),
    },
    picture=present_evidence,
    decided=apply_case_decision,
    rules={
        case_trigger.ref: RuleLabel(case_trigger.says.rstrip("."))
        for case_trigger in CASE_TRIGGERS.values()
    },
)
