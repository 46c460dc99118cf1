"""The desk: roles, notes and holds."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "desk-cells-without-headings",
        "apps/platform/desk/templatetags/cards.py",
        """data-label="{named}"{long}""",
        """{long}""",
        "On a phone a cell of a stock list stands without its heading.",
        (
            "tests/desk/test_list_markup.py"
            "::test_each_cell_of_a_stock_list_says_its_heading_and_keys_walk_its_rows",
        ),
    ),
    (
        "desk-roles-only-grow",
        "apps/platform/desk/role_sync.py",
        "group.permissions.set(permissions)",
        "group.permissions.add(*permissions)",
        "A permission that left the table stays with the role.",
        ("tests/config/test_roles.py::test_migrate_takes_away_what_was_given_by_hand",),
    ),
    (
        "desk-altered-proposals-decided",
        "apps/platform/desk/proposal_records.py",
        "if field.attname in stands]",
        'if field.attname == "note"]',
        "A request for a key that SQL enlarged, or whose proposer it turned, is drawn.",
        (
            "tests/desk/test_proposal_integrity.py"
            "::test_a_request_that_sql_turned_is_neither_approved_nor_drawn",
            "tests/desk/test_proposal_integrity.py"
            "::test_nobody_approves_their_own_country_by_turning_the_proposer",
        ),
    ),
    (
        "desk-proposal-steps-repeat",
        "apps/platform/desk/proposal_records.py",
        "if len(set(names)) < len(names):",
        "if len(set(names)) < 0:",
        "A copied record of the approval lets an approved key be drawn once more.",
        ("tests/desk/test_proposal_integrity.py::test_a_copied_record_makes_no_second_key",),
    ),
    (
        "desk-superusers-stay",
        "apps/platform/desk/role_sync.py",
        "user.is_superuser = True, True, False",
        "user.is_superuser = True, True, user.is_superuser",
        "An account that becomes an officer keeps all powers.",
        ("tests/config/test_roles.py::test_staff_are_made_and_mended_but_never_superusers",),
    ),
    (
        "desk-blanks-are-a-note",
        "apps/platform/desk/note_validation.py",
        "if count_visible_characters(note) < SHORTEST_NOTE:",
        "if len(note) < SHORTEST_NOTE:",
        "Ten blanks are a reason for the examiner.",
        (
            "tests/review/test_case_services.py::test_an_incomplete_decision_is_refused_field_by_field",
        ),
    ),
    (
        "desk-hidden-characters-are-a-note",
        "apps/platform/desk/note_validation.py",
        "if fault := find_text_fault(note, most=most):",
        "if fault := find_text_fault(note[:0], most=most):",
        "What an officer wrote reads otherwise than it is stored.",
        ("tests/desk/test_hidden_characters.py::test_a_note_of_zero_width_spaces_decides_no_case",),
    ),
    (
        "desk-hold-on-a-ledger-that-is-hidden",
        "apps/platform/desk/legal_holds.py",
        "if not parts or not parts[-1][1] or parts[-1][0] not in _holdable_ledgers(user):",
        "if not parts or not parts[-1][1]:",
        "What is kept for good, or hidden from somebody, is held through a form made by hand.",
        ("tests/desk/test_legal_holds.py::test_a_hold_on_what_is_not_there_is_refused",),
    ),
    (
        "desk-holds-of-hidden-ledgers",
        "apps/platform/desk/admin/holds.py",
        "return super().get_queryset(request).filter(ledger__in=ledgers_known)",
        "return super().get_queryset(request)",
        "The page of holds tells of entries in the SAR log.",
        (
            "tests/desk/test_legal_holds.py"
            "::test_holds_and_purges_of_the_sar_log_are_seen_by_those_who_may_know_of_it",
        ),
    ),
    (
        "desk-routine-hides-what-failed-once",
        "apps/platform/desk/admin/jobs.py",
        'last_error="", attempts__lte=1',
        'last_error=""',
        "A job that went well at its second try alone is folded away as routine.",
        (
            "tests/desk/test_job_list.py"
            "::test_routine_that_went_well_is_folded_away_and_can_be_shown",
        ),
    ),
    (
        "desk-schedules-go-off-unasked",
        "apps/platform/desk/admin/schedules.py",
        'and not cleaned_data.get("sure")',
        'and cleaned_data.get("sure") is None',
        "One click stops sealing, and nobody was told what stops.",
        ("tests/desk/test_schedules.py::test_switching_off_says_what_stops_and_asks_first",),
    ),
    (
        "desk-health-well-beside-failed-jobs",
        "apps/platform/health/checks.py",
        "well = alive and late is None and late_outside is None and not failed",
        "well = alive and late is None and late_outside is None",
        "Health says that jobs work while one failed and waits for somebody.",
        (
            "tests/desk/test_operator_panel.py"
            "::test_health_needs_somebody_while_a_failed_job_stands_and_says_so_alone",
        ),
    ),
    (
        "desk-hold-on-a-case-misses-later-steps",
        "apps/platform/ledger/retention.py",
        "    if not model.STEPS_OF:",
        "    if numbers is not None:",
        "What is recorded of a case after it was held is purged.",
        ("tests/desk/test_legal_holds.py::test_a_hold_on_a_case_holds_the_steps_that_come_later",),
    ),
    (
        "desk-hold-lifted-by-who-placed-it",
        "apps/platform/ledger/retention.py",
        "if settings.PRODUCTION and standing.filter(placed_by=by).exists():",
        "if False:",
        "One person ends a hold that they placed themselves.",
        (
            "tests/desk/test_legal_holds.py"
            "::test_in_production_another_person_than_who_placed_a_hold_lifts_it",
        ),
    ),
    (
        "desk-read-log-links-what-is-closed",
        "apps/platform/desk/page_titles.py",
        "if page is None or not page.has_view_permission(request):",
        "if page is None:",
        "An examiner is led to pages that they may not open.",
        (
            "tests/oversight/test_read_log.py::test_the_read_log_links_what_its_reader_may_open_and_nothing_else",
        ),
    ),
)
