"""The tables of payments for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.payments.rules.assets import DECIMALS, PAIRS
from apps.payments.payments.rules.payroll_purposes import PAYMENT_TYPES
from apps.payments.payments.rules.transitions import TRANSITIONS
from apps.platform.common.rule_docs import Table, build_table, yes_or_no


def build_rule_tables() -> Iterator[Table]:
    """Yield what becomes of a payment, in what it settles, and which purposes are wages."""
    yield build_table(
        "Payments: what becomes of one",
        ("code", "from", "event", "to", "when", "reference"),
        TRANSITIONS,
        ("`code`", "`state`", "`event`", "`next`", "title", "`ref`"),
    )
    yield build_table(
        "Payments: currencies and assets",
        ("code", "currency", "decimals", "settles in", "exchange", "reference"),
        PAIRS,
        (
            "`code`",
            "`currency`",
            lambda row: str(DECIMALS[row.currency]),
            "`asset`",
            yes_or_no("fx"),
            "`ref`",
        ),
    )
    yield (
        "Payments: purposes that are wages",
        ("purpose", "screened as", "reference"),
        [(f"`{code}`", f"`{type_}`", "`1 §2.7 rule 4`") for code, type_ in PAYMENT_TYPES.items()],
    )
