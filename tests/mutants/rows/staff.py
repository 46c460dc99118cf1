"""Staff sign-in that is subtly wrong."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "staff-code-counts-twice",
        "apps/backoffice/staff/rules/one_time_codes.py",
        "return last is None or step > last",
        "return last is None or step >= last",
        "A code that somebody read over a shoulder signs in once more.",
        ("tests/staff/test_second_factor.py::test_a_code_counts_once_in_whatever_browser",),
    ),
    (
        "staff-sign-in-lasts",
        "apps/backoffice/staff/rules/session_lifetimes.py",
        "if not is_recent(since, moment, hours * 3600):",
        "if not is_recent(seen, moment, hours * 3600):",
        "A sign-in that is used never ends.",
        ("tests/staff/test_rules.py::test_a_sign_in_is_over_by_age_or_by_absence",),
    ),
    (
        "staff-own-reset",
        "apps/backoffice/staff/services.py",
        "if by is not None and by.pk == person.pk and settings.PRODUCTION:",
        "if by is not None and by.pk != person.pk and settings.PRODUCTION:",
        "Who took over a session rids it of the second factor.",
        ("tests/staff/test_second_factor.py::test_nobody_resets_their_own_in_production",),
    ),
    (
        "staff-proof-of-merged-high-case",
        "apps/backoffice/review/step_up.py",
        "WITH_HIGH = Q(risk=Risk.HIGH) | Q(merged__risk=Risk.HIGH)",
        "WITH_HIGH = Q(risk=Risk.HIGH)",
        "Merged into a case of less risk, a HIGH one is approved without a fresh proof.",
        (
            "tests/staff/test_step_up.py"
            "::test_a_high_case_asks_also_through_the_case_that_it_was_merged_into",
        ),
    ),
)
