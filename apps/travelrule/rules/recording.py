"""What becomes of a record as it is made: one table, the first row that holds decides. Pure.

Document 2 sections 2.3 and 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.travelrule.rules.thresholds import meets

OUTBOUND, INBOUND = "OUTBOUND", "INBOUND"
DIRECTIONS = (OUTBOUND, INBOUND)
BELOW = "BELOW_THRESHOLD"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a transfer as it is recorded.

    `amount_usd` is None where its currency cannot be valued, `endpoint` says that the
    counterparty's is known, `faults` that the strict message has errors.
    """

    direction: str
    amount_usd: Decimal | None
    on: date
    endpoint: bool = False
    faults: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One rule: what it is called, when it holds, and what the record then is."""

    ref: str
    reason: str
    status: str
    applies: bool
    holds: Callable[[Facts], bool]
    says: str


def _below(facts: Facts) -> bool:
    return facts.amount_usd is not None and not meets(facts.amount_usd, facts.on)


ROWS = (
    Row(
        "TR-A0",
        "MESSAGE_BROKEN",
        "FAILED",
        True,
        lambda facts: facts.direction == INBOUND and facts.faults,
        "The counterparty’s message is not valid: it was refused, and is kept as it came.",
    ),
    Row(
        "TR-A1",
        BELOW,
        "EXEMPT",
        False,
        _below,
        "The amount is below the threshold: recorded; the rule asks for no message.",
    ),
    Row(
        "TR-A2",
        "RECEIVED",
        "STORED",
        True,
        lambda facts: facts.direction == INBOUND and facts.amount_usd is not None,
        "The counterparty’s message is kept.",
    ),
    Row(
        "TR-A3",
        "RECEIVED_UNVALUED",
        "STORED",
        True,
        lambda facts: facts.direction == INBOUND,
        "The counterparty’s message is kept; it states no amount that could be valued in USD, so "
        "the rule is taken to apply.",
    ),
    Row(
        "TR-A4",
        "MESSAGE_INCOMPLETE",
        "FAILED",
        True,
        lambda facts: facts.endpoint and facts.faults,
        "The counterparty can be reached, but the message lacks what the rule wants: it is not "
        "sent before an officer has looked.",
    ),
    Row(
        "TR-A5",
        "ENDPOINT_KNOWN",
        "PENDING",
        True,
        lambda facts: facts.endpoint,
        "The rule applies and the counterparty can be reached: the message is to be sent.",
    ),
    Row(
        "TR-A6",
        "NO_ENDPOINT",
        "STORED",
        True,
        lambda facts: True,
        "The rule applies; no endpoint of a counterparty is known, so the message is kept for "
        "examiners.",
    ),
)


def judged(facts: Facts) -> Row:
    """Return the row that decides what a new record is."""
    return next(row for row in ROWS if row.holds(facts))


def row_of(reason: str) -> Row:
    """Return the row of a reason; KeyError for one that the table does not have."""
    return _BY[reason]


_BY = {row.reason: row for row in ROWS}
