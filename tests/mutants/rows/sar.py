"""The SAR log: clocks, steps and silence."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "sar-five-days-more-to-file",
        "apps/sar/rules.py",
        "DAYS_TO_FILE = 30",
        "DAYS_TO_FILE = 35",
        "A report is filed after its legal end.",
        ("tests/sar/test_rules.py::test_an_entry_has_thirty_days_to_be_filed",),
    ),
    (
        "sar-holidays-are-business-days",
        "apps/sar/rules.py",
        "if day.weekday() < 5 and day not in federal_holidays(day.year):",
        "if day.weekday() < 5:",
        "Reports to OFAC are due before their end, and shown as late.",
        ("tests/sar/test_rules.py::test_ten_business_days_skip_weekends_and_holidays",),
    ),
    (
        "sar-annual-of-30-june",
        "apps/sar/rules.py",
        "(matter.detected > date(matter.detected.year, 6, 30))",
        "(matter.detected >= date(matter.detected.year, 6, 30))",
        "What was blocked on 30 June misses that year's report.",
        (
            "tests/sar/test_rules.py"
            "::test_blocked_property_is_reported_each_30_september_while_it_is_held_on_30_june",
        ),
    ),
    (
        "sar-step-on-an-old-page",
        "apps/sar/actions.py",
        "if matter.steps != seen or not step.may(stands, today):",
        "if not step.may(stands, today):",
        "An officer records upon an entry that stands differently from what they saw.",
        ("tests/sar/test_sar_log.py::test_two_officers_cannot_record_from_the_same_page",),
    ),
    (
        "sar-figures-on-every-home-page",
        "apps/sar/admin.py",
        "    if not may_see(user):\n        return []\n",
        "    if not user.is_active:\n        return []\n",
        "The home page tells everybody how many were reported.",
        (
            "tests/sar/test_pages.py"
            "::test_no_menu_count_search_job_ledger_hold_or_read_gives_it_away",
        ),
    ),
    (
        "sar-filings-kept-five-years",
        "apps/sar/models.py",
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n    YEARS',
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n    NONE',
        "Why a report was filed is gone before the report itself.",
        ("tests/core/test_retention.py::test_every_ledger_is_kept_for_the_years_that_it_says",),
    ),
    (
        "sar-filings-are-no-secret",
        "apps/sar/models.py",
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n',
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = False\n',
        "Logs and operators' pages name the ledger of filings.",
        ("tests/sar/test_sar_log.py::test_its_ledgers_are_its_own",),
    ),
    (
        "sar-country-blocks-are-blocked-property",
        "apps/screening/combined/conclude.py",
        'sanctions=rules.ofac_concerned(body["rules"], owed=owes_ofac(lists))',
        'sanctions=bool(body["rules"])',
        "A report to OFAC is due for a payment that a country alone blocked.",
        (
            "tests/screening/test_screen_endpoint.py"
            "::test_the_sar_log_is_told_whether_a_sanctioned_party_was_matched",
        ),
    ),
)
