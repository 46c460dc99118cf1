"""The tables of settlements for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.settlement.rules.flow import (
    CHECKS,
    NOT_RUN,
    RULES,
    UNDISCLOSED_BLOCK,
    UNDISCLOSED_HOLD,
)
from apps.payments.settlement.rules.transitions import TRANSITIONS
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield the tables of a flow's checks, and of a settlement's transitions."""
    rows = [
        *(rule for name in CHECKS for rule in RULES if rule.check == name),
        NOT_RUN,
        UNDISCLOSED_BLOCK,
        UNDISCLOSED_HOLD,
    ]
    yield build_table(
        "Settlements: checks of a flow",
        ("code", "check", "when", "outcome", "message", "reference"),
        rows,
        (
            "`code`",
            lambda row: f"`{row.check}`" if row.check else "any",
            "title",
            "`outcome`",
            "says",
            "`ref`",
        ),
    )
    yield build_table(
        "Settlements: what becomes of one",
        ("code", "from", "event", "to", "when", "reference"),
        TRANSITIONS,
        ("`code`", "`state`", "`event`", "`next`", "title", "`ref`"),
    )
