"""The case of an expected transfer that differs from its order, or that the chain took back."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.backoffice.review.case_types import CaseType, OutcomeLabels, Reason, RuleLabel, SecondRule
from apps.payments.chain.expected_transfers import CLOSED_REASON
from apps.payments.chain.integrity import verify_order
from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.record_transition import record_transition
from apps.payments.chain.rules.case_triggers import CASE_TRIGGERS, NODES_DIFFER, TAKEN_BACK
from apps.payments.chain.rules.transitions import AWAITING_TRANSFER
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk.record_page import build_fact_rows

Row = dict[str, Any]
BASIS = "D §4 Settlement rails"
# amount from which a second officer confirms what moves money (document 2 section 8 names the same
# sum for held settlements)
LARGE_TRANSFER = Decimal(100_000)
TAKEN_BACK_RULES = frozenset({TAKEN_BACK})
NODE_RULES = frozenset({NODES_DIFFER})
MATCH_RULES = frozenset(
    case_trigger for case_trigger in CASE_TRIGGERS if case_trigger.startswith("MATCH-")
)


@transaction.atomic
def apply_case_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Let an order go on waiting, or end it; part of the deciding transaction.

    An order that moved on after the case's step stays as it is; a reported transaction hash alone
    does not count as moving on.
    """
    name, _, steps = ref.partition("/")
    if (number := parse_uuid(name)) is None:
        # the case of nodes, which moves no order
        return
    # locked: the watcher may move the order while an officer decides
    order = Order.objects.select_for_update().filter(order_id=number).first()
    if order is None or order.state not in AWAITING_TRANSFER:
        return
    order = verify_order(order)
    chain_events = ChainEvent.objects.filter(order=order, number__gte=int(steps)).order_by("number")
    at, *since = chain_events.values_list("event", flat=True)
    # the case describes the order as of its step: what happened since may be the answer
    if set(since) - {"REPORTED"}:
        return
    if outcome == "REJECT":
        record_transition(order, "CLOSED", now=now, why=CLOSED_REASON)
    elif order.state == "CONFLICT":
        # a hash that several orders name decides nothing any more
        named = order.named if at == "UNDONE" else ""
        record_transition(order, "KEPT", now=now, named=named)


LABELS = {
    "about": "Expected for", "chain": "Chain", "asset": "Token", "amount": "Amount",
    "from": "From", "to": "To", "reference": "Reference", "from the time of": "Since",
    "deadline": "Deadline", "txHash": "Transaction", "logIndex": "Log position",
    "block": "Block", "blockHash": "Block hash", "units": "Smallest units",
    "chainId": "Chain ID", "since": "Since", "said": "Difference",
}  # fmt: skip


def present_evidence(evidence: Row) -> Row:
    """Return the parts of the case page (apps/backoffice/review/views/evidence.py)."""
    expected, seen = evidence.get("expected", {}), evidence.get("seen", {})
    facts = _evidence_rows("Seen: ", seen) + _evidence_rows("", evidence.get("nodes", {}))
    if evidence.get("why"):
        facts.append({"label": "Amount", "value": evidence["why"]})
    return {"request": {"payment": _evidence_rows("", expected)}, "facts": facts}


def _evidence_rows(before: str, evidence: dict[str, str]) -> list[dict[str, str]]:
    named = ((f"{before}{LABELS.get(name, name)}", value) for name, value in evidence.items())
    return list(build_fact_rows(*named))


CHAIN_TRANSFER = CaseType(
    title="Transfer on a chain",
    reasons={
        "APPROVE": (
            Reason(
                "COMES_AGAIN", "The transfer is made again or reappears", BASIS, TAKEN_BACK_RULES
            ),
            Reason("PAID_ANEW", "The payer also sends the expected transfer", BASIS, MATCH_RULES),
            Reason(
                "NOT_OURS", "The transfer is another payment of the payer's", BASIS, MATCH_RULES
            ),
            Reason("NODE_MENDED", "The faulty node was repaired or replaced", BASIS, NODE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason(
                "WITHDRAWN",
                "The payer will not send it again",
                BASIS,
                TAKEN_BACK_RULES | MATCH_RULES,
            ),
            Reason("RETURNED", "The recipient returns the money", BASIS, MATCH_RULES),
            Reason("LOSS", "The value was given: the loss is claimed", BASIS, TAKEN_BACK_RULES),
            Reason("FRAUD", "Fraud is suspected", "FATF R.20", TAKEN_BACK_RULES | MATCH_RULES),
            Reason("NODE_FALSE", "A node reported false data", BASIS, NODE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(TAKEN_BACK_RULES, NODE_RULES, MATCH_RULES),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=("A reverted transfer is HIGH, one that is only similar to the expected one LOW.",),
    seconds=(
        SecondRule("CHAIN-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "CHAIN-SECOND-2",
            f"The amount is {LARGE_TRANSFER:,} of its token or more.",
            lambda s: s.amount is not None and s.amount >= LARGE_TRANSFER,
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
