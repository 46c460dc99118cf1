"""The desk: roles, notes and holds."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "desk-roles-only-grow",
        "apps/desk/roles.py",
        "group.permissions.set(permissions)",
        "group.permissions.add(*permissions)",
        "A permission that left the table stays with the role.",
        ("tests/config/test_roles.py::test_migrate_takes_away_what_was_given_by_hand",),
    ),
    (
        "desk-superusers-stay",
        "apps/desk/roles.py",
        "user.is_superuser = True, True, False",
        "user.is_superuser = True, True, user.is_superuser",
        "An account that becomes an officer keeps all powers.",
        ("tests/config/test_roles.py::test_staff_are_made_and_mended_but_never_superusers",),
    ),
    (
        "desk-blanks-are-a-note",
        "apps/desk/rules.py",
        "if len(note.strip()) < SHORTEST_NOTE:",
        "if len(note) < SHORTEST_NOTE:",
        "Ten blanks are a reason for the examiner.",
        ("tests/review/test_actions.py::test_an_incomplete_decision_is_refused_field_by_field",),
    ),
    (
        "desk-holds-of-hidden-ledgers",
        "apps/desk/admin/holds.py",
        "return super().get_queryset(request).filter(ledger__in=ledgers_known)",
        "return super().get_queryset(request)",
        "The page of holds tells of entries in the SAR log.",
        (
            "tests/desk/test_holds.py"
            "::test_holds_and_purges_of_the_sar_log_are_seen_by_those_who_may_know_of_it",
        ),
    ),
)
