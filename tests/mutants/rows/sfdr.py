"""SFDR: formulas, coverage, and who may read a screening."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "sfdr-footprint-per-company-value",
        "apps/sfdr/rules/formulas.py",
        "value = found.value * MILLION / worth",
        "value = found.value / worth",
        "A carbon footprint is a million times too small.",
        ("tests/sfdr/test_formulas.py::test_each_indicator_comes_to_what_was_worked_by_hand",),
    ),
    (
        "sfdr-half-is-enough",
        "apps/sfdr/rules/indicators.py",
        'return _rule("PAI-5" if outcome.covered < WHOLE else "PAI-6")',
        'return _rule("PAI-6")',
        "An indicator with half of its inputs missing stands within its threshold.",
        ("tests/sfdr/test_statuses.py::test_what_is_not_covered_is_never_within",),
    ),
    (
        "sfdr-screen-for-anybody",
        "apps/sfdr/screens.py",
        "if record is None or record.purged or record.payer != caller.name:",
        "if record is None or record.purged:",
        "Anybody with a session reads what others paid for.",
        ("tests/sfdr/test_screen.py::test_who_paid_reads_it_again_and_nobody_else",),
    ),
    (
        "sfdr-board-the-wrong-way",
        "apps/sfdr/rules/indicators.py",
        "return value < bound if one.low else value > bound",
        "return value > bound",
        "A board without women stands within, and an even one is elevated.",
        ("tests/sfdr/test_statuses.py::test_each_threshold_has_two_sides",),
    ),
)
