"""What becomes of a record as it is made: one table, the first row that holds decides. Pure.

Document 2 sections 2.3 and 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.payments.travelrule.rules.us_threshold import meets_threshold

OUTBOUND, INBOUND = "OUTBOUND", "INBOUND"
DIRECTIONS = (OUTBOUND, INBOUND)
BELOW = "BELOW_THRESHOLD"


@dataclass(frozen=True, slots=True)
class TransferFacts:
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
class RecordRule:
    """One rule: what it is called, when it holds, and what the record then is."""

    ref: str
    reason: str
    status: str
    applies: bool
    holds: Callable[[TransferFacts], bool]
    says: str


def _is_below_threshold(facts: TransferFacts) -> bool:
    return facts.amount_usd is not None and not meets_threshold(facts.amount_usd, facts.on)


# the first row that holds decides, so that order matters: an invalid message is FAILED at any
# amount, and an amount that cannot be valued is not below the threshold
RECORD_RULES = (
    RecordRule(
        "TR-A0",
        "MESSAGE_BROKEN",
        "FAILED",
        True,
        lambda facts: facts.direction == INBOUND and facts.faults,
        "The counterparty’s message is not valid: it was refused and is stored unchanged.",
    ),
    RecordRule(
        "TR-A1",
        BELOW,
        "EXEMPT",
        False,
        _is_below_threshold,
        "The amount is below the threshold: recorded; the rule requires no message.",
    ),
    RecordRule(
        "TR-A2",
        "RECEIVED",
        "STORED",
        True,
        lambda facts: facts.direction == INBOUND and facts.amount_usd is not None,
        "The counterparty’s message is stored.",
    ),
    RecordRule(
        "TR-A3",
        "RECEIVED_UNVALUED",
        "STORED",
        True,
        lambda facts: facts.direction == INBOUND,
        "The counterparty’s message is stored; its amount cannot be valued in USD, so the rule "
        "is assumed to apply.",
    ),
    RecordRule(
        "TR-A4",
        "MESSAGE_INCOMPLETE",
        "FAILED",
        True,
        lambda facts: facts.endpoint and facts.faults,
        "The counterparty can be reached, but the message lacks data that the rule requires: an "
        "officer reviews it before it is sent.",
    ),
    RecordRule(
        "TR-A5",
        "ENDPOINT_KNOWN",
        "PENDING",
        True,
        lambda facts: facts.endpoint,
        "The rule applies and the counterparty can be reached: the message is to be sent.",
    ),
    RecordRule(
        "TR-A6",
        "NO_ENDPOINT",
        "STORED",
        True,
        lambda facts: True,
        "The rule applies; the counterparty has no known endpoint, so the message is stored "
        "for examiners.",
    ),
)


def judge_transfer(facts: TransferFacts) -> RecordRule:
    """Return the row that decides what a new record is."""
    return next(row for row in RECORD_RULES if row.holds(facts))


def rule_of_reason(reason: str) -> RecordRule:
    """Return the row of a reason; KeyError for one that the table does not have."""
    return _BY[reason]


_BY = {row.reason: row for row in RECORD_RULES}
