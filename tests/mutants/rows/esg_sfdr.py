"""SFDR: formulas, coverage, and who may read a screening."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "sfdr-footprint-per-company-value",
        "apps/insight/esg/sfdr/rules/formulas.py",
        "return (value * MILLION / worth if",
        "return (value / worth if",
        "A carbon footprint is a million times too small.",
        ("tests/esg/sfdr/test_formulas.py::test_each_indicator_comes_to_what_was_worked_by_hand",),
    ),
    (
        "sfdr-half-is-enough",
        "apps/insight/esg/sfdr/rules/indicators.py",
        'return _status_rule_of_code("PAI-5" if outcome.covered < WHOLE else "PAI-6")',
        'return _status_rule_of_code("PAI-6")',
        "An indicator with half of its inputs missing stands within its threshold.",
        ("tests/esg/sfdr/test_statuses.py::test_what_is_not_covered_is_never_within",),
    ),
    (
        "sfdr-screen-for-anybody",
        "apps/insight/esg/sfdr/stored_reports.py",
        "return record.payer == caller.name",
        "return True",
        "Anybody with a session reads what others paid for.",
        ("tests/esg/sfdr/test_sfdr_screen.py::test_who_paid_reads_it_again_and_nobody_else",),
    ),
    (
        "sfdr-report-for-any-client",
        "apps/insight/esg/sfdr/stored_reports.py",
        "return caller.kind != NOBODY and record.owner == caller.ref",
        "return caller.kind != NOBODY",
        "A client reads and takes along another client's portfolio.",
        ("tests/esg/sfdr/test_stored_reports.py::test_nobody_else_reads_a_report",),
    ),
    (
        "sfdr-quarters-summed",
        "apps/insight/esg/sfdr/rules/quarters.py",
        "sum(values, Decimal(0)) / (len(values) + idle) if values else None,\n        (covered",
        "sum(values, Decimal(0)) if values else None,\n        (covered",
        "An indicator of a year is four times too high.",
        (
            "tests/esg/sfdr/test_quarters.py::test_a_report_of_four_quarters_is_their_mean_and_shows_each",
        ),
    ),
    (
        "sfdr-part-told-dilutes",
        "apps/insight/esg/sfdr/rules/formulas.py",
        "value, base = max(outcomes, default=(None, Decimal(0)))",
        "value, base = min(outcomes, default=(None, Decimal(0)))",
        "A company that tells one scope alone makes a portfolio look cleaner.",
        (
            "tests/esg/sfdr/test_formulas.py::"
            "test_a_company_that_tells_some_scopes_alone_never_lowers_an_indicator",
        ),
    ),
    (
        "sfdr-companies-are-all-investments",
        "apps/insight/esg/sfdr/rules/indicators.py",
        "        if indicator.of_all\n        else indicator_outcome\n",
        "        if not indicator\n        else indicator_outcome\n",
        "Cash and countries do not count among all investments.",
        (
            "tests/esg/sfdr/test_formulas.py::test_ratios_to_all_investments_count_what_is_held_beside",
        ),
    ),
    (
        "sfdr-others-name",
        "apps/insight/esg/sfdr/entity_screen.py",
        'if not is_legal_name(asked["name"], entity):',
        'if not asked["name"]:',
        "A screen says of one company what the lists say of another's name.",
        (
            "tests/esg/sfdr/test_sfdr_screen.py::test_what_cannot_be_screened_is_not_charged_nor_kept",
        ),
    ),
    (
        "sfdr-board-the-wrong-way",
        "apps/insight/esg/sfdr/rules/indicators.py",
        "return value < bound if indicator.low else value > bound",
        "return value > bound",
        "A board without women stands within, and an even one is elevated.",
        ("tests/esg/sfdr/test_statuses.py::test_each_threshold_has_two_sides",),
    ),
)
