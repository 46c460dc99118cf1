"""Records of the travel rule: who is flagged, what is exported, and what is sent."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "travelrule-two-payments-are-not-together",
        "apps/travelrule/rules/aggregates.py",
        "flagged = count > 1 and",
        "flagged = count > 2 and",
        "Two payments that reach the threshold together are not flagged.",
        (
            "tests/travelrule/desk/test_samples.py::"
            "test_a_day_is_flagged_for_one_originator_of_one_institution",
        ),
    ),
    (
        "travelrule-entry-ends-a-day-early",
        "apps/travelrule/rules/directory.py",
        "on <= until",
        "on < until",
        "An entry of the directory does not hold on its last day.",
        ("tests/travelrule/test_directory.py::test_an_entry_holds_from_its_first_day_to_its_last",),
    ),
    (
        "travelrule-export-lacks-the-last-second",
        "apps/travelrule/reads.py",
        "end = until.replace(microsecond=999_999)",
        "end = until",
        "A record of the last second of a stretch is not exported.",
        ("tests/travelrule/test_export.py::test_status_and_time_select",),
    ),
    (
        "travelrule-page-repeats-its-last-record",
        "apps/travelrule/reads.py",
        "Q(created_at=moment, pk__gt=number)",
        "Q(created_at=moment, pk__gte=number)",
        "Each page of the export begins with the last record of the page before.",
        ("tests/travelrule/test_export.py::test_a_cursor_leads_through_all_records",),
    ),
    (
        "travelrule-last-attempt-after-minutes",
        "apps/travelrule/rules/sending.py",
        "2 * HOUR, 12 * HOUR)",
        "2 * HOUR, 12 * MINUTE)",
        "A counterparty that is down for a day gets no message.",
        (
            "tests/travelrule/test_transmit.py::"
            "test_a_failed_attempt_is_made_again_by_the_table_and_then_given_up",
        ),
    ),
    (
        "travelrule-moved-record-is-counted-twice",
        "apps/travelrule/tallying.py",
        "moved[month.date(), owner, direction, before] -= many",
        "moved[month.date(), owner, direction, before] += many",
        "A record counts under the status that it had before as well.",
        (
            "tests/travelrule/desk/test_samples.py::"
            "test_months_are_counted_by_status_up_to_a_seal_and_follow_a_step",
        ),
    ),
    (
        "travelrule-withheld-records-are-not-told",
        "apps/travelrule/reads.py",
        'return answer | ({"withheld": withheld} if withheld else {})',
        "return answer",
        "An export leaves out records that do not prove themselves and does not say so.",
        (
            "tests/travelrule/test_export.py::"
            "test_a_record_that_was_altered_is_withheld_and_counted",
        ),
    ),
    (
        "travelrule-record-goes-to-an-entry-that-does-not-serve",
        "apps/travelrule/sending/later.py",
        "if serves and serves[0].pk == vasp.pk:",
        "if serves:",
        "A stored record is sent to a new entry though another one serves its creditor.",
        (
            "tests/travelrule/test_transmit.py::"
            "test_what_another_entry_serves_first_is_not_sent_to_this_one",
        ),
    ),
)
