"""Settlements: what may proceed, what is counted, what is told."""

from tests.mutants.rows import Row

UNPROVED = "tests/settlement/test_altered_settlements.py"
RULES, HELD = "tests/settlement/test_rules.py", "tests/settlement/test_held_settlements.py"
ROWS: tuple[Row, ...] = (
    (
        "settlement-recipient-leaves-with-any-step",
        "apps/payments/settlement/models/events.py",
        "filter(pk=self.settlement_id, steps=self.number)",
        "filter(pk=self.settlement_id)",
        "A settlement differs from its last event from the day on which its first one is purged.",
        (
            "tests/settlement/test_retention.py::"
            "test_the_recipient_goes_with_the_last_step_and_the_settlement_stays_proved",
        ),
    ),
    (
        "settlement-unrun-passes",
        "apps/payments/settlement/rules/flow.py",
        "    if check not in facts.ran:\n"
        '        return NO_RATE if facts.unrated and check == "aml" else NOT_RUN\n',
        "",
        "A check that did not run is judged by what it never found.",
        (f"{RULES}::test_a_check_that_did_not_run_holds",),
    ),
    (
        "settlement-large-from",
        "apps/payments/settlement/rules/flow.py",
        "self.amount_usd > LARGE_USD",
        "self.amount_usd >= LARGE_USD",
        "Under CAUTION 100,000 USD itself is held.",
        (f"{RULES}::test_each_check_is_decided_by_its_first_row_that_holds",),
    ),
    (
        "settlement-blocked-tells",
        "apps/payments/settlement/rules/flow.py",
        "untold = self.untold if check in CONFIDENTIAL_CHECKS else None",
        "untold = None",
        "A blocked flow tells which check blocks it.",
        (f"{RULES}::test_two_blocked_flows_are_told_alike",),
    ),
    (
        "settlement-released-while-unstable",
        "apps/payments/settlement/rules/transitions.py",
        " and not self.not_run and not self.halts",
        "",
        "What an officer released goes while the oracle is UNSTABLE.",
        (f"{HELD}::test_a_released_one_is_sent_again_and_waits_while_the_oracle_is_unstable",),
    ),
    (
        "settlement-settled-too-soon",
        "apps/payments/settlement/services/apply_chain_transfer_status.py",
        'if standing.state == "FINAL"',
        'if standing.state in ("FINAL", "CONFIRMING")',
        "What the chain may still take back counts as settled.",
        ("tests/settlement/test_production.py::test_it_is_settled_once_the_transfer_is_final",),
    ),
    (
        "settlement-wallet-of-anybody",
        "apps/payments/settlement/settlement_authorization.py",
        "    if sender not in access.wallets:",
        "    if not sender:",
        "An institution settles from a wallet that nobody approved.",
        ("tests/settlement/test_production.py::TestEntitled",),
    ),
    (
        "settlement-reference-of-the-row-alone",
        "apps/payments/settlement/integrity.py",
        "    if not SettlementEvent.objects.filter(reference_key=key).exists():\n",
        "    if key:\n",
        "What was removed, or bears another reference, settles a second time.",
        (
            f"{UNPROVED}::test_a_settlement_that_was_removed_is_missed_and_does_not_go_again",
            f"{UNPROVED}::test_its_reference_settles_once_also_where_its_row_bears_another",
        ),
    ),
    (
        "settlement-removed-unseen",
        "apps/platform/ledger/verification/projection_checks.py",
        "records.filter(~Exists(there))",
        "records.none().filter(~Exists(there))",
        "A settlement that was removed is in order for whoever verifies.",
        (f"{UNPROVED}::test_a_settlement_that_was_removed_is_missed_and_does_not_go_again",),
    ),
    (
        "settlement-one-a-transaction",
        "apps/payments/settlement/services/apply_chain_transfer_status.py",
        "tx_hash=standing.tx_hash, tx_place=place\n        )",
        "tx_hash=standing.tx_hash)",
        "A batch pays two, and the second is never settled.",
        (
            "tests/settlement/test_production.py::"
            "test_one_transaction_settles_as_many_as_it_has_transfers_for",
        ),
    ),
    (
        "settlement-counted-at-each-turn",
        "apps/payments/settlement/services/apply_chain_transfer_status.py",
        "    if settled is not None:\n",
        "    if settled is None:\n",
        "A month counts a settlement again whenever the chain turned.",
        (
            "tests/settlement/test_production.py::"
            "test_a_month_counts_a_settlement_once_however_often_the_chain_turns",
        ),
    ),
    (
        "settlement-rehearsal-told",
        "apps/payments/settlement/notifications.py",
        "    if row.sandbox:\n        return\n",
        "",
        "The feed tells of rehearsals as of settlements.",
        ("tests/settlement/test_feed.py::test_nobody_else_is_told_and_nothing_of_a_rehearsal",),
    ),
    (
        "settlement-held-is-counted",
        "apps/payments/settlement/services/recorded_checks.py",
        '        if _is_let_go(row, event, facts, "PROCEED", findings)\n',
        "        if True\n",
        "A settlement that never moved makes its wallets mature.",
        (
            "tests/settlement/test_held_settlements.py::test_what_is_held_enters_no_profile_until_it_goes",
        ),
    ),
    (
        "settlement-decision-untold",
        "apps/payments/settlement/services/settlement_case.py",
        "    publish_settlement_status(row, now=now)\n",
        "",
        "An institution does not learn that an officer released or rejected its settlement.",
        (
            "tests/settlement/test_feed.py::"
            "test_a_decision_is_told_and_nothing_of_who_decided_or_why",
        ),
    ),
    (
        "settlement-tidying-takes-production",
        "apps/payments/settlement/retention.py",
        "filter(sandbox=True, asked_at__lt=now - KEPT)",
        "filter(asked_at__lt=now - KEPT)",
        "Production settlements are deleted after 30 days.",
        (
            "tests/settlement/test_retention.py::"
            "test_rehearsals_leave_after_thirty_days_and_what_is_in_production_stays",
        ),
    ),
    (
        "settlement-score-of-a-later-run",
        "apps/payments/settlement/services/pricing.py",
        "recorded_at__lte=moment",
        "recorded_at__gte=moment",
        "A quote is held against the ESG score of a run after it was given.",
        (
            "tests/settlement/test_pricing.py::"
            "test_the_score_of_a_moment_is_that_of_the_last_run_before_it",
        ),
    ),
    (
        "settlement-month-counts-whole-dollars",
        "apps/payments/settlement/services/pricing.py",
        '{"settled_usd": to_micro(usd)}',
        '{"settled_usd": int(usd)}',
        "The volume of a month grows by a millionth of what settled.",
        (
            "tests/settlement/test_production.py::"
            "test_a_month_counts_a_settlement_once_however_often_the_chain_turns",
        ),
    ),
    (
        "settlement-large-from-the-bound-on",
        "apps/payments/settlement/rules/flow.py",
        "self.amount_usd > LARGE_USD",
        "self.amount_usd >= LARGE_USD",
        "Under CAUTION exactly 100,000 USD is held.",
        (
            "tests/settlement/test_held_settlements.py::test_under_caution_what_is_above_100000_usd_is_held",
        ),
    ),
    (
        "settlement-case-of-an-earlier-hold-decides",
        "apps/payments/settlement/services/settlement_case.py",
        "if row is None or str(row.steps) != steps:",
        "if row is None:",
        "The decision on an earlier hold releases a settlement that is held for more by now.",
        (
            "tests/settlement/test_held_settlements.py::test_a_decision_on_another_hold_of_it_changes_nothing",
        ),
    ),
    (
        "settlement-access-from-an-older-version",
        "apps/platform/desk/versioned_terms.py",
        "if (row.version if row else 0) != change.based_on:",
        "if (row.version if row else 0) < change.based_on:",
        "A change of access is approved over one that came in between.",
        (
            "tests/settlement/test_desk.py::"
            "test_a_change_is_not_approved_over_one_that_came_in_between",
        ),
    ),
    (
        "settlement-who-only-looks-is-shown-what-waits",
        "apps/platform/desk/proposal_admin.py",
        'user.has_perm(f"{opts.app_label}.decide_{opts.model_name}")',
        'user.has_perm(f"{opts.app_label}.view_{opts.model_name}")',
        "Who may not decide on access to settlement is asked to.",
        ("tests/settlement/test_desk.py::test_what_waits_is_shown_to_who_may_decide_it_alone",),
    ),
    (
        "settlement-score-of-the-first-run",
        "apps/payments/settlement/services/pricing.py",
        '.order_by("-slot").first()',
        '.order_by("slot").first()',
        "A quote is held against the ESG score of the first run ever.",
        (
            "tests/settlement/test_pricing.py::"
            "test_the_score_of_a_moment_is_that_of_the_last_run_before_it",
        ),
    ),
    (
        "settlement-release-covers-later-matches",
        "apps/payments/settlement/services/recorded_checks.py",
        'if check != "sanctions" or findings in ("", *row.seen))',
        "if check)",
        "A match of another listed party goes by the release of an earlier check.",
        (f"{HELD}::test_a_match_of_another_listed_party_is_held_anew_after_a_release",),
    ),
    (
        "settlement-first-of-two-wallets-pays",
        "apps/payments/settlement/settlement_authorization.py",
        "len(access.wallets) > 1",
        "len(access.wallets) > 2",
        "Where an institution settles from two wallets and names none, the first pays.",
        (
            "tests/settlement/test_production.py::"
            "test_who_settles_from_several_wallets_has_to_name_one",
        ),
    ),
)
