"""Who is behind a wallet, and whether a name belongs to its owner."""

from tests.mutants.rows import Row

REGISTER = "tests/payees/registration/test_register.py"
REVIEW = "tests/payees/registration/test_registration_case.py"
ROWS: tuple[Row, ...] = (
    (
        "payees-checksum-ignored",
        "apps/compliance/payees/wallets.py",
        "    if mixed and (not",
        "    if not mixed and (not",
        "An EVM address with a slip in it is taken.",
        (
            "tests/payees/registration/test_wallets.py"
            "::test_a_mixed_case_that_is_not_the_checksum_is_a_slip_of_somebody",
        ),
    ),
    (
        "payees-name-changes-alone",
        "apps/compliance/payees/rules/submission_steps.py",
        ("not is_same_name(\n        registered_entity.legal_name, submitted.legal_name\n    )"),
        "not registered_entity.legal_name",
        "One caller gives an active wallet to another entity.",
        (f"{REGISTER}::test_another_name_is_refused_and_an_officer_is_told_once",),
    ),
    (
        "payees-match-is-partial",
        "apps/compliance/payees/rules/registration_findings.py",
        "lambda f: f.score >= BLOCK_SCORE,",
        "lambda f: f.score > BLOCK_SCORE,",
        "A listed party at exactly 70 is registered.",
        ("tests/payees/registration/test_rules.py::test_each_rule_holds_of_its_case_alone",),
    ),
    (
        "payees-gleifs-name-not-screened",
        "apps/compliance/payees/selectors/registration_checks.py",
        "aliases=(*subject.aliases, *all_names)",
        "aliases=subject.aliases",
        "The LEI of a listed company is registered under an innocent name.",
        (f"{REGISTER}::test_whoever_gleif_names_for_the_lei_is_held_against_the_lists",),
    ),
    (
        "payees-rejected-stays-active",
        "apps/compliance/payees/services/case_decisions.py",
        '    elif outcome == "REJECT":\n        row.end(now=now)\n',
        '    elif outcome == "REJECT":\n',
        "A wallet that an officer rejected stays active.",
        (f"{REVIEW}::test_rejected_the_wallet_is_deactivated_with_the_decision",),
    ),
    (
        "payees-first-approval-clears",
        "apps/compliance/payees/services/case_decisions.py",
        "last = not _open_cases(row).exclude(ref=ref).exists()",
        "last = True",
        "The review ends while another case of the registration is open.",
        (f"{REVIEW}::test_it_stays_under_review_while_another_of_its_cases_is_open",),
    ),
    (
        "payees-status-of-yesterday",
        "apps/compliance/payees/selectors/public_lookups.py",
        "lei=row.lei, now=now) if record else row.lei_status",
        "lei=row.lei, now=now) if not record else row.lei_status",
        "A lapsed LEI is told as it was when it was registered.",
        (
            "tests/payees/registration/test_public_lookups.py::test_an_lei_that_lapsed_since_is_told_as_lapsed",
        ),
    ),
    (
        "payees-compliant-too-early",
        "apps/compliance/payees/rules/payee_check.py",
        "COMPLIANT_FROM = 75",
        "COMPLIANT_FROM = 74",
        "A middling name is reported as meeting FATF R.16.",
        ("tests/payees/vop/test_check_tiers.py::test_the_score_of_a_name_decides_the_tier",),
    ),
)
