"""Rates of exchange, and figures of publishers."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "signals-rates-of-any-age",
        "apps/reference/signals/exchange_rates.py",
        "Q(observed_on__gte=day - OLDEST_RATE)",
        "Q(observed_on__lte=day)",
        "Amounts are judged by a rate of last year.",
        ("tests/signals/test_exchange_rates.py::test_a_rate_older_than_ten_days_counts_as_none",),
    ),
    (
        "signals-payments-by-the-quarter",
        "apps/reference/signals/exchange_rates.py",
        "if quarterly and not sample and",
        "if not sample and",
        "What is paid is converted by a rate that may be four months old.",
        (
            "tests/signals/test_treasury_rates.py"
            "::test_it_serves_thresholds_alone_and_only_where_no_rate_is_published",
        ),
    ),
    (
        "signals-peg-that-ended-goes-on",
        "apps/reference/signals/exchange_rates.py",
        "if quarter and abs(rate - quarter.rate) > DEPARTED * rate:",
        "if quarter and abs(rate - quarter.rate) < 0:",
        "A currency that was let go is converted at its old peg.",
        ("tests/signals/test_pegs.py::test_a_peg_from_which_the_treasury_departs_has_ended",),
    ),
    (
        "signals-treasury-of-half-an-answer",
        "apps/reference/signals/readers/treasury_rates.py",
        'if pages != "1":',
        "if pages is None:",
        "A page of the Treasury's rates is taken for all of them.",
        ("tests/signals/test_treasury_rates.py::test_a_broken_answer_is_refused_whole",),
    ),
    (
        "signals-sample-in-production",
        "apps/reference/signals/exchange_rates.py",
        "    if not settings.PRODUCTION:\n",
        "    if settings is not None:\n",
        "Production converts by the bundled sample.",
        (
            "tests/signals/test_exchange_rates.py"
            "::test_the_sample_serves_where_real_rates_are_missing_and_never_in_production",
        ),
    ),
    (
        "signals-replay-with-later-rates",
        "apps/reference/signals/exchange_rates.py",
        "rows = rows.filter(vintage__lte=known_at)",
        "rows = rows.all()",
        "An old screen replays by rates that nobody knew then.",
        (
            "tests/signals/test_exchange_rates.py"
            "::test_a_correction_is_a_further_row_and_the_past_can_be_asked",
        ),
    ),
    (
        "signals-of-the-future",
        "apps/reference/signals/format_drift.py",
        "    if day > today:\n",
        "    if day > today.replace(year=9999):\n",
        "A file with values of days to come is taken.",
        (
            "tests/signals/test_format_drift.py::test_a_file_that_broke_changes_nothing_and_says_why",
        ),
    ),
    (
        "signals-known-later",
        "apps/reference/signals/selectors/series_values.py",
        "known &= Q(vintage__lte=as_of, observed_on__lte=as_of.date())",
        "known &= Q(observed_on__lte=as_of.date())",
        "The past is answered with what was learnt later.",
        ("tests/signals/test_series_values.py::test_only_what_was_known_then_is_read",),
    ),
    (
        "signals-age-of-the-fetch",
        "apps/reference/signals/points.py",
        "return as_of - self.at",
        "return as_of - max(self.at, self.vintage)",
        "A file that stands still for a year is served as live.",
        (
            "tests/signals/test_series_values.py::test_a_point_says_where_it_is_from_and_how_old_it_is",
        ),
    ),
    (
        "signals-sample-as-live",
        "apps/reference/signals/points.py",
        'return self.sample or self.kind in ("proxy", "static")',
        'return self.kind in ("proxy", "static")',
        "Scores of the bundled sample are called live.",
        ("tests/signals/test_sample.py",),
    ),
    (
        "signals-weights-not-renewed",
        "apps/reference/signals/composition.py",
        "split_score(weighed, held=held_weight)",
        "split_score(weighed, held=Decimal(1))",
        "A score drops because an input is missing.",
        ("tests/signals/test_composition.py",),
    ),
    (
        "signals-silence-calms",
        "apps/reference/signals/carried_forward_inputs.py",
        "        if weight and strain * weight <= total:",
        "        if weight:",
        "A score drops because a publisher fell silent in a crisis.",
        ("tests/signals/test_lapsed_inputs.py", "tests/intelligence/test_missing_inputs.py"),
    ),
    (
        "signals-withdrawn-values-stay",
        "apps/reference/signals/selectors/series_values.py",
        "            values_of_series.pop(day, None)\n",
        "            pass\n",
        "A figure that its publisher took back is served for ever.",
        ("tests/signals/test_withdrawals.py",),
    ),
    (
        "signals-windows-take-back",
        "apps/reference/signals/format_drift.py",
        "return span[0] <= day <= span[1]",
        "return day <= span[1]",
        "A file of the last weeks takes back all of the years before.",
        ("tests/signals/test_withdrawals.py::test_each_series_is_taken_back_within_its_own_days",),
    ),
    (
        "signals-unchanged-for-other-rows",
        "apps/reference/signals/clients/publishers.py",
        "last = last if last and last.asked == fingerprint else None",
        "last = last or None",
        "A new series of a file stays empty until its publisher changes the file.",
        (
            "tests/signals/test_fetching.py::test_what_is_wanted_otherwise_than_before_is_sent_again",
        ),
    ),
    (
        "signals-invented-as-sample",
        "apps/reference/signals/selectors/series_values.py",
        "invented = source == SAMPLE and name in names",
        "invented = False",
        "Invented figures are told as a publisher's.",
        ("tests/signals/test_sample.py::test_what_is_invented_says_so_wherever_it_goes",),
    ),
    (
        "signals-half-hours-become-hours",
        "apps/reference/signals/feed_upkeep.py",
        "feed.every <= now + DUE_EARLY_BY",
        "feed.every <= now",
        "What comes every half hour is asked for every forty minutes.",
        (
            "tests/signals/test_feed_upkeep.py::test_each_file_is_asked_for_as_often_as_its_row_says",
        ),
    ),
    (
        "signals-any-licence",
        "apps/reference/signals/clients/publishers.py",
        '("all" in named and not feed.opt_in)',
        '"all" in named',
        "Files are fetched that their licence forbids to store.",
        ("tests/signals/test_fetching.py::test_only_what_the_operator_may_and_wants_is_asked",),
    ),
    (
        "signals-forged-value-counts",
        "apps/reference/signals/row_macs.py",
        "        elif holds(row):\n",
        "        elif row:\n",
        "A row that somebody inserted is a figure of ours, signed and sold.",
        ("tests/signals/test_row_macs.py::test_a_forged_value_is_as_if_it_were_not_there",),
    ),
)
