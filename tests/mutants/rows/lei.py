"""Who an LEI is, and who owns it."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "lei-non-public-hides-nobody",
        "apps/lei/rules.py",
        '"NO_KNOWN_PERSON", "NON_CONSOLIDATING"})',
        '"NO_KNOWN_PERSON", "NON_CONSOLIDATING", "NON_PUBLIC"})',
        "An owner that is kept from the public counts as none.",
        ("tests/lei/test_rules.py::test_only_reasons_that_say_there_is_no_owner_hide_none",),
    ),
    (
        "lei-lapses-on-its-last-day",
        "apps/lei/rules.py",
        "due is not None and due < now.date():",
        "due is not None and due <= now.date():",
        "An LEI counts for a day less than it was issued for.",
        ("tests/lei/test_rules.py::test_issued_holds_until_the_renewal_date",),
    ),
    (
        "lei-of-anybody-counts",
        "apps/lei/rules.py",
        "return entity is None or not names.agrees(name, entity)",
        "return entity is None",
        "The LEI of some other company lifts the limit for large payments.",
        ("tests/lei/test_rules.py::test_an_lei_counts_only_when_known_issued_and_of_that_name",),
    ),
    (
        "lei-old-copy-speaks",
        "apps/lei/lookups.py",
        "if full is not None and not full.partial and full.as_of > now - rules.COPY_SPEAKS_FOR:",
        "if full is not None:",
        "An LEI that is newer than our copy is said not to exist.",
        ("tests/lei/test_lookups.py::test_a_young_golden_copy_speaks_for_all_leis",),
    ),
    (
        "lei-part-of-the-register-speaks",
        "apps/lei/lookups.py",
        "if full is not None and not full.partial and full.as_of > now - rules.COPY_SPEAKS_FOR:",
        "if full is not None and full.as_of > now - rules.COPY_SPEAKS_FOR:",
        "An LEI that a part of the register lacks is said not to exist.",
        (
            "tests/lei/test_lookups.py"
            "::test_a_part_of_the_register_says_of_no_lei_that_it_is_not_there",
        ),
    ),
    (
        "lei-missing-for-ever",
        "apps/lei/lookups.py",
        "if use and use.missing_at and use.missing_at > now - rules.NEGATIVE_ANSWER_LASTS:",
        "if use and use.missing_at:",
        "What GLEIF did not know once is never asked again.",
        ("tests/lei/test_lookups.py::test_an_lei_that_gleif_does_not_know_is_unknown_for_a_day",),
    ),
    (
        "lei-sample-outranks-gleif",
        "apps/lei/owners.py",
        "return not self.sample, self.as_of",
        "return self.sample, self.as_of",
        "The bundled sample overrules real owners.",
        (
            "tests/lei/test_owners.py"
            "::test_the_newest_statement_rules_and_real_data_outrank_the_sample",
        ),
    ),
)
