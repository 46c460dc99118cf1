"""The ESG oracle: articles of SFDR, and the live score."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "esgoracle-nine-too-early",
        "apps/insight/esg/oracle/rules/articles.py",
        "ARTICLE_9_LEAST = 80",
        "ARTICLE_9_LEAST = 79",
        "An entity below 80 is told as compatible with Article 9.",
        (
            "tests/esg/oracle/test_entity_score.py::"
            "test_article_9_begins_at_eighty_with_everything_else_shown",
        ),
    ),
    (
        "esgoracle-unknown-is-no-violation",
        "apps/insight/esg/oracle/rules/articles.py",
        "return all(facts.statuses.get(number, UNKNOWN) != UNKNOWN for number in VIOLATIONS)",
        "return True",
        "Who tells nothing of violations and weapons is compatible with Article 9.",
        ("tests/esg/oracle/test_entity_score.py::test_an_article_wants_each_of_its_conditions",),
    ),
    (
        "esgoracle-altered-run-is-served",
        "apps/insight/esg/oracle/selectors/latest_run.py",
        "    if not filter_verified_records([run]):",
        "    if False:",
        "A run whose average was altered in the database is served.",
        ("tests/esg/oracle/test_oracle_runs.py::test_a_run_that_was_altered_is_no_answer",),
    ),
    (
        "esgoracle-older-run-stands-in",
        "apps/insight/esg/oracle/selectors/latest_run.py",
        'EsgRun.objects.order_by("-slot").first()',
        'EsgRun.objects.filter(average__isnull=False).order_by("-slot").first()',
        "A newer run without a score is passed over for an older one.",
        (
            "tests/esg/oracle/test_oracle_runs.py::"
            "test_a_newer_run_that_failed_is_told_and_no_older_one_stands_in_for_it",
        ),
    ),
    (
        "esgoracle-weight-of-the-table",
        "apps/insight/esg/oracle/rules/live_score.py",
        "(weight / held).quantize",
        "weight.quantize",
        "Weights are told as if no series lacked.",
        ("tests/esg/oracle/test_live_score.py::test_what_is_shown_of_a_score_sums_to_it",),
    ),
)
