"""ESG scores: tiers, the arithmetic of pillars, what counts as evidence."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "esg-good-too-early",
        "apps/insight/stability/fees/rules/esg_fee_tiers.py",
        '"GOOD", 70, "low"',
        '"GOOD", 69, "low"',
        "An average entity pays the fee of a good one.",
        ("tests/esg/test_rules.py::test_the_composite_decides_the_tier",),
    ),
    (
        "esg-fee-of-the-score",
        "apps/insight/stability/fees/rules/esg_fee_tiers.py",
        "return (PER_CENT - Decimal(score)) / 2",
        "return Decimal(score) / 2",
        "The better an entity, the more it pays.",
        ("tests/esg/test_rules.py::test_a_better_score_never_has_the_higher_fee",),
    ),
    (
        "esg-missing-is-the-middle",
        "apps/insight/esg/rules/score.py",
        "return IndicatorScore(indicator, None, Decimal(0), Decimal(0))",
        (
            "return IndicatorScore(indicator, None, Decimal(0), (100 - base) * indicator.weight "
            "/ 200)"
        ),
        "Who hides a bad figure gains by it.",
        ("tests/esg/test_rules.py::test_what_is_missing_never_improves",),
    ),
    (
        "esg-estimate-before-report",
        "apps/insight/esg/evidence_figures.py",
        (
            "return (\n"
            "        not figure.sample,\n"
            "        not figure.estimated,\n"
            "        figure.period_end,"
        ),
        "return (not figure.sample, figure.estimated, figure.period_end,",
        "A model's guess replaces what the entity reported.",
        (
            "tests/esg/test_rules.py::"
            "test_what_was_reported_counts_before_estimates_and_the_graver_of_two_sources",
        ),
    ),
    (
        "esg-callers-country",
        "apps/insight/esg/selectors.py",
        'return ScoreSubject(lei, known_name, "", asked["country"], stated',
        'return ScoreSubject(lei, known_name, asked["country"], asked["country"], stated',
        "A caller chooses a clean country, and pays less for an unknown entity.",
        ("tests/esg/test_score.py::test_a_country_that_a_caller_gives_is_no_evidence",),
    ),
    (
        "esg-callers-name",
        "apps/insight/esg/services/conclude_score.py",
        'name=subject.name if subject.vouched else "",',
        "name=subject.name,",
        "Anybody writes another company's figures under an LEI that is not held.",
        ("tests/esg/test_lookups.py::test_no_figure_comes_in_under_a_name_that_a_caller_told",),
    ),
    (
        "esg-callers-status",
        "apps/insight/esg/rules/lei_deductions.py",
        (
            "return other if deduction_of_status(other).points > "
            "deduction_of_status(first).points else first"
        ),
        "return other",
        "A caller's word makes a lapsed LEI count as in force.",
        ("tests/esg/test_score.py::test_a_lapsed_lei_stays_lapsed_whatever_a_caller_says",),
    ),
)
