"""Screening that goes on, subtly wrong."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "ongoing-known-hides-a-full-match",
        "apps/compliance/ongoing/rules.py",
        "        lambda p: p.known and p.band == PARTIAL and p.now < BLOCK_SCORE,\n",
        "        lambda p: p.known,\n",
        "A known false positive hides a full match of a changed entry.",
        ("tests/ongoing/test_known.py::test_what_is_news_of_a_pair",),
    ),
    (
        "ongoing-run-goes-on-under-another",
        "apps/compliance/ongoing/rescreen/runner.py",
        "    if (row.entry, row.party, row.stage) != (run.entry, run.party, run.stage):\n",
        "    if row.stage != run.stage:\n",
        "Two processes count one batch of parties twice.",
        (
            "tests/ongoing/test_rescreen.py::"
            "test_a_batch_that_another_process_did_meanwhile_is_not_done_again",
        ),
    ),
    (
        "ongoing-late-parties-forgotten",
        "apps/compliance/ongoing/rescreen/runner.py",
        "        met = Party.objects.filter(first_seen__gte=run.planned_at - MARGIN)\n",
        "        met = Party.objects.none()\n",
        "Who was screened by the old index is never held against the change.",
        (
            "tests/ongoing/test_rescreen.py::"
            "test_whoever_came_up_while_hosts_had_the_old_index_is_held_late",
        ),
    ),
    (
        "screening-known-of-another-party",
        "apps/compliance/screening/rules/known_false_positives.py",
        "    return complete and dict(then) == told\n",
        "    return complete\n",
        "A known false positive clears a party of another birth date.",
        (
            "tests/screening/test_known_false.py::"
            "test_a_party_is_the_same_where_all_that_is_known_of_it_is",
        ),
    ),
)
