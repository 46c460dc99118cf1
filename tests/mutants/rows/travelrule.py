"""Records of the travel rule: who is flagged, what is exported, and what is sent."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "travelrule-parties-are-not-screened",
        "apps/payments/travelrule/services/receive_message.py",
        "    if new:\n        tasks.plan_screening(record, now=now)\n",
        "",
        "Nobody screens the parties of a counterparty's message.",
        (
            "tests/travelrule/test_screened_parties.py::"
            "test_each_message_is_screened_once_by_a_job_of_its_own",
        ),
    ),
    (
        "travelrule-listed-party-is-not-in-the-sar-log",
        "apps/payments/travelrule/screening/cases.py",
        "        if hit.decision == BLOCKED:\n            entry",
        "        if hit.decision != BLOCKED:\n            entry",
        "A listed party of a message has no entry in the SAR log.",
        (
            "tests/travelrule/test_screened_parties.py::"
            "test_a_listed_party_is_in_the_sar_log_and_two_officers_decide",
        ),
    ),
    (
        "travelrule-blocked-party-is-behind-a-flagged-one",
        "apps/payments/travelrule/screening/screens.py",
        "(GRAVITY.index(party.decision), -party.judgement.risk_score)",
        "-party.judgement.risk_score",
        "Of two screens of a party that of the higher score goes first, though the other blocks.",
        (
            "tests/travelrule/test_screened_parties.py::"
            "test_what_blocks_a_party_goes_before_what_flags_it_at_a_higher_score",
        ),
    ),
    (
        "travelrule-repeated-party-is-a-case-each-time",
        "apps/payments/travelrule/screening/cases.py",
        (
            "        if lock_undecided_case(kind=KIND, ref=ref) is not None:\n"
            "            return ref\n"
        ),
        "        pass\n",
        "Each message that names the same party opens another case.",
        (
            "tests/travelrule/test_screened_parties.py::"
            "test_the_same_party_of_many_messages_is_one_case_and_one_entry",
        ),
    ),
    (
        "travelrule-two-payments-are-not-together",
        "apps/payments/travelrule/rules/aggregates.py",
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
        "apps/payments/travelrule/rules/directory.py",
        "on <= until",
        "on < until",
        "An entry of the directory does not hold on its last day.",
        ("tests/travelrule/test_directory.py::test_an_entry_holds_from_its_first_day_to_its_last",),
    ),
    (
        "travelrule-export-lacks-the-last-second",
        "apps/payments/travelrule/filters.py",
        "created_at__lte=value.replace(microsecond=999_999)",
        "created_at__lte=value",
        "A record of the last second of a stretch is not exported.",
        ("tests/travelrule/test_export.py::test_status_and_time_select",),
    ),
    (
        "travelrule-page-repeats-its-last-record",
        "apps/payments/travelrule/selectors/records.py",
        "Q(created_at=moment, pk__gt=number)",
        "Q(created_at=moment, pk__gte=number)",
        "Each page of the export begins with the last record of the page before.",
        ("tests/travelrule/test_export.py::test_a_cursor_leads_through_all_records",),
    ),
    (
        "travelrule-last-attempt-after-minutes",
        "apps/payments/travelrule/rules/transmissions.py",
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
        "apps/payments/travelrule/tallies.py",
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
        "apps/platform/api/viewsets.py",
        'return values | ({"withheld": withheld} if withheld else {})',
        "return values",
        "An export leaves out records that do not prove themselves and does not say so.",
        (
            "tests/travelrule/test_export.py::"
            "test_a_record_that_was_altered_is_withheld_and_counted",
        ),
    ),
    (
        "travelrule-record-goes-to-an-entry-that-does-not-serve",
        "apps/payments/travelrule/sending/send_stored.py",
        "if serves and serves[0].pk == vasp.pk:",
        "if serves:",
        "A stored record is sent to a new entry though another one serves its creditor.",
        (
            "tests/travelrule/test_transmit.py::"
            "test_what_another_entry_serves_first_is_not_sent_to_this_one",
        ),
    ),
    (
        "travelrule-cursor-skips-records-of-its-moment",
        "apps/payments/travelrule/selectors/records.py",
        "later = Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=number)",
        "later = Q(created_at__gt=moment)",
        "Who exports by cursor gets one record of those that were made at once, at a page's end.",
        (
            "tests/travelrule/test_export.py::"
            "test_a_cursor_parts_records_that_were_made_at_one_moment",
        ),
    ),
    (
        "travelrule-record-of-another-institution",
        "apps/payments/travelrule/selectors/records.py",
        "rows = rows.filter(owner=caller.ref)",
        "rows = rows.all()",
        "An institution reads the travel-rule record of another's payment.",
        (
            "tests/api/test_other_tenants.py::"
            "test_no_answer_at_another_tenants_address_holds_anything_of_theirs",
        ),
    ),
)
