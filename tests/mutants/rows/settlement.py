"""Settlements: what may proceed, what is counted, what is told."""

from tests.mutants.rows import Row

RULES, HELD = "tests/settlement/test_rules.py", "tests/settlement/test_held.py"
ROWS: tuple[Row, ...] = (
    (
        "settlement-unrun-passes",
        "apps/settlement/rules/flow.py",
        "    if check not in facts.ran:\n        return NOT_RUN\n",
        "",
        "A check that did not run is judged by what it never found.",
        (f"{RULES}::test_a_check_that_did_not_run_holds",),
    ),
    (
        "settlement-large-from",
        "apps/settlement/rules/flow.py",
        "self.amount_usd > LARGE_USD",
        "self.amount_usd >= LARGE_USD",
        "Under CAUTION 100,000 USD itself is held.",
        (f"{RULES}::test_each_check_is_decided_by_its_first_row_that_holds",),
    ),
    (
        "settlement-blocked-tells",
        "apps/settlement/rules/flow.py",
        'hidden = self.decision == "BLOCKED" and check in CLOSED',
        "hidden = False",
        "A blocked flow tells which check blocks it.",
        (f"{RULES}::test_two_blocked_flows_are_told_alike",),
    ),
    (
        "settlement-released-while-unstable",
        "apps/settlement/rules/lifecycle.py",
        " and not self.not_run and not self.halts",
        "",
        "What an officer released goes while the oracle is UNSTABLE.",
        (f"{HELD}::test_a_released_one_is_sent_again_and_waits_while_the_oracle_is_unstable",),
    ),
    (
        "settlement-settled-too-soon",
        "apps/settlement/confirming.py",
        'standing.state == "FINAL"',
        'standing.state in ("FINAL", "CONFIRMING")',
        "What the chain may still take back counts as settled.",
        ("tests/settlement/test_production.py::test_it_is_settled_once_the_transfer_is_final",),
    ),
    (
        "settlement-wallet-of-anybody",
        "apps/settlement/entitling.py",
        "    if sender not in access.wallets:",
        "    if not sender:",
        "An institution settles from a wallet that nobody approved.",
        ("tests/settlement/test_production.py::TestEntitled",),
    ),
)
