"""The tables of the banking connector for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.banking.rules.automatic_sending import APPROVED
from apps.payments.banking.rules.automatic_sending import ROWS as ACH_ROWS
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.reconciliation import DIFFERENCE_KINDS
from apps.payments.banking.rules.routes import ALL_ROWS_BY_CODE
from apps.payments.banking.rules.send_troubles import TROUBLES
from apps.payments.banking.rules.transitions import TRANSITIONS
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield the tables of deliveries, and of how transactions, sends and other things change."""
    yield build_table(
        "Banking: handling of a delivery (the first row that applies)",
        ("code", "action", "when", "reference"),
        ALL_ROWS_BY_CODE.values(),
        ("`code`", "`action`", "says", "`ref`"),
    )
    yield build_table(
        "Banking: findings about the payer of a deposit (the most severe decides)",
        ("code", "decision", "when", "reference"),
        PAYER_RULES,
        ("`code`", "`decision`", "says", "`ref`"),
    )
    yield build_table(
        "Banking: payments out of an account (the most severe row decides)",
        ("code", "decision", "when", "reference"),
        (*ACH_ROWS, APPROVED),
        ("`code`", "`decision`", "says", "`ref`"),
    )
    yield build_table(
        "Banking: differences from the bank's statement",
        ("code", "what differs"),
        DIFFERENCE_KINDS,
        ("`code`", "says"),
    )
    yield build_table(
        "Banking: payments that an officer reviews",
        ("code", "when"),
        TROUBLES,
        ("`code`", "says"),
    )
    yield build_table(
        "Banking: how things change",
        ("code", "thing", "from", "event", "to", "when"),
        TRANSITIONS,
        ("`code`", "thing", "`state`", "`event`", "`next`", "says"),
    )
