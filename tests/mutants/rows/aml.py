"""Judging of payments that is subtly wrong."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "aml-listed-party-proceeds",
        "apps/aml/rules/scoring.py",
        '        return Judgement(cohort.name, weighed, points, tier, "BLOCK", LISTED)\n',
        "        return Judgement(cohort.name, weighed, points, tier, tier.action, LISTED)\n",
        "A sanctions hit blocks only where the score does.",
        ("tests/aml/test_rules.py::test_a_listed_party_blocks_whatever_the_score",),
    ),
    (
        "aml-payment-counted-twice",
        "apps/aml/screening/conclude.py",
        "        not earlier,\n        not mine,\n",
        "        True,\n        not mine,\n",
        "The same payment is counted by each screen of it.",
        ("tests/aml/test_screen.py::test_both_sides_of_a_payment_count_it_once",),
    ),
    (
        "aml-sanctions-weigh-less",
        "apps/aml/rules/calibration.py",
        "    if row.sanctions and becomes < first:\n",
        "    if row.sanctions and becomes < 0:\n",
        "Decisions make light of what correlates with sanctions.",
        ("tests/aml/test_calibration.py::test_what_correlates_with_sanctions_never_weighs_less",),
    ),
    (
        "aml-gate-open",
        "apps/aml/rules/calibration.py",
        "        return self.counts and self.after < self.before - WORSE\n",
        "        return self.counts and self.after < self.before - 1\n",
        "Weights that rank a cohort worse are applied.",
        (
            "tests/aml/test_calibration.py::test_the_gate_refuses_what_ranks_a_measured_cohort_worse",
        ),
    ),
    (
        "aml-advice-blocks-anything",
        "apps/aml/rules/scoring.py",
        '    if found.action != "FLAG" or recommendation != "ESCALATE_TO_BLOCK":\n',
        '    if found.action != "FLAG" or not recommendation:\n',
        "Any advice of a model blocks a flagged payment.",
        ("tests/aml/test_rules.py::test_only_an_escalation_turns_a_flag",),
    ),
)
