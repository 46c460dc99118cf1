"""The banking connector: deliveries, their fold, what leaves an account."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "banking-window-ends-early",
        "apps/banking/rules/signatures.py",
        'return "STALE" if abs(now - found.at) > WINDOW_SECONDS else ""',
        'return "STALE" if abs(now - found.at) >= WINDOW_SECONDS else ""',
        "A delivery of exactly 300 seconds ago is refused.",
        ("tests/banking/test_signatures.py::"
         "test_within_300_seconds_to_either_side_a_delivery_is_taken",),
    ),
    (
        "banking-last-come-last-applied",
        "apps/banking/rules/merging.py",
        "in sorted(patches, key=lambda one: one[:2]):",
        "in patches:",
        "An older version that comes late undoes a newer one.",
        ("tests/banking/test_merging.py::"
         "test_an_older_version_that_comes_late_fills_in_and_undoes_nothing",),
    ),
    (
        "banking-outgoing-is-routed",
        "apps/banking/rules/routing.py",
        "lambda f: (f.amount or 0) < 0 and not f.ours),",
        "lambda f: False),",
        "What leaves the account is settled as well: it is paid twice.",
        ("tests/banking/test_routing_rules.py::test_the_first_row_that_holds_decides",),
    ),
    (
        "banking-a-key-for-each-try",
        "apps/banking/sending.py",
        '"idempotencyKey": str(row.bank_key),',
        '"idempotencyKey": f"{row.bank_key}{row.tries}",',
        "A payment whose answer was lost is paid again.",
        ("tests/banking/test_sends.py::"
         "test_an_answer_that_does_not_come_is_asked_for_again_with_the_same_key",),
    ),
    (
        "banking-unchecked-fires",
        "apps/banking/rules/ach.py",
        "lambda f: not f.action),",
        "lambda f: False),",
        "A payment that could not be checked is sent by itself.",
        ("tests/banking/test_ach.py::test_the_gravest_row_decides",),
    ),
)  # fmt: skip
