"""Who an LEI is, and who owns it."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "lei-non-public-hides-nobody",
        "apps/reference/lei/rules/registration.py",
        '"NO_KNOWN_PERSON", "NON_CONSOLIDATING"})',
        '"NO_KNOWN_PERSON", "NON_CONSOLIDATING", "NON_PUBLIC"})',
        "An owner that is kept from the public counts as none.",
        ("tests/lei/test_rules.py::test_only_reasons_that_say_there_is_no_owner_hide_none",),
    ),
    (
        "lei-lapses-on-its-last-day",
        "apps/reference/lei/rules/registration.py",
        "due is not None and due < now.date():",
        "due is not None and due <= now.date():",
        "An LEI counts for a day less than it was issued for.",
        ("tests/lei/test_rules.py::test_issued_holds_until_the_renewal_date",),
    ),
    (
        "lei-pending-hides-that-it-lapsed",
        "apps/reference/lei/rules/registration.py",
        "if is_in_force(entity.registration_status) and due",
        'if entity.registration_status == "ISSUED" and due',
        "An LEI that was not renewed counts while its transfer is pending.",
        (
            "tests/lei/test_statuses.py"
            "::test_what_is_pending_lapses_at_its_renewal_date_like_any_other",
        ),
    ),
    (
        "lei-of-anybody-counts",
        "apps/reference/lei/rules/registration.py",
        "return entity is None or not legal_name_check.is_legal_name(name, entity)",
        "return entity is None",
        "The LEI of some other company lifts the limit for large payments.",
        ("tests/lei/test_rules.py::test_an_lei_counts_only_when_known_issued_and_of_that_name",),
    ),
    (
        "lei-old-copy-speaks",
        "apps/reference/lei/services/lookups.py",
        (
            "if full is not None and not full.partial and full.as_of > now - "
            "registration.COPY_SPEAKS_FOR:"
        ),
        "if full is not None:",
        "An LEI that is newer than our copy is said not to exist.",
        ("tests/lei/test_lookups.py::test_a_young_golden_copy_speaks_for_all_leis",),
    ),
    (
        "lei-part-of-the-register-speaks",
        "apps/reference/lei/services/lookups.py",
        (
            "if full is not None and not full.partial and full.as_of > now - "
            "registration.COPY_SPEAKS_FOR:"
        ),
        "if full is not None and full.as_of > now - registration.COPY_SPEAKS_FOR:",
        "An LEI that a part of the register lacks is said not to exist.",
        (
            "tests/lei/test_lookups.py"
            "::test_a_part_of_the_register_says_of_no_lei_that_it_is_not_there",
        ),
    ),
    (
        "lei-missing-for-ever",
        "apps/reference/lei/services/lookups.py",
        (
            "if use and use.missing_at and use.missing_at > now - "
            "registration.NEGATIVE_ANSWER_LASTS:"
        ),
        "if use and use.missing_at:",
        "What GLEIF did not know once is never asked again.",
        ("tests/lei/test_lookups.py::test_an_lei_that_gleif_does_not_know_is_unknown_for_a_day",),
    ),
    (
        "lei-sample-outranks-gleif",
        "apps/reference/lei/rules/owner_chain.py",
        "return not self.sample, self.as_of",
        "return self.sample, self.as_of",
        "The bundled sample overrules real owners.",
        (
            "tests/lei/test_owner_chains.py"
            "::test_the_newest_statement_rules_and_real_data_outrank_the_sample",
        ),
    ),
    (
        "lei-circles-have-a-top",
        "apps/reference/lei/rules/owner_chain.py",
        "    if top and any(tie.parent == subject for tie in tied):\n",
        "    if not top and any(tie.parent == subject for tie in tied):\n",
        "Two companies that name each other as ultimate parent have an owner who is identified.",
        ("tests/lei/test_owner_chains.py::test_circles_end_and_are_told",),
    ),
)
