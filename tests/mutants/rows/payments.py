"""Payments: what may become of them, and what is told."""

from tests.mutants.rows import Row

LIFE, OUT = "tests/payments/test_lifecycle.py", "tests/payments/test_outcomes.py"
ROWS: tuple[Row, ...] = (
    (
        "payments-reference-anything",
        "apps/payments/accepting.py",
        "if found.fingerprint != instruction.fingerprint:",
        "if found.owner != owner:",
        "Another instruction under a used reference is answered as if it were taken.",
        ("tests/payments/test_initiate.py::test_another_instruction_under_a_reference_is_refused",),
    ),
    (
        "payments-unchecked-passes",
        "apps/payments/rules/lifecycle.py",
        'set(c.screens) == {"APPROVED"}',
        'set(c.screens) <= {"APPROVED"}',
        "A payment whose parties were not screened is verified.",
        (f"{LIFE}::test_a_check_that_was_not_made_is_never_passed",),
    ),
    (
        "payments-step-not-compared",
        "apps/payments/moving.py",
        'as_read = {"pk": payment.pk, "steps": before}',
        'as_read = {"pk": payment.pk}',
        "Two workers take one payment through the same turn.",
        (
            "tests/payments/test_moving.py"
            "::test_a_payment_that_was_moved_meanwhile_is_not_moved_again",
        ),
    ),
    (
        "payments-held-tells-flags",
        "apps/payments/result.py",
        'told = ("vop", "compliance") if payment.state in FINAL else ("vop",)',
        'told = ("vop", "compliance")',
        "A payment that is held tells what its checks came to before it ends.",
        ("tests/payments/test_held.py::test_a_flagged_party_holds_the_payment_with_one_case",),
    ),
    (
        "payments-tries-forgotten",
        "apps/payments/moving.py",
        "    if not row.counts:",
        "    if True:",
        "A rail that never answers is asked for ever.",
        (f"{LIFE}::test_a_rail_that_never_answers_ends_in_a_failure_that_says_so",),
    ),
    (
        "payments-handed-over-never",
        "apps/payments/advancing.py",
        "    settling.hand_over(payment, network=network, now=now)\n",
        "",
        "The travel rule never learns of a settled payment.",
        (f"{OUT}::test_what_settles_takes_its_quote_once_and_is_handed_over",),
    ),
    (
        "payments-blocked-flags-differ",
        "apps/payments/advancing.py",
        'said | {"compliance": dict(words.BLOCKED_FLAGS)}, words.BLOCKED',
        "said, words.BLOCKED",
        "What blocked a payment shows in its flags.",
        (
            "tests/review/test_no_tipping_off.py"
            "::test_a_blocked_payment_tells_the_same_whatever_blocked_it",
        ),
    ),
)
