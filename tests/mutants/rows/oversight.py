"""Reads, exports and samples."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "oversight-export-without-its-last-day",
        "apps/backoffice/oversight/admin/reads_and_exports.py",
        'datetime.combine(cleaned_data["until"], time.min, UTC) + timedelta(days=1)',
        'datetime.combine(cleaned_data["until"], time.min, UTC)',
        "An export lacks the last day that was asked for.",
        ("tests/oversight/test_exports.py::test_the_page_streams_an_archive_to_an_examiner",),
    ),
    (
        "oversight-second-officer-samples-own",
        "apps/backoffice/oversight/models.py",
        "Exists(judged.filter(case=itself)) | Exists(judged.filter(case=whole))",
        "Exists(judged.filter(case=whole))",
        "An officer is offered a case that they confirmed themselves.",
        ("tests/oversight/test_samples.py::test_neither_does_the_second_officer",),
    ),
    (
        "oversight-returned-decision-is-no-judgement",
        "apps/backoffice/oversight/models.py",
        "JUDGING = (Action.PROPOSED, Action.RETURNED, Action.DECIDED)",
        "JUDGING = (Action.DECIDED,)",
        "An officer whose decision was returned samples the case that they judged.",
        (
            "tests/oversight/test_samples.py"
            "::test_nor_who_proposed_or_returned_a_decision_that_others_made",
        ),
    ),
    (
        "oversight-decision-told-before-the-verdict",
        "apps/backoffice/oversight/admin/samples.py",
        "if eligible and own is None:",
        "if eligible and own is None and not found:",
        "Who samples a case is told the decision once another officer has judged it.",
        (
            "tests/oversight/test_blind_samples.py"
            "::test_a_verdict_is_told_to_its_officer_alone_while_the_look_is_not_taken",
        ),
    ),
    (
        "oversight-sampler-opened-the-case-untold",
        "apps/backoffice/oversight/services/second_looks.py",
        "if first_exposed_at := find_first_exposure(sample, by):",
        "if (first_exposed_at := find_first_exposure(sample, by)) and not by.is_active:",
        "That an officer read the decision before judging blind leaves no trace.",
        (
            "tests/oversight/test_blind_samples.py"
            "::test_whoever_opened_the_case_before_judging_has_it_on_record",
        ),
    ),
    (
        "oversight-queue-tells-a-sampler-the-decision",
        "apps/backoffice/review/views/queue_page.py",
        "verdict=Verdict() if hushed else verdict,",
        "verdict=verdict,",
        "Who may sample a case reads in the queue how it was decided.",
        (
            "tests/oversight/test_blind_samples.py"
            "::test_no_list_tells_who_may_sample_a_case_how_it_was_decided",
        ),
    ),
    (
        "oversight-export-told-a-sampler-untold",
        "apps/backoffice/oversight/selectors/blind_look_exposure.py",
        (
            "return min(\n"
            "        [*_find_exposing_reads(sample, by), "
            "*_find_exports_revealing_decision(sample.case, by)],\n"
            "        default=None,\n"
            "    )"
        ),
        "return min([*_find_exposing_reads(sample, by)], default=None)",
        "That an officer exported the decision before judging blind leaves no trace.",
        ("tests/oversight/test_blind_samples.py::test_an_export_of_its_time_tells_the_decision",),
    ),
    (
        "oversight-page-of-several-read-as-one",
        "apps/backoffice/oversight/middleware.py",
        "if several is None:",
        "if several is None or ref:",
        "Whoever opens a proposal to clear cases reads a case of its number, and none of its own.",
        (
            "tests/oversight/test_read_log.py"
            "::test_a_proposal_to_clear_is_a_read_of_its_cases_and_of_no_other",
        ),
    ),
    (
        "oversight-reads-of-the-sar-log-told",
        "apps/backoffice/oversight/services/reads.py",
        "return SarRead if what.startswith(SAR_PREFIX) else ReadEvent",
        "return ReadEvent",
        "Who may see reads learns that somebody was reported.",
        ("tests/sar/test_pages.py::test_reads_of_the_log_are_recorded_apart",),
    ),
    (
        "oversight-sample-rounded-down",
        "apps/backoffice/oversight/rules.py",
        "return -(-closed * percent // 100)",
        "return closed * percent // 100",
        "Of few cases none is looked at again.",
        ("tests/oversight/test_rules.py::test_the_share_is_rounded_up",),
    ),
    (
        "oversight-formula-behind-a-blank",
        "apps/platform/common/spreadsheets.py",
        "starts = text[len(before) : len(before) + 1]",
        "starts = text[:1]",
        "A name that begins with a blank and = is run by a spreadsheet.",
        (
            "tests/platform/test_spreadsheets.py::"
            "test_what_a_spreadsheet_may_run_begins_with_an_apostrophe",
        ),
    ),
    (
        "oversight-searches-unrecorded",
        "apps/backoffice/oversight/middleware.py",
        'searching = bool(request.GET.get("q"))',
        'searching = bool(request.POST.get("q"))',
        "Looking people up in the queue leaves no trace.",
        ("tests/oversight/test_read_log.py::test_the_queue_is_no_news_but_a_search_in_it_is",),
    ),
    (
        "oversight-search-of-the-sar-log-told-to-examiners",
        "apps/backoffice/oversight/middleware.py",
        "is_logged = not hushed or what.startswith(SAR_PREFIX)",
        "is_logged = True",
        "Who may not know of the SAR log reads which of its entries was looked for.",
        (
            "tests/oversight/test_read_log.py"
            "::test_a_search_for_an_entry_of_the_sar_log_is_told_to_its_own_readers_alone",
        ),
    ),
    (
        "oversight-look-told-before-it-is-taken",
        "apps/backoffice/oversight/selectors/second_look_history.py",
        "Sample.objects.filter(case=case, looked_by__isnull=False).first()",
        "Sample.objects.filter(case=case).first()",
        "What one officer judged blind is told to the next before they have judged.",
        (
            "tests/oversight/test_second_look_pages.py::test_nothing_of_it_is_told_before_the_look_is_taken",
        ),
    ),
    (
        "oversight-samples-of-a-later-month-are-cut",
        "apps/backoffice/oversight/admin/sample_list.py",
        "Q(month__gt=last.month) | Q(month=last.month, pk__gt=last.pk)",
        "Q(month=last.month, pk__gt=last.pk)",
        "The list of samples ends with a month.",
        (
            "tests/oversight/test_samples.py::test_every_sample_is_on_one_page_of_the_list_and_on_no_other",
        ),
    ),
)
