"""The case of an expected transfer that is not as expected, or that the chain took back."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.chain.models import ChainEvent, Order
from apps.chain.moving import move
from apps.chain.orders import CLOSED
from apps.chain.projection import proved
from apps.chain.rules.troubles import NODES_DIFFER, TAKEN_BACK, TROUBLES
from apps.chain.rules.turns import LOOKING
from apps.review.kinds import Kind, Reason, RuleWords, SecondRule, Words

Row = dict[str, Any]
BASIS = "D §4 Settlement rails"
LARGE = Decimal(100_000)
UNDONE = frozenset({TAKEN_BACK})
NODES = frozenset({NODES_DIFFER})
CAME = frozenset(one for one in TROUBLES if one.startswith("MATCH-"))


@transaction.atomic
def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Have an order go on waiting, or end it; part of the transaction that decides.

    One that went on since the step that the case is about stays as it is; that somebody named a
    transaction is no going on.
    """
    name, _, steps = ref.partition("/")
    try:
        number = UUID(name)
    except ValueError:
        return  # of nodes, which no order is moved for
    order = Order.objects.select_for_update().filter(order_id=number).first()
    if order is None or order.state not in LOOKING:
        return
    order = proved(order)
    at, *since = _steps_from(order, int(steps))
    if set(since) - {"REPORTED"}:
        return
    if outcome == "REJECT":
        move(order, "CLOSED", now=now, why=CLOSED)
    elif order.state == "CONFLICT":
        # a hash that several named decides nothing for it any more
        named = order.named if at == "UNDONE" else ""
        move(order, "KEPT", now=now, named=named)


def _steps_from(order: Order, number: int) -> list[str]:
    """Return the events of an order from a step of its own on."""
    found = ChainEvent.objects.filter(order=order, number__gte=number).order_by("number")
    return list(found.values_list("event", flat=True))


LABELS = {
    "about": "Expected for", "chain": "Chain", "asset": "Token", "amount": "Amount",
    "from": "From", "to": "To", "reference": "Reference", "from the time of": "Since",
    "deadline": "Deadline", "txHash": "Transaction", "logIndex": "Place of the log",
    "block": "Block", "blockHash": "Hash of the block", "units": "Smallest units",
    "chainId": "Number of the chain", "since": "Since", "said": "What differs",
}  # fmt: skip


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    expected, seen = evidence.get("expected", {}), evidence.get("seen", {})
    facts = _rows("Seen: ", seen) + _rows("", evidence.get("nodes", {}))
    if evidence.get("why"):
        facts.append({"label": "What it comes to", "value": evidence["why"]})
    return {"request": {"payment": _rows("", expected)}, "facts": facts}


def _rows(before: str, found: dict[str, str]) -> list[dict[str, str]]:
    named = ((f"{before}{LABELS.get(name, name)}", value) for name, value in found.items())
    return [{"label": label, "value": value} for label, value in named if value]


CHAIN_TRANSFER = Kind(
    title="Transfer on a chain",
    reasons={
        "APPROVE": (
            Reason("COMES_AGAIN", "The transfer is made anew, or comes again", BASIS, UNDONE),
            Reason("PAID_ANEW", "The payer sends the expected transfer besides", BASIS, CAME),
            Reason("NOT_OURS", "The transfer is another payment of the payer's", BASIS, CAME),
            Reason("NODE_MENDED", "The node at fault was mended or replaced", BASIS, NODES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason("WITHDRAWN", "The payer does not send it any more", BASIS, UNDONE | CAME),
            Reason("RETURNED", "The recipient returns what came", BASIS, CAME),
            Reason("LOSS", "The value was given: the loss is claimed", BASIS, UNDONE),
            Reason("FRAUD", "Fraud is suspected", "FATF R.20", UNDONE | CAME),
            Reason("NODE_FALSE", "A node told what is not so", BASIS, NODES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(UNDONE, NODES, CAME),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=("What the chain took back is HIGH, what is only like the expected one LOW.",),
    seconds=(
        SecondRule("CHAIN-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "CHAIN-SECOND-2",
            "The amount is 100,000 of its token or more.",
            lambda s: s.amount is not None and s.amount >= LARGE,
        ),
    ),
    words={
        "APPROVE": Words("Go on waiting", "Waited on"),
        "REJECT": Words("Expect it no more", "Ended"),
    },
    picture=picture,
    decided=decided,
    rules={one.ref: RuleWords(one.says.rstrip(".")) for one in TROUBLES.values()},
)
