"""Payee checks: tiers, and attestations."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "vop-compliant-too-early",
        "apps/compliance/vop/rules.py",
        "COMPLIANT_FROM = 75",
        "COMPLIANT_FROM = 74",
        "A middling name is reported as meeting FATF R.16.",
        ("tests/vop/test_tiers.py::test_the_score_of_a_name_decides_the_tier",),
    ),
)
