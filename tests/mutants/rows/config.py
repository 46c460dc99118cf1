"""Tables: jobs, roles and prices."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "config-overdue-cases-wait",
        "apps/backoffice/review/jobs.py",
        '        title="Escalate cases that are past due",\n        every=5 * MINUTE,\n',
        '        title="Escalate cases that are past due",\n',
        "Nothing escalates cases that are past due any more.",
        ("tests/platform/test_schedules.py::test_what_is_periodic_stays_so_and_keeps_its_rhythm",),
    ),
    (
        "config-nothing-is-sealed",
        "apps/platform/tasks.py",
        '        title="Chain new ledger records",\n        every=MINUTE,\n',
        '        title="Chain new ledger records",\n',
        "Records are never chained.",
        ("tests/platform/test_schedules.py::test_what_is_periodic_stays_so_and_keeps_its_rhythm",),
    ),
    (
        "config-officers-confirm",
        "config/desk_roles.py",
        '    "review.decide_case",\n    "review.view_knownfalsepositive",\n',
        '    "review.decide_case",\n    "review.approve_second",\n'
        '    "review.view_knownfalsepositive",\n',
        "Every officer may be the second one.",
        ("tests/test_permissions.py::test_each_group_reaches_exactly_its_addresses",),
    ),
    (
        "config-examiners-read-the-sar-log",
        "config/desk_roles.py",
        '    "oversight.view_secondlook",\n',
        '    "oversight.view_secondlook",\n    "sar.view_sarentry",\n',
        "Examiners of one matter learn who was reported.",
        ("tests/test_permissions.py::test_each_group_reaches_exactly_its_addresses",),
    ),
    (
        "config-screens-for-a-tenth",
        "config/prices.py",
        'Tier(10_000, Decimal("0.01"))',
        'Tier(10_000, Decimal("0.001"))',
        "A screen costs a tenth of what the specification says.",
        ("tests/access/test_metering.py::test_each_call_is_billed_at_the_price_of_its_tier",),
    ),
)
