"""The banking connector: deliveries, their fold, what leaves an account."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "banking-row-that-was-set-back-is-believed",
        "apps/payments/banking/integrity.py",
        "number__gte=row.steps)",
        "number=row.steps)",
        "A row that somebody set back to an earlier step goes from there a second time.",
        (
            "tests/banking/test_rows_set_back.py::test_a_payment_that_was_set_back_is_not_sent_again",
        ),
    ),
    (
        "banking-texts-leave-with-any-step",
        "apps/payments/banking/models/events.py",
        "filter(pk=int(number), steps=self.number)",
        "filter(pk=int(number))",
        "A row differs from its last event from the day on which its first one is purged.",
        (
            "tests/banking/test_event_retention.py::"
            "test_texts_and_names_go_with_the_last_step_and_rows_stay_proved",
        ),
    ),
    (
        "banking-text-of-a-wire-is-not-screened",
        "apps/payments/banking/services/wire_proposals.py",
        "    flagged = screening_outcome.flagged or bool(listed_names)",
        "    flagged = screening_outcome.flagged",
        "A wire whose text names a listed party is sent.",
        (
            "tests/banking/test_wires.py::"
            "test_a_wire_whose_text_names_a_listed_party_waits_at_the_desk",
        ),
    ),
    (
        "banking-window-ends-early",
        "apps/payments/banking/rules/webhook_signatures.py",
        'return "STALE" if abs(now - signature.at) > WINDOW_SECONDS else ""',
        'return "STALE" if abs(now - signature.at) >= WINDOW_SECONDS else ""',
        "A delivery of exactly 300 seconds ago is refused.",
        (
            "tests/banking/test_signatures.py::"
            "test_within_300_seconds_to_either_side_a_delivery_is_taken",
        ),
    ),
    (
        "banking-last-come-last-applied",
        "apps/payments/banking/rules/merge_patches.py",
        "in sorted(patches, key=lambda patch_row: patch_row[:2]):",
        "in patches:",
        "An older version that comes late undoes a newer patch_row.",
        (
            "tests/banking/test_merge_patches.py::"
            "test_an_older_version_that_comes_late_fills_in_and_undoes_nothing",
        ),
    ),
    (
        "banking-outgoing-is-routed-as-nobodys",
        "apps/payments/banking/rules/routes.py",
        ("lambda f: (f.amount or 0) < 0 and not f.ours and f.unsure,\n    ),"),
        "lambda f: False),",
        "A payment that is just being sent is settled before it is known whose it is.",
        ("tests/banking/test_routing_rules.py::test_the_first_row_that_holds_decides",),
    ),
    (
        "banking-release-lets-everything-go",
        "apps/backoffice/review/payment_hold_findings.py",
        'if finding["ref"] in rules and not finding["blocks"]]',
        'if not finding["blocks"]]',
        "A release lets go findings that nobody answered.",
        (
            "tests/banking/test_payer_screening.py::test_a_release_lets_go_what_it_answers_and_nothing_else",
        ),
    ),
    (
        "banking-released-although-blocked",
        "apps/backoffice/review/payment_hold_findings.py",
        "if finding.blocks or finding.key not in cleared]",
        "if finding.key not in cleared]",
        "An officer lets go what blocks.",
        (
            "tests/banking/test_payer_screening.py::"
            "test_what_is_answered_holds_no_more_and_nothing_else_is_let_go",
        ),
    ),
    (
        "banking-a-key-for-each-try",
        "apps/payments/banking/services/submit_send.py",
        '"idempotencyKey": str(row.bank_key),',
        '"idempotencyKey": f"{row.bank_key}{row.tries}",',
        "A payment whose answer was lost is paid again.",
        (
            "tests/banking/test_sends.py::"
            "test_an_answer_that_does_not_come_is_asked_for_again_with_the_same_key",
        ),
    ),
    (
        "banking-unchecked-fires",
        "apps/payments/banking/rules/automatic_sending.py",
        ("lambda f: not f.action\n    ),"),
        "lambda f: False),",
        "A payment that could not be checked is sent by itself.",
        ("tests/banking/test_ach.py::test_the_gravest_row_decides",),
    ),
    (
        "banking-refused-after-a-lost-answer",
        "apps/payments/banking/services/submit_send.py",
        "    if not row.unclear:\n",
        "    if True:\n",
        "A payment whose answer was lost, and that left, is told as failed.",
        (
            "tests/banking/test_unknown_outcomes.py::"
            "test_what_is_not_found_is_not_told_failed_but_is_an_officers",
        ),
    ),
    (
        "banking-one-recipient-for-all",
        "apps/payments/banking/models/recipients.py",
        "return [self.owner, str(self.recipient_id)]",
        "return [str(self.recipient_id)]",
        "Of two institutions that choose one id for a recipient one cannot pay its own.",
        (
            "tests/banking/test_recipients.py::"
            "test_two_institutions_that_choose_one_id_each_pay_their_own_account",
        ),
    ),
    (
        "banking-gone-is-not-seen",
        "apps/payments/banking/integrity.py",
        "yield from _find_missing_rows(model)",
        "yield from ()",
        "A payment that somebody deleted is told by nothing.",
        (
            "tests/banking/test_deleted_rows.py::test_a_payment_that_somebody_deleted_is_not_sent_again",
        ),
    ),
    (
        "banking-told-otherwise-is-routed",
        "apps/payments/banking/rules/routes.py",
        "return not (same_amount and same_wallet and same_end)",
        "return False",
        "What the bank corrects after it was routed is settled as it was told first.",
        (
            "tests/banking/test_routing_rules.py::"
            "test_what_was_routed_and_is_told_otherwise_is_altered",
        ),
    ),
    (
        "banking-payer-is-not-screened",
        "apps/payments/banking/screening/deposits.py",
        (
            "screens.screen_parties(\n"
            "            payer_requests, owner=owner, now=now, "
            "known=_build_payer_parties(payer)\n"
            "        )\n"
            "        if payer_requests\n"
            "        else None,"
        ),
        "None,",
        "A deposit of somebody on a list is quoted.",
        (
            "tests/banking/test_payer_screening.py::"
            "test_a_deposit_of_somebody_against_whom_the_screen_stands_is_halted",
        ),
    ),
    (
        "banking-failed-is-expected-on",
        "apps/payments/chain/expected_transfers.py",
        '        record_transition(order, "CLOSED", now=now, why=CLOSED_REASON)\n'
        "        return True\n",
        "        return True\n",
        "A settlement whose payment failed at the bank is paid all the same.",
        (
            "tests/banking/test_cancelled_settlements.py::test_while_no_transfer_was_sent_its_order_is_ended",
        ),
    ),
    (
        "banking-release-covers-what-changed",
        "apps/payments/banking/screening/deposits.py",
        ' and earlier.data.get("of") == of:',
        ":",
        "An officer's release covers what the bank told afterwards.",
        (
            "tests/banking/test_payer_screening.py::"
            "test_what_an_officer_saw_and_released_goes_and_what_changed_since_does_not",
        ),
    ),
    (
        "banking-a-part-of-the-payer-is-enough",
        "apps/payments/banking/rules/payers.py",
        "lambda s: s.overlong)",
        "lambda s: False)",
        "What is too long to be screened whole is routed on a part of it.",
        (
            "tests/banking/test_payer_screening.py::test_a_name_is_never_routed_on_a_part_of_it",
            "tests/banking/test_payer_screening.py::test_a_note_is_never_routed_on_a_part_of_it",
        ),
    ),
    (
        "banking-first-country-hides-the-rest",
        "apps/payments/banking/screening/deposits.py",
        "for place in places)",
        "for place in places[:1])",
        "The country of a payer's bank is not looked at beside an address elsewhere.",
        (
            "tests/banking/test_payer_screening.py::test_the_gravest_of_all_countries_of_a_payer_decides",
        ),
    ),
    (
        "banking-renamed-is-not-screened",
        "apps/payments/banking/services/rescreen_changed_payer.py",
        "payer_digest(verdict.payer) == _load_routed_payer_digest(row):",
        "True:",
        "A payer whom the bank names after routing is never held against the lists.",
        (
            "tests/banking/test_payer_changes.py::"
            "test_a_listed_payer_who_is_told_later_ends_the_order_and_is_in_the_sar_log",
        ),
    ),
    (
        "banking-renamed-is-executed-on",
        "apps/payments/banking/rules/routes.py",
        " or bool(facts.against)",
        "",
        "What executes a payment of a listed payer is handed out on.",
        (
            "tests/banking/test_payer_changes.py::"
            "test_once_a_transfer_is_named_the_case_and_the_entry_stand_beside_it",
        ),
    ),
    (
        "banking-second-page-of-a-shared-statement",
        "apps/payments/banking/selectors/bank_accounts.py",
        "islice(mine, offset, offset + limit)",
        "islice(mine, offset, limit)",
        "The second page of a statement of a shared account is empty.",
        ("tests/banking/test_sends.py::test_a_statement_of_a_shared_account_is_read_page_by_page",),
    ),
    (
        "banking-explanation-is-not-sent",
        "apps/payments/banking/services/submit_send.py",
        "provider_purpose(row.category, row.additional_info)",
        'provider_purpose(row.category, "")',
        "The bank is not told the explanation of a payment's purpose.",
        ("tests/banking/test_sends.py::test_the_bank_is_told_all_that_was_asked",),
    ),
    (
        "banking-payer-unnamed-at-the-bound",
        "apps/payments/banking/rules/payers.py",
        "s.amount >= IDENTIFIED_FROM_USD",
        "s.amount > IDENTIFIED_FROM_USD",
        "1,000 USD of an unnamed payer are settled.",
        ("tests/banking/test_payer_screening.py::test_what_stands_against_a_deposit",),
    ),
    (
        "banking-deposit-counts-as-paid-twice",
        "apps/payments/banking/rules/reconciliation.py",
        "again = line.amount < 0 and",
        "again = line.amount > 0 and",
        "A payment that left the account twice counts as merely unknown.",
        ("tests/banking/test_reconciliation.py::test_each_difference_has_its_kind",),
    ),
    (
        "banking-latest-payment-is-swept-first",
        "apps/payments/banking/services/submit_send.py",
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
        "apps/payments/banking/services/recheck_send.py",
        "now - row.asked_at <= SCREEN_VALID_FOR",
        "now - row.asked_at > SCREEN_VALID_FOR",
        "A recipient that is listed while its payment waits is paid.",
        (
            "tests/banking/test_sends.py::"
            "test_who_is_listed_while_a_payment_waits_for_longer_than_five_minutes_is_not_paid",
        ),
    ),
    (
        "banking-send-is-released-whole",
        "apps/payments/banking/services/recheck_send.py",
        "whole.without(load_cleared_keys(row))",
        "whole.without({one.key for one in whole.findings})",
        "A release of a payment by the bank lets go what no officer answered.",
        (
            "tests/banking/test_released_sends.py::"
            "test_another_listed_party_that_is_matched_since_holds_it_again_with_a_case_of_its_own",
            "tests/banking/test_released_sends.py::test_what_a_release_does_not_answer_holds_on",
        ),
    ),
    (
        "banking-send-is-held-for-what-was-answered",
        "apps/payments/banking/screening/send_findings.py",
        "unanswered_findings = list_unanswered_findings(self.findings, cleared=cleared)",
        "unanswered_findings = list_unanswered_findings(self.findings, cleared=())",
        "A payment that officers released is never sent.",
        (
            "tests/banking/test_released_sends.py::"
            "test_another_listed_party_that_is_matched_since_holds_it_again_with_a_case_of_its_own",
        ),
    ),
    (
        "banking-known-by-another-institution",
        "apps/payments/banking/screening/recipients.py",
        "gathered=gathered, owner=owner, now=now, party=party",
        'gathered=gathered, owner="account:1", now=now, party=party',
        "What one institution's officers know lets another's payment go.",
        (
            "tests/banking/test_known_false_positives.py::test_what_one_institution_knows_says_nothing_to_another",
        ),
    ),
    (
        "banking-known-at-any-address",
        "apps/payments/banking/screening/deposits.py",
        "whole = Place(address=payer.address)",
        "whole = Place()",
        "Who pays from another address counts as the one whom officers know.",
        (
            "tests/banking/test_known_false_positives.py::test_a_payer_at_another_address_is_another_party",
        ),
    ),
    (
        "banking-second-case-forgets-the-first",
        "apps/payments/banking/services/deposit_cases.py",
        "reasons += [rule for rule in before.rules if rule not in reasons]",
        "pass",
        "What was found of a deposit leaves the queue as the bank tells something else of it.",
        (
            "tests/banking/test_payer_changes.py::"
            "test_what_is_told_otherwise_twice_is_one_case_that_shows_all_of_it",
        ),
    ),
    (
        "banking-payments-of-all-are-listed",
        "apps/payments/banking/selectors/own_sends.py",
        '    return Send.objects.select_related("recipient").filter(owner=caller.ref)\n',
        '    return Send.objects.select_related("recipient").all()\n',
        "The list of payments by the bank holds those of all institutions.",
        ("tests/api/test_other_tenants.py::test_no_answer_holds_anything_of_another_tenant",),
    ),
)
