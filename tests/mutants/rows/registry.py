"""Who is behind a wallet."""

from tests.mutants.rows import Row

REGISTER, REVIEW = "tests/registry/test_register.py", "tests/registry/test_review.py"
ROWS: tuple[Row, ...] = (
    (
        "registry-checksum-ignored",
        "apps/compliance/registry/wallets.py",
        "    if mixed and (not",
        "    if not mixed and (not",
        "An EVM address with a slip in it is taken.",
        (
            "tests/registry/test_wallets.py"
            "::test_a_mixed_case_that_is_not_the_checksum_is_a_slip_of_somebody",
        ),
    ),
    (
        "registry-name-changes-alone",
        "apps/compliance/registry/rules/steps.py",
        "not is_same_name(held.legal_name, given.legal_name)",
        "not held.legal_name",
        "One caller gives an active wallet to another entity.",
        (f"{REGISTER}::test_another_name_is_refused_and_an_officer_is_told_once",),
    ),
    (
        "registry-match-is-partial",
        "apps/compliance/registry/rules/findings.py",
        "lambda f: f.score >= BLOCK_SCORE,",
        "lambda f: f.score > BLOCK_SCORE,",
        "A listed party at exactly 70 is registered.",
        ("tests/registry/test_rules.py::test_each_rule_holds_of_its_case_alone",),
    ),
    (
        "registry-gleifs-name-not-screened",
        "apps/compliance/registry/register/selectors.py",
        "aliases=(*subject.aliases, *told)",
        "aliases=subject.aliases",
        "The LEI of a listed company is registered under an innocent name.",
        (f"{REGISTER}::test_whoever_gleif_names_for_the_lei_is_held_against_the_lists",),
    ),
    (
        "registry-rejected-stays-active",
        "apps/compliance/registry/services/case_decisions.py",
        '    elif outcome == "REJECT":\n        row.end(now=now)\n',
        '    elif outcome == "REJECT":\n',
        "A wallet that an officer rejected stays active.",
        (f"{REVIEW}::test_rejected_the_wallet_is_deactivated_with_the_decision",),
    ),
    (
        "registry-first-approval-clears",
        "apps/compliance/registry/services/case_decisions.py",
        "last = not _open_cases(row).exclude(ref=ref).exists()",
        "last = True",
        "The review ends while another case of the registration is open.",
        (f"{REVIEW}::test_it_stays_under_review_while_another_of_its_cases_is_open",),
    ),
    (
        "registry-status-of-yesterday",
        "apps/compliance/registry/register/public_lookups.py",
        "lei=row.lei, now=now) if record else row.lei_status",
        "lei=row.lei, now=now) if not record else row.lei_status",
        "A lapsed LEI is told as it was when it was registered.",
        ("tests/registry/test_reads.py::test_an_lei_that_lapsed_since_is_told_as_lapsed",),
    ),
)
