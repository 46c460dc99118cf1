"""Rates of exchange."""

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
)
