"""The tables of settlements for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.settlement.rules.flow import (
    CHECKS,
    NOT_RUN,
    RULES,
    UNDISCLOSED_BLOCK,
    UNDISCLOSED_HOLD,
)
from apps.payments.settlement.rules.lifecycle import TRANSITIONS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield what each check of a flow comes to, and what becomes of a settlement."""
    rows = [
        *(one for name in CHECKS for one in RULES if one.check == name),
        NOT_RUN,
        UNDISCLOSED_BLOCK,
        UNDISCLOSED_HOLD,
    ]
    yield (
        "Settlements: checks of a flow",
        ("code", "check", "when", "outcome", "what is told", "reference"),
        [
            (
                f"`{one.code}`",
                f"`{one.check}`" if one.check else "any",
                one.title,
                f"`{one.outcome}`",
                one.says,
                f"`{one.ref}`",
            )
            for one in rows
        ],
    )
    yield (
        "Settlements: what becomes of one",
        ("code", "from", "event", "to", "when", "reference"),
        [
            (
                f"`{one.code}`",
                f"`{one.state}`" if one.state else "–",
                f"`{one.event}`",
                f"`{one.next}`",
                one.title,
                f"`{one.ref}`",
            )
            for one in TRANSITIONS
        ],
    )
