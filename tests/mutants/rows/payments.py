"""Payments: what may become of them, and what is told."""

from tests.mutants.rows import Row

LIFE, OUT = "tests/payments/test_lifecycle.py", "tests/payments/test_outcomes.py"
ROWS: tuple[Row, ...] = (
    (
        "payments-parties-leave-with-any-step",
        "apps/payments/payments/models/events.py",
        "filter(pk=self.payment_id, steps=self.number)",
        "filter(pk=self.payment_id)",
        "A payment differs from its last event from the day on which its first one is purged.",
        (
            "tests/payments/test_payment_retention.py::"
            "test_parties_go_with_the_last_step_and_the_payment_stays_proved",
        ),
    ),
    (
        "payments-reference-anything",
        "apps/payments/payments/services/accept_payment.py",
        "if payment is not None and payment.fingerprint != instruction.fingerprint:",
        "if payment is not None and payment.owner != owner:",
        "Another instruction under a used reference is answered as if it were taken.",
        ("tests/payments/test_initiate.py::test_another_instruction_under_a_reference_is_refused",),
    ),
    (
        "payments-held-is-counted",
        "apps/payments/payments/payment_checks.py",
        "        holds=not released,\n",
        "",
        "Three large payments that nobody released open the way for a fourth.",
        ("tests/payments/test_prior_attempts.py::test_what_is_held_makes_no_wallet_mature",),
    ),
    (
        "payments-renamed-payee",
        "apps/compliance/aml/screening/services.py",
        "    if others is OtherChecks.PAYEE_BLOCKED:\n",
        "    if others is None:\n",
        "Who was refused by name is paid under another.",
        (
            "tests/payments/test_prior_attempts.py::test_who_was_refused_by_name_is_not_paid_under_another",
        ),
    ),
    (
        "payments-altered-profile",
        "apps/compliance/aml/models/profiles.py",
        "    if why := profile.find_fault():\n",
        "    if (why := profile.find_fault()) and profile.touched < 0:\n",
        "Whoever clears in the database that a wallet tried to pay a listed one lets it pay.",
        (
            "tests/payments/test_prior_attempts.py::test_a_profile_that_somebody_altered_lets_nothing_go",
        ),
    ),
    (
        "payments-out-of-order",
        "apps/payments/payments/services/advance_payment.py",
        "    judge_earlier_payments(payment, now=now)\n",
        "",
        "A payment settles while an earlier one of its sender is found to be to a listed wallet.",
        (
            "tests/payments/test_sender_order.py"
            "::test_whoever_takes_up_the_later_one_carries_on_the_earlier_first",
        ),
    ),
    (
        "payments-attempt-forgotten",
        "apps/compliance/aml/selectors.py",
        "any(known.get(name) != at for",
        "all(known.get(name) != at for",
        "A payment that was checked settles although its sender tried a listed wallet since.",
        (
            "tests/payments/test_sender_order.py"
            "::test_one_whose_sender_tried_a_listed_wallet_since_is_checked_again",
        ),
    ),
    (
        "payments-payer-replaced",
        "apps/payments/payments/integrity.py",
        "if payment.instruction and (column := _find_altered_column(payment)):",
        "if payment.creditor_lei and (column := _find_altered_column(payment)):",
        "A payment whose payer was replaced in the database is settled by that one's coins.",
        ("tests/payments/test_altered_payments.py::test_what_is_settled_is_what_was_priced",),
    ),
    (
        "payments-unchecked-passes",
        "apps/payments/payments/rules/transitions.py",
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
        ("tests/payments/test_rechecks.py::test_who_is_another_party_may_still_behave_unusually",),
    ),
    (
        "payments-second-hold-shows-it-all",
        "apps/compliance/screening/combined/party_findings.py",
        "left = [at for at, finding in enumerate(of_reason) if finding.key in keys]",
        "left = list(range(len(of_reason)))",
        "The case of a second hold asks for what officers answered before.",
        ("tests/payments/test_rechecks.py::test_what_a_release_does_not_answer_holds_on",),
    ),
    (
        "payments-held-tells-flags",
        "apps/payments/payments/presenters.py",
        'shown_parts = ("vop", "compliance") if payment.state in FINAL else ("vop",)',
        'shown_parts = ("vop", "compliance")',
        "A payment that is held tells what its checks came to before it ends.",
        (
            "tests/payments/test_held_payments.py::test_a_flagged_party_holds_the_payment_with_one_case",
        ),
    ),
    (
        "payments-tries-forgotten",
        "apps/payments/payments/record_transition.py",
        "    if not row.counts:",
        "    if True:",
        "A rail that never answers is asked for ever.",
        (f"{LIFE}::test_a_rail_that_never_answers_ends_in_a_failure_that_says_so",),
    ),
    (
        "payments-handed-over-never",
        "apps/payments/payments/services/advance_payment.py",
        "    travel_rule_handovers.hand_over_to_travel_rule(payment, now=now)\n",
        "",
        "The travel rule never learns of a settled payment.",
        (f"{OUT}::test_what_settles_takes_its_quote_once_and_is_handed_over",),
    ),
    (
        "payments-blocked-flags-differ",
        "apps/payments/payments/services/advance_payment.py",
        'disclosed | {"compliance": dict(messages.BLOCKED_FLAGS)},',
        "disclosed,",
        "What blocked a payment shows in its flags.",
        (
            "tests/review/test_no_tipping_off.py"
            "::test_a_blocked_payment_tells_the_same_whatever_blocked_it",
        ),
    ),
    (
        "payments-oldest-handed-over-last",
        "apps/payments/payments/services/travel_rule_handovers.py",
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
        "apps/payments/payments/pain001/selectors.py",
        "return PaymentFile.objects.of(caller.ref)",
        "return PaymentFile.objects.all()",
        "The list of payment messages holds those of all institutions.",
        ("tests/api/test_other_tenants.py::test_no_answer_holds_anything_of_another_tenant",),
    ),
)
