"""The tables of the banking connector for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.banking.rules.ach import APPROVED
from apps.payments.banking.rules.ach import ROWS as ACH
from apps.payments.banking.rules.lifecycle import TRANSITIONS
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.reconciliation import DIFFERENCE_KINDS
from apps.payments.banking.rules.routes import ALL_ROWS_BY_CODE
from apps.payments.banking.rules.troubles import TROUBLES

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield what becomes of a delivery, and how what it tells of changes."""
    yield (
        "Banking: what becomes of a delivery; the first row that holds counts",
        ("code", "action", "when", "reference"),
        [
            (f"`{one.code}`", f"`{one.action}`", one.says, f"`{one.ref}`")
            for one in ALL_ROWS_BY_CODE.values()
        ],
    )
    yield (
        "Banking: what stands against who pays a deposit; the gravest row decides",
        ("code", "decision", "when", "reference"),
        [(f"`{one.code}`", f"`{one.decision}`", one.says, f"`{one.ref}`") for one in PAYER_RULES],
    )
    yield (
        "Banking: payments out of an account; the gravest row decides",
        ("code", "decision", "when", "reference"),
        [
            (f"`{one.code}`", f"`{one.decision}`", one.says, f"`{one.ref}`")
            for one in (*ACH, APPROVED)
        ],
    )
    yield (
        "Banking: differences from the bank's statement",
        ("code", "what differs"),
        [(f"`{one.code}`", one.says) for one in DIFFERENCE_KINDS],
    )
    yield (
        "Banking: payments that an officer is told of",
        ("code", "when"),
        [(f"`{one.code}`", one.says) for one in TROUBLES],
    )
    yield (
        "Banking: how things change",
        ("code", "thing", "from", "event", "to", "when"),
        [
            (
                f"`{one.code}`",
                one.thing,
                f"`{one.state}`" if one.state else "–",
                f"`{one.event}`",
                f"`{one.next}`",
                one.says,
            )
            for one in TRANSITIONS
        ],
    )
