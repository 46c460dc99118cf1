"""Payments: what may become of them, and what is told."""

from tests.mutants.rows import Row

LIFE, OUT = "tests/payments/test_lifecycle.py", "tests/payments/test_outcomes.py"
ROWS: tuple[Row, ...] = (
    (
        "payments-reference-anything",
        "apps/payments/payments/services/accept_payment.py",
        "if payment is not None and payment.fingerprint != instruction.fingerprint:",
        "if payment is not None and payment.owner != owner:",
        "Another instruction under a used reference is answered as if it were taken.",
        ("tests/payments/test_initiate.py::test_another_instruction_under_a_reference_is_refused",),
    ),
    (
        "payments-payer-replaced",
        "apps/payments/payments/integrity.py",
        "if payment.instruction and (column := _find_altered_column(payment)):",
        "if payment.creditor_lei and (column := _find_altered_column(payment)):",
        "A payment whose payer was replaced in the database is settled by that one's coins.",
        ("tests/payments/test_altered.py::test_what_is_settled_is_what_was_priced",),
    ),
    (
        "payments-unchecked-passes",
        "apps/payments/payments/rules/lifecycle.py",
        'set(c.screens) == {"APPROVED"}',
        'set(c.screens) <= {"APPROVED"}',
        "A payment whose parties were not screened is verified.",
        (f"{LIFE}::test_a_check_that_was_not_made_is_never_passed",),
    ),
    (
        "payments-released-whole",
        "apps/payments/payments/services/rechecks.py",
        "answered=bool(flagged) and not unanswered_findings)",
        "answered=bool(flagged))",
        "A release lets go what no officer answered.",
        ("tests/payments/test_rechecked.py::test_who_is_another_party_may_still_behave_unusually",),
    ),
    (
        "payments-second-hold-shows-it-all",
        "apps/compliance/screening/combined/party_findings.py",
        "left = [at for at, one in enumerate(found) if one.key in keys]",
        "left = list(range(len(found)))",
        "The case of a second hold asks for what officers answered before.",
        ("tests/payments/test_rechecked.py::test_what_a_release_does_not_answer_holds_on",),
    ),
    (
        "payments-step-not-compared",
        "apps/payments/payments/transitions.py",
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
        "apps/payments/payments/payloads.py",
        'told = ("vop", "compliance") if payment.state in FINAL else ("vop",)',
        'told = ("vop", "compliance")',
        "A payment that is held tells what its checks came to before it ends.",
        ("tests/payments/test_held.py::test_a_flagged_party_holds_the_payment_with_one_case",),
    ),
    (
        "payments-tries-forgotten",
        "apps/payments/payments/transitions.py",
        "    if not row.counts:",
        "    if True:",
        "A rail that never answers is asked for ever.",
        (f"{LIFE}::test_a_rail_that_never_answers_ends_in_a_failure_that_says_so",),
    ),
    (
        "payments-handed-over-never",
        "apps/payments/payments/services/advance_payment.py",
        "    rail_settlement.hand_over_to_travel_rule(payment, now=now)\n",
        "",
        "The travel rule never learns of a settled payment.",
        (f"{OUT}::test_what_settles_takes_its_quote_once_and_is_handed_over",),
    ),
    (
        "payments-blocked-flags-differ",
        "apps/payments/payments/services/advance_payment.py",
        'said | {"compliance": dict(messages.BLOCKED_FLAGS)}, messages.BLOCKED',
        "said, messages.BLOCKED",
        "What blocked a payment shows in its flags.",
        (
            "tests/review/test_no_tipping_off.py"
            "::test_a_blocked_payment_tells_the_same_whatever_blocked_it",
        ),
    ),
    (
        "payments-oldest-handed-over-last",
        "apps/payments/payments/services/rail_settlement.py",
        'return list(rows.order_by("pk")[:limit])',
        'return list(rows.order_by("-pk")[:limit])',
        "Where more payments wait than are recorded at once, the older are passed over.",
        (
            "tests/travelrule/test_record.py::"
            "test_more_than_are_recorded_at_once_are_recorded_the_oldest_first",
        ),
    ),
    (
        "payments-files-of-all-are-listed",
        "apps/payments/payments/pain001/reads.py",
        "return PaymentFile.objects.of(caller.ref)",
        "return PaymentFile.objects.all()",
        "The list of payment messages holds those of all institutions.",
        ("tests/api/test_other_tenants.py::test_no_answer_holds_anything_of_another_tenant",),
    ),
)
