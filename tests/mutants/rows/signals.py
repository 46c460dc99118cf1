"""Rates of exchange, and figures of publishers."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "signals-rates-of-any-age",
        "apps/signals/rates.py",
        "Q(observed_on__gte=day - OLDEST)",
        "Q(observed_on__lte=day)",
        "Amounts are judged by a rate of last year.",
        ("tests/signals/test_rates.py::test_a_rate_older_than_ten_days_counts_as_none",),
    ),
    (
        "signals-sample-in-production",
        "apps/signals/rates.py",
        "    if not settings.PRODUCTION:\n",
        "    if settings is not None:\n",
        "Production converts by the bundled sample.",
        (
            "tests/signals/test_rates.py"
            "::test_the_sample_serves_where_real_rates_are_missing_and_never_in_production",
        ),
    ),
    (
        "signals-replay-with-later-rates",
        "apps/signals/rates.py",
        "rows = rows.filter(vintage__lte=known_at)",
        "rows = rows.all()",
        "An old screen replays by rates that nobody knew then.",
        (
            "tests/signals/test_rates.py"
            "::test_a_correction_is_a_further_row_and_the_past_can_be_asked",
        ),
    ),
    (
        "signals-of-the-future",
        "apps/signals/drift.py",
        "    if day > today:\n",
        "    if day > today.replace(year=9999):\n",
        "A file with values of days to come is taken.",
        ("tests/signals/test_drift.py::test_a_file_that_broke_changes_nothing_and_says_why",),
    ),
    (
        "signals-known-later",
        "apps/signals/reading.py",
        "known &= Q(vintage__lte=as_of, observed_on__lte=as_of.date())",
        "known &= Q(observed_on__lte=as_of.date())",
        "The past is answered with what was learnt later.",
        ("tests/signals/test_reading.py::test_only_what_was_known_then_is_read",),
    ),
    (
        "signals-age-of-the-fetch",
        "apps/signals/points.py",
        "return as_of - self.at",
        "return as_of - max(self.at, self.vintage)",
        "A file that stands still for a year is served as live.",
        ("tests/signals/test_reading.py::test_a_point_says_where_it_is_from_and_how_old_it_is",),
    ),
    (
        "signals-sample-as-live",
        "apps/signals/points.py",
        'return self.sample or self.kind in ("proxy", "static")',
        'return self.kind in ("proxy", "static")',
        "Scores of the bundled sample are called live.",
        ("tests/signals/test_sample.py",),
    ),
    (
        "signals-weights-not-renewed",
        "apps/signals/composing.py",
        "split(weighed, held=held)",
        "split(weighed, held=Decimal(1))",
        "A score drops because an input is missing.",
        ("tests/signals/test_composing.py",),
    ),
    (
        "signals-withdrawn-values-stay",
        "apps/signals/reading.py",
        "            kept.pop(day, None)\n",
        "            pass\n",
        "A figure that its publisher took back is served for ever.",
        ("tests/signals/test_withdrawals.py",),
    ),
    (
        "signals-windows-take-back",
        "apps/signals/drift.py",
        "return span[0] <= day <= span[1]",
        "return day <= span[1]",
        "A file of the last weeks takes back all of the years before.",
        ("tests/signals/test_withdrawals.py::test_each_series_is_taken_back_within_its_own_days",),
    ),
    (
        "signals-unchanged-for-other-rows",
        "apps/signals/fetching.py",
        "return last if last and last.asked == asked else None",
        "return last",
        "A new series of a file stays empty until its publisher changes the file.",
        (
            "tests/signals/test_fetching.py::test_what_is_wanted_otherwise_than_before_is_sent_again",
        ),
    ),
    (
        "signals-invented-as-sample",
        "apps/signals/reading.py",
        "invented = source == SAMPLE and name in made",
        "invented = False",
        "Invented figures are told as a publisher's.",
        ("tests/signals/test_sample.py::test_what_is_invented_says_so_wherever_it_goes",),
    ),
    (
        "signals-half-hours-become-hours",
        "apps/signals/keeping.py",
        "feed.every <= now + EARLY",
        "feed.every <= now",
        "What comes every half hour is asked for every forty minutes.",
        ("tests/signals/test_keeping.py::test_each_file_is_asked_for_as_often_as_its_row_says",),
    ),
    (
        "signals-any-licence",
        "apps/signals/fetching.py",
        '("all" in named and not feed.opt_in)',
        '"all" in named',
        "Files are fetched that their licence forbids to store.",
        ("tests/signals/test_fetching.py::test_only_what_the_operator_may_and_wants_is_asked",),
    ),
)
