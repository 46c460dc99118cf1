"""Judging of payments that is subtly wrong."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "aml-listed-party-proceeds",
        "apps/compliance/aml/rules/scorecard.py",
        "        points = max(points, HIT)\n",
        "        points = min(points, HIT)\n",
        "A sanctions hit blocks with a score of 0 and the tier LOW.",
        ("tests/aml/test_rules.py::test_a_listed_party_blocks_and_score_and_tier_say_so",),
    ),
    (
        "aml-payment-counted-twice",
        "apps/compliance/aml/screening/services.py",
        "            before=payment_snapshot.counted_before,\n",
        "            before=False,\n",
        "The same payment is counted by each screen of it.",
        ("tests/aml/test_screen.py::test_both_sides_of_a_payment_count_it_once",),
    ),
    (
        "aml-same-payments-add-up-to-a-block",
        "apps/compliance/aml/rules/scorecard.py",
        "    if sum(signal.points for signal in same) <= TOGETHER:\n",
        "    if sum(signal.points for signal in same) <= 10 * TOGETHER:\n",
        "A set of payments that is told of in several ways is blocked for that alone.",
        (
            "tests/aml/test_rules.py"
            "::test_more_evidence_never_lowers_a_score_and_one_set_of_payments_never_blocks",
        ),
    ),
    (
        "aml-sanctions-weigh-less",
        "apps/compliance/aml/rules/calibration.py",
        "    if row.sanctions and becomes < first:\n",
        "    if row.sanctions and becomes < 0:\n",
        "Decisions make light of what correlates with sanctions.",
        ("tests/aml/test_calibration.py::test_what_correlates_with_sanctions_never_weighs_less",),
    ),
    (
        "aml-gate-open",
        "apps/compliance/aml/rules/calibration.py",
        "        return self.counts and self.after < self.before - WORSE\n",
        "        return self.counts and self.after < self.before - 1\n",
        "Weights that rank a cohort worse are applied.",
        (
            "tests/aml/test_calibration.py::test_the_gate_refuses_what_ranks_a_measured_cohort_worse",
        ),
    ),
    (
        "aml-advice-blocks-anything",
        "apps/compliance/aml/rules/scorecard.py",
        '    if judgement.action != "FLAG" or recommendation != "ESCALATE_TO_BLOCK":\n',
        '    if judgement.action != "FLAG" or not recommendation:\n',
        "Any advice of a model blocks a flagged payment.",
        ("tests/aml/test_rules.py::test_only_an_escalation_turns_a_flag",),
    ),
    (
        "aml-large-movements-are-flushed",
        "apps/compliance/aml/rules/profile.py",
        "        least = min(older, key=lambda place: (entries[place].amount, place))\n",
        "        least = min(older)\n",
        "Many small payments push a large one out of what is remembered.",
        ("tests/aml/test_rules.py::test_dust_pushes_nothing_out_and_makes_no_wallet_mature",),
    ),
    (
        "aml-block-undone-by-asking-again",
        "apps/compliance/aml/screening/services.py",
        "(payment_snapshot.assessed or gathered.reasoning)",
        "(gathered.reasoning or payment_snapshot.assessed)",
        "A payment that an assessment blocked is flagged when it is asked for again.",
        ("tests/aml/test_screen.py::test_asking_again_undoes_no_block_of_the_assessment",),
    ),
    (
        "aml-same-id-any-amount",
        "apps/compliance/aml/screening/payment_snapshot.py",
        'for name in ("amount", "currency")):\n',
        'for name in ("currency",)):\n',
        "A payment of any amount passes for the one that bore its id before.",
        (
            "tests/aml/test_screen.py"
            "::test_the_same_payment_with_another_amount_is_a_conflict_and_counts_nothing",
        ),
    ),
    (
        "aml-blocked-counts-as-a-transfer",
        "apps/compliance/aml/rules/profile_inclusion.py",
        'lambda t: t.action == "BLOCK"),\n',
        "lambda t: False),\n",
        "Whoever names a listed payer taints the wallet of anybody they name as paid.",
        (
            "tests/aml/test_blocked_payments.py"
            "::test_a_blocked_attempt_taints_no_wallet_for_any_other_caller",
        ),
    ),
    (
        "aml-profile-put-back",
        "apps/compliance/aml/integrity.py",
        "    if touched == 2 * screens:\n",
        "    if touched <= 2 * screens:\n",
        "A profile that was put back to an earlier state passes for proved.",
        ("tests/aml/test_aml_integrity.py::test_a_profile_put_back_to_an_earlier_state_is_found",),
    ),
)
