"""The tables of expected transfers for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.chain.rules.confirmation_depth import TIERS
from apps.payments.chain.rules.transfer_match import MATCH_RULES
from apps.payments.chain.rules.transitions import TRANSITIONS
from apps.platform.common.rule_docs import Table, build_table, yes_or_no

CHAINS = {8453: "Base", 84532: "Base Sepolia", 1: "Ethereum"}


def build_rule_tables() -> Iterator[Table]:
    """Yield the tables of transitions, of matching, and of required depth."""
    yield build_table(
        "Expected transfers: what becomes of one",
        ("code", "from", "event", "to", "when", "told"),
        TRANSITIONS,
        (
            "`code`",
            lambda row: ", ".join(f"`{state}`" for state in row.states),
            "`event`",
            "`next`",
            "title",
            yes_or_no("tells"),
        ),
    )
    yield (
        "Expected transfers: matching a transfer to an order (the first row that applies)",
        ("code", "when", "then"),
        [(f"`{code}`", when, then) for code, when, then in MATCH_RULES],
    )
    yield (
        "Expected transfers: confirmations required",
        ("code", "chain", "amounts below", "blocks", "mark of the chain", "about"),
        [
            (
                f"`{row.ref}`",
                CHAINS[chain],
                f"{row.below:,f}" if row.below else "all others",
                str(row.depth),
                f"`{row.mark}`" if row.mark else "–",
                f"{row.about} blocks",
            )
            for chain, rows in TIERS.items()
            for row in rows
        ],
    )
