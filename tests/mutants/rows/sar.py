"""The SAR log: clocks, steps and silence."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "sar-match-after-no-report-is-dropped",
        "apps/backoffice/sar/rules/matter_steps.py",
        'if matter.sanctions and matter.ofac != "NONE":',
        "if matter.sanctions:",
        "A match that is found after no report was due starts no clock of OFAC.",
        (
            "tests/review/test_sar_referrals.py"
            "::test_a_true_match_opens_a_settled_matter_again_with_both_clocks",
        ),
    ),
    (
        "sar-second-referral-is-dropped",
        "apps/backoffice/sar/services/entries.py",
        "    _append_referral(sar_entry, heard, now)\n",
        "",
        "What an officer refers later is dropped, and they are told that it was recorded.",
        (
            "tests/review/test_sar_referrals.py"
            "::test_a_case_is_in_the_log_once_and_each_referral_is_kept",
        ),
    ),
    (
        "sar-five-days-more-to-file",
        "apps/backoffice/sar/rules/matter_clocks.py",
        "DAYS_TO_FILE = 30",
        "DAYS_TO_FILE = 35",
        "A report is filed after its legal end.",
        ("tests/sar/test_rules.py::test_an_entry_has_thirty_days_to_be_filed",),
    ),
    (
        "sar-holidays-are-business-days",
        "apps/backoffice/sar/rules/matter_clocks.py",
        "if day.weekday() < 5 and day not in list_federal_holidays(day.year):",
        "if day.weekday() < 5:",
        "Reports to OFAC are due before their end, and shown as late.",
        ("tests/sar/test_rules.py::test_ten_business_days_skip_weekends_and_holidays",),
    ),
    (
        "sar-annual-of-30-june",
        "apps/backoffice/sar/rules/matter_clocks.py",
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
        "apps/backoffice/sar/services/filing_steps.py",
        "if matter.steps != seen or not step.may(stands, today):",
        "if not step.may(stands, today):",
        "An officer records upon an entry that stands differently from what they saw.",
        ("tests/sar/test_sar_log.py::test_two_officers_cannot_record_from_the_same_page",),
    ),
    (
        "sar-figures-on-every-home-page",
        "apps/backoffice/sar/admin.py",
        "    if not can_see_log(user):\n        return []\n",
        "    if not user.is_active:\n        return []\n",
        "The home page tells everybody how many were reported.",
        (
            "tests/sar/test_pages.py"
            "::test_no_menu_count_search_job_ledger_hold_or_read_gives_it_away",
        ),
    ),
    (
        "sar-filings-kept-five-years",
        "apps/backoffice/sar/models/filings.py",
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n    YEARS',
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n    NONE',
        "Why a report was filed is gone before the report itself.",
        ("tests/platform/test_retention.py::test_every_ledger_is_kept_for_the_years_that_it_says",),
    ),
    (
        "sar-filings-are-no-secret",
        "apps/backoffice/sar/models/filings.py",
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = True\n',
        'LEDGER: ClassVar[str] = "sar_filings"\n    CONFIDENTIAL: ClassVar[bool] = False\n',
        "Logs and operators' pages name the ledger of filings.",
        ("tests/sar/test_sar_log.py::test_its_ledgers_are_its_own",),
    ),
    (
        "sar-country-blocks-are-blocked-property",
        "apps/compliance/screening/combined/services.py",
        'sanctions=screen.is_ofac_concerned(body["rules"], owed=is_ofac_report_owed(lists))',
        'sanctions=bool(body["screen"])',
        "A report to OFAC is due for a payment that a country alone blocked.",
        (
            "tests/screening/test_screen_endpoint.py"
            "::test_the_sar_log_is_told_whether_a_sanctioned_party_was_matched",
        ),
    ),
    (
        "sar-filing-before-its-detection",
        "apps/backoffice/sar/rules/matter_steps.py",
        'return f"It cannot be before {first:%d %b %Y}." if day < first else ""',
        'return ""',
        "A filing of last year stops the clock of a suspicion of today.",
        ("tests/sar/test_matter_steps.py::test_a_filing_lies_between_its_detection_and_today",),
    ),
    (
        "sar-clocks-from-the-day-of-the-record",
        "apps/backoffice/sar/services/filing_steps.py",
        "matter.advance(matter=step.then(stands, on or today), action=action)",
        "matter.advance(matter=step.then(stands, today), action=action)",
        "What was filed a month ago is reviewed a month late.",
        ("tests/sar/test_matter_page.py::test_a_filing_of_an_earlier_day_counts_from_that_day",),
    ),
    (
        "sar-parties-of-all-clients-together",
        "apps/backoffice/sar/rules/matter_parties.py",
        'return [owner, "name",',
        'return ["name",',
        "A client's matter lists those of another client.",
        ("tests/sar/test_matter_page.py::test_a_matter_lists_the_others_of_its_party_alone",),
    ),
    (
        "sar-purged-party-is-still-found",
        "apps/backoffice/sar/models/entries.py",
        "matter.move(nobody.party_key())",
        "matter.move(self.party_key())",
        "Who was erased is found by everybody who can guess the name and ask for its matters.",
        (
            "tests/sar/test_sar_log.py"
            "::test_a_purge_takes_the_party_along_and_leaves_the_others_together",
        ),
    ),
    (
        "sar-settled-party-stays-on-top",
        "apps/backoffice/sar/models/matters.py",
        'if clock_columns["next_by"] != self.next_by:',
        "if self.next_by is None:",
        "What is settled stands among what is due, and what becomes due is nowhere in the list.",
        ("tests/sar/test_matter_list.py::test_a_party_stands_where_its_nearest_clock_puts_it",),
    ),
    (
        "sar-correction-moves-no-clock",
        "apps/backoffice/sar/rules/corrections.py",
        "            days[of[record.id]] = record.on\n",
        "            days[record.id] = record.on\n",
        "The day of a filing is corrected on the page, and its review is due by the wrong one.",
        (
            "tests/sar/test_corrections.py"
            "::test_a_filing_of_a_wrong_day_is_corrected_and_its_record_stays_as_it_was",
        ),
    ),
    (
        "sar-correction-of-another-matter",
        "apps/backoffice/sar/services/corrections.py",
        "    if of is None:\n",
        "    if of is None and corrects < 0:\n",
        "An officer who takes one matter for another is not told so.",
        ("tests/sar/test_corrections.py::test_a_record_of_another_matter_is_corrected_there",),
    ),
    (
        "sar-corrected-twice-from-an-old-page",
        "apps/backoffice/sar/services/corrections.py",
        "if matter.steps != seen or corrects != rules.find_latest_records(records)[of]:",
        "if matter.steps != seen:",
        "Two corrections of one step stand beside each other, and the last is taken for right.",
        (
            "tests/sar/test_corrections.py"
            "::test_what_was_corrected_already_is_corrected_by_its_correction_alone",
        ),
    ),
    (
        "sar-embargo-by-the-lists-alone",
        "apps/compliance/screening/case_types/screens.py",
        "return is_ofac_concerned(codes, owed=owed) or (owed",
        "return (owed",
        "A referral under an embargo starts no clock of OFAC where others list the party.",
        (
            "tests/screening/test_screen_case.py"
            "::test_a_referral_concerns_ofac_as_a_screen_that_blocks_does_or_by_a_partial_match",
        ),
    ),
)
