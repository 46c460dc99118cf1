"""Reads, exports and samples."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "oversight-export-without-its-last-day",
        "apps/oversight/admin.py",
        'datetime.combine(given["until"], time.min, UTC) + timedelta(days=1)',
        'datetime.combine(given["until"], time.min, UTC)',
        "An export lacks the last day that was asked for.",
        ("tests/oversight/test_exports.py::test_the_page_streams_an_archive_to_an_examiner",),
    ),
    (
        "oversight-second-officer-samples-own",
        "apps/oversight/models.py",
        "mine = Q(first_by=user) | Q(second_by=user, second_by__isnull=False)",
        "mine = Q(first_by=user)",
        "An officer is offered a case that they confirmed themselves.",
        ("tests/oversight/test_samples.py::test_neither_does_the_second_officer",),
    ),
    (
        "oversight-reads-of-the-sar-log-told",
        "apps/oversight/actions.py",
        "model = SarRead if what.startswith(HUSHED) else ReadEvent",
        "model = ReadEvent",
        "Who may see reads learns that somebody was reported.",
        ("tests/sar/test_pages.py::test_reads_of_the_log_are_recorded_apart",),
    ),
    (
        "oversight-sample-rounded-down",
        "apps/oversight/rules.py",
        "return -(-closed * percent // 100)",
        "return closed * percent // 100",
        "Of few cases none is looked at again.",
        ("tests/oversight/test_rules.py::test_the_share_is_rounded_up",),
    ),
    (
        "oversight-formula-behind-a-blank",
        "apps/oversight/rules.py",
        'if text.lstrip(" ").startswith(FORMULA_STARTS)',
        "if text.startswith(FORMULA_STARTS)",
        "A name that begins with a blank and = is run by a spreadsheet.",
        ("tests/oversight/test_rules.py::test_a_cell_is_never_a_formula",),
    ),
    (
        "oversight-searches-unrecorded",
        "apps/oversight/middleware.py",
        'searching = bool(request.GET.get("q"))',
        'searching = bool(request.POST.get("q"))',
        "Looking people up in the queue leaves no trace.",
        ("tests/oversight/test_reads.py::test_the_queue_is_no_news_but_a_search_in_it_is",),
    ),
)
