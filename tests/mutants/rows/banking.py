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
    (
        "banking-refused-after-a-lost-answer",
        "apps/banking/sending.py",
        "    if not row.unclear:\n",
        "    if True:\n",
        "A payment whose answer was lost, and that left, is told as failed.",
        ("tests/banking/test_unclear.py::"
         "test_what_is_not_found_is_not_told_failed_but_is_an_officers",),
    ),
    (
        "banking-one-recipient-for-all",
        "apps/banking/models/recipients.py",
        "return [self.owner, str(self.recipient_id)]",
        "return [str(self.recipient_id)]",
        "Of two institutions that choose one id for a recipient one cannot pay its own.",
        ("tests/banking/test_recipients.py::"
         "test_two_institutions_that_choose_one_id_each_pay_their_own_account",),
    ),
    (
        "banking-gone-is-not-seen",
        "apps/banking/projection.py",
        "yield from _gone(model)",
        "yield from ()",
        "A payment that somebody deleted is told by nothing.",
        ("tests/banking/test_gone.py::"
         "test_a_payment_that_somebody_deleted_is_not_sent_again",),
    ),
    (
        "banking-told-otherwise-is-routed",
        "apps/banking/rules/routing.py",
        "return not (same_amount and same_wallet and same_end)",
        "return False",
        "What the bank corrects after it was routed is settled as it was told first.",
        ("tests/banking/test_routing_rules.py::"
         "test_what_was_routed_and_is_told_otherwise_is_altered",),
    ),
    (
        "banking-payer-is-not-screened",
        "apps/banking/payers.py",
        "screens.look(asked, now=now) if asked else None,",
        "None,",
        "A deposit of somebody on a list is quoted.",
        ("tests/banking/test_payers.py::"
         "test_a_deposit_of_somebody_against_whom_the_screen_stands_is_halted",),
    ),
    (
        "banking-failed-is-expected-on",
        "apps/chain/orders.py",
        '        move(order, "CLOSED", now=now, why=CLOSED)\n        return True\n',
        "        return True\n",
        "A settlement whose payment failed at the bank is paid all the same.",
        ("tests/banking/test_called_off.py::"
         "test_while_no_transfer_was_sent_its_order_is_ended",),
    ),
    (
        "banking-release-covers-what-changed",
        "apps/banking/payers.py",
        ' and said.get("of") == of:',
        ":",
        "An officer's release covers what the bank told afterwards.",
        ("tests/banking/test_payers.py::"
         "test_what_an_officer_saw_and_released_goes_and_what_changed_since_does_not",),
    ),
    (
        "banking-a-part-of-the-payer-is-enough",
        "apps/banking/rules/payers.py",
        "lambda s: s.overlong)",
        "lambda s: False)",
        "What is too long to be screened whole is routed on a part of it.",
        ("tests/banking/test_payers.py::test_a_name_is_never_routed_on_a_part_of_it",
         "tests/banking/test_payers.py::test_a_note_is_never_routed_on_a_part_of_it"),
    ),
    (
        "banking-first-country-hides-the-rest",
        "apps/banking/payers.py",
        "for place in places)",
        "for place in places[:1])",
        "The country of a payer's bank is not looked at beside an address elsewhere.",
        ("tests/banking/test_payers.py::"
         "test_the_gravest_of_all_countries_of_a_payer_decides",),
    ),
    (
        "banking-renamed-is-not-screened",
        "apps/banking/renaming.py",
        "payer_digest(verdict.payer) == _routed(row):",
        "True:",
        "A payer whom the bank names after routing is never held against the lists.",
        ("tests/banking/test_renaming.py::"
         "test_a_listed_payer_who_is_told_later_ends_the_order_and_is_in_the_sar_log",),
    ),
    (
        "banking-renamed-is-executed-on",
        "apps/banking/rules/routing.py",
        " or bool(facts.against)",
        "",
        "What executes a payment of a listed payer is handed out on.",
        ("tests/banking/test_renaming.py::"
         "test_once_a_transfer_is_named_the_case_and_the_entry_stand_beside_it",),
    ),
    (
        "banking-second-page-of-a-shared-statement",
        "apps/banking/reads.py",
        "islice(mine, offset, offset + limit)",
        "islice(mine, offset, limit)",
        "The second page of a statement of a shared account is empty.",
        (
            "tests/banking/test_sends.py::"
            "test_a_statement_of_a_shared_account_is_read_page_by_page",
        ),
    ),
    (
        "banking-explanation-is-not-sent",
        "apps/banking/sending.py",
        "provider_purpose(row.category, row.additional_info)",
        'provider_purpose(row.category, "")',
        "The bank is not told the explanation of a payment's purpose.",
        ("tests/banking/test_sends.py::test_the_bank_is_told_all_that_was_asked",),
    ),
    (
        "banking-payer-unnamed-at-the-bound",
        "apps/banking/rules/payers.py",
        "s.amount >= IDENTIFIED_FROM_USD",
        "s.amount > IDENTIFIED_FROM_USD",
        "1,000 USD of an unnamed payer are settled.",
        ("tests/banking/test_payers.py::test_what_stands_against_a_deposit",),
    ),
    (
        "banking-deposit-counts-as-paid-twice",
        "apps/banking/rules/reconciling.py",
        "again = one.amount < 0 and",
        "again = one.amount > 0 and",
        "A payment that left the account twice counts as merely unknown.",
        ("tests/banking/test_reconciling.py::test_each_difference_has_its_kind",),
    ),
    (
        "banking-latest-payment-is-swept-first",
        "apps/banking/sending.py",
        'due_at__lt=now - OVERDUE).order_by("due_at")',
        'due_at__lt=now - OVERDUE).order_by("-due_at")',
        "Where many payments were left lying, the oldest is sent last.",
        (
            "tests/banking/test_sends.py::"
            "test_of_more_than_are_planned_at_once_the_longest_due_come_first",
        ),
    ),
    (
        "banking-late-payment-is-not-screened-again",
        "apps/banking/sending.py",
        "now - row.asked_at > LOOKED_FOR",
        "now - row.asked_at < LOOKED_FOR",
        "A recipient that is listed while its payment waits is paid.",
        (
            "tests/banking/test_sends.py::"
            "test_who_is_listed_while_a_payment_waits_for_longer_than_five_minutes_is_not_paid",
        ),
    ),
)  # fmt: skip
