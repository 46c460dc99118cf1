"""Payments and sessions that are subtly wrong."""

from tests.mutants.rows import Row

PAID = "tests/paywall/test_paid_calls.py"
SETTLING = "tests/paywall/test_settlement_outcomes.py"
STREAMS = "tests/paywall/test_stream_sessions.py"
HELD = "tests/paywall/test_money_row_integrity.py"
UNANSWERED = "tests/paywall/test_undelivered_payments.py"

ROWS: tuple[Row, ...] = (
    (
        "paywall-underpaid",
        "apps/access/paywall/x402/checks.py",
        "lambda p, t, now: p.value != t.amount",
        "lambda p, t, now: p.value > t.amount",
        "Who signs less than the price gets the call.",
        (f"{PAID}::test_a_payment_that_is_not_good_is_refused_and_says_why",),
    ),
    (
        "paywall-anybodys-signature",
        "apps/access/paywall/x402/checks.py",
        "lambda p, t, now: is_plain_signature(p) and not is_signed_by_payer(p, t)",
        "lambda p, t, now: False",
        "Anybody pays from anybody's wallet.",
        (f"{PAID}::test_a_payment_that_is_not_good_is_refused_and_says_why",),
    ),
    (
        "paywall-one-payment-for-all",
        "apps/access/paywall/services/payment_claims.py",
        "if row.fingerprint != purchase.fingerprint:",
        "if row.fingerprint == '':",
        "One payment gives the answer to another request.",
        (f"{PAID}::test_the_same_payment_for_another_request_is_409_and_buys_nothing",),
    ),
    (
        "paywall-doubt-is-a-no",
        "apps/access/paywall/x402/facilitators.py",
        "or reason in DOUBTFUL:",
        "or reason == DOUBTFUL:",
        "A settlement that may have happened asks the payer to sign again.",
        (
            "tests/paywall/test_http_facilitator.py"
            "::test_a_settlement_that_may_have_happened_is_unknown_and_gives_nothing_away",
        ),
    ),
    (
        "paywall-no-is-proof",
        "apps/access/paywall/services/reconciliation.py",
        "    if settlement.outcome is SettlementOutcome.FAILED and facilitator.name != SANDBOX:\n",
        "    if settlement.outcome is SettlementOutcome.FAILED and facilitator.name == SANDBOX:\n",
        "A facilitator that forgot what it sent makes a payment fail that was taken.",
        (f"{SETTLING}::test_a_facilitators_no_is_no_proof_of_an_outcome_that_was_unknown",),
    ),
    (
        "paywall-money-lost-with-the-answer",
        "apps/access/paywall/services/payment_claims.py",
        "    if row.state == State.SETTLED:\n        return _take_over_claim(row, now)\n",
        "    if row.state == State.SETTLED:\n        raise problems.PaymentUsed('Used.')\n",
        "Money came, our work failed, and the payer has nothing.",
        (f"{SETTLING}::test_money_that_came_for_work_that_failed_pays_for_the_same_request_again",),
    ),
    (
        "paywall-secret-told-to-chain-readers",
        "apps/access/paywall/authentication.py",
        "bare = payment_claims.NOT_KEPT if operation.answers_secret else payment_claims.KEPT_BARE",
        "bare = payment_claims.KEPT_BARE",
        "Who puts a payment together from the chain is told the session's secret.",
        (
            f"{STREAMS}"
            "::test_the_secret_is_told_again_only_under_the_idempotency_key_of_the_first_call",
        ),
    ),
    (
        "paywall-tick-below-zero",
        "apps/access/paywall/services/sessions.py",
        "open_now.filter(balance__gte=use.amount).update(",
        "open_now.update(",
        "A tick of more than is left fails without saying why.",
        (f"{STREAMS}::test_ticks_take_units_once_for_each_id",),
    ),
    (
        "paywall-anothers-session",
        "apps/access/paywall/services/stream_operations.py",
        "if caller.ref != f\"session:{asked['session_id']}\":",
        "if not caller.ref:",
        "The secret of one session closes another.",
        (f"{STREAMS}::test_nobody_without_the_secret_is_let_in",),
    ),
    (
        "paywall-owed-on-the-rows-word",
        "apps/access/paywall/record_guards.py",
        "    _require_unaltered(row.credit == paid and row.balance == left)\n",
        "",
        "What is owed back is what the row says, whatever was paid and taken.",
        (f"{HELD}::test_what_is_owed_is_what_was_paid_less_the_ticks",),
    ),
    (
        "paywall-altered-session-used",
        "apps/access/paywall/record_guards.py",
        "    _require_unaltered(not list(find_session_faults(row, _load_last_step(row))))\n",
        "",
        "A session that somebody altered is used as it stands.",
        (f"{HELD}::test_nothing_is_owed_or_taken_on_the_word_of_an_altered_session",),
    ),
    (
        "paywall-spent-session-forgets",
        "apps/access/paywall/authentication.py",
        "        if (stored := claim.stored()) is not None:\n            return stored\n",
        "",
        "The call that took the last credit cannot be told again.",
        (f"{STREAMS}::test_a_call_that_took_the_last_credit_is_told_again",),
    ),
    (
        "paywall-payer-of-any-signature",
        "apps/access/paywall/authentication.py",
        (
            "if not is_plain_signature(payment) or find_payment_fault(\n"
            "            payment=payment, terms=terms, now=moment\n"
            "        ):"
        ),
        "if find_payment_fault(payment=payment, terms=terms, now=moment):",
        "A signature that nobody can judge shows what another wallet paid for.",
        (f"{PAID}::test_a_long_signature_of_a_contract_wallet_shows_nothing",),
    ),
    (
        "paywall-money-kept-for-nothing",
        "apps/access/paywall/tasks.py",
        "        payment_claims.record_owed_back(claim, now)\n",
        "        pass\n",
        "Money that bought nothing is kept.",
        (f"{UNANSWERED}::test_after_a_day_it_is_owed_back_once_and_buys_nothing_more",),
    ),
    (
        "paywall-takings-have-a-moment-more",
        "apps/access/paywall/revenue.py",
        "filter(recorded_at__gte=since, recorded_at__lt=until).order_by()",
        "filter(recorded_at__gte=since, recorded_at__lte=until).order_by()",
        "A receipt of the first moment of a month counts in the month before as well.",
        (
            "tests/paywall/test_desk.py::"
            "test_a_month_lasts_from_its_first_moment_to_before_that_of_the_next",
        ),
    ),
    (
        "paywall-rest-of-an-expired-session-is-kept",
        "apps/access/paywall/services/sessions.py",
        "    if row.refundable:\n",
        "    if row.refundable and state == State.CLOSED:\n",
        "What is left of a session that ran out is not owed back.",
        (
            "tests/paywall/test_stream_sessions.py::"
            "test_a_session_whose_time_is_over_is_closed_with_its_rest",
        ),
    ),
    (
        "paywall-session-takes-at-its-end",
        "apps/access/paywall/services/sessions.py",
        "state=State.OPEN, expires_at__gt=now",
        "state=State.OPEN, expires_at__gte=now",
        "A session takes at the very moment at which it has ended.",
        (
            "tests/paywall/test_stream_sessions.py::"
            "test_a_session_takes_until_its_end_and_not_at_it",
        ),
    ),
)
