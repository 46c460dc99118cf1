"""The commodity forecasts: lights, seasons, books, base rates, and when outlooks are scored."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "forecast-light-beyond-its-bound",
        "apps/forecast/rules/status.py",
        "if score >= one.least",
        "if score > one.least",
        "A market at the bound of a light has the milder one.",
        ("tests/forecast/test_method.py::test_lights_begin_at_their_bounds",),
    ),
    (
        "forecast-season-does-not-count",
        "apps/forecast/computing.py",
        "one.weight * one.season * (one.score or NOTHING)",
        "one.weight * (one.score or NOTHING)",
        "Weather out of season counts as that which decides the harvest.",
        ("tests/forecast/test_method.py::test_weather_out_of_season_counts_less",),
    ),
    (
        "forecast-frost-is-heat",
        "apps/forecast/strains.py",
        "component == HEAT and is_cold([one], month)",
        "component == HEAT and not is_cold([one], month)",
        "In months of frost warmth is a strain, in all others cold.",
        ("tests/forecast/test_method.py::test_cold_counts_in_months_of_frost_and_heat_does_not",),
    ),
    (
        "forecast-plain-position-is-of-any-size",
        "apps/forecast/serializers/asked.py",
        "or not -LARGEST <= size <= LARGEST:",
        "or size < -LARGEST:",
        "A position that is read at once may be larger than the document says.",
        ("tests/forecast/test_positions.py",),
    ),
    (
        "forecast-short-is-added-to-long",
        "apps/forecast/rules/book.py",
        "found.get(one.symbol, NOTHING) + one.notional",
        "found.get(one.symbol, NOTHING) + abs(one.notional)",
        "A short position of a market is added to the long one instead of netted.",
        ("tests/forecast/test_books.py::test_a_score_is_weighted_by_net_notional_whichever_side",),
    ),
    (
        "forecast-short-lowers-the-score",
        "apps/forecast/rules/book.py",
        "adds = [abs(one) * scores[name] / whole",
        "adds = [one * scores[name] / whole",
        "A short position lowers the risk score of a book.",
        ("tests/forecast/test_books.py::test_a_score_is_weighted_by_net_notional_whichever_side",),
    ),
    (
        "forecast-first-month-is-the-worst",
        "apps/forecast/rules/book.py",
        "if made < best.usd:",
        "if made < best.usd and not best.month:",
        "The first month that loses is told as the worst.",
        ("tests/forecast/test_books.py::test_a_loss_is_the_worst_month_of_all_markets_together",),
    ),
    (
        "forecast-base-rate-of-one-year-less",
        "apps/forecast/projecting.py",
        "row.last - row.first + 1, f",
        "row.last - row.first, f",
        "A scenario is told as likelier than its years say.",
        ("tests/forecast/test_books.py::test_a_scenario_tells_its_past",),
    ),
    (
        "forecast-outlook-is-scored-on-its-day",
        "apps/forecast/keeping.py",
        "due__lt=now.date()",
        "due__lte=now.date()",
        "An outlook is scored before its day is over.",
        ("tests/forecast/test_ledger.py::test_an_outlook_waits_until_its_day_is_over",),
    ),
    (
        "forecast-outlook-is-scored-by-later-figures",
        "apps/forecast/keeping.py",
        "datetime.combine(day + DAY, time(), UTC)",
        "datetime.combine(day + 400 * DAY, time(), UTC)",
        "An outlook is scored by a price that came out after its day.",
        (
            "tests/forecast/test_ledger.py::"
            "test_a_price_that_came_out_after_the_day_counts_for_nothing",
        ),
    ),
    (
        "forecast-altered-run-is-served",
        "apps/forecast/running.py",
        "found = next(iter(proven(rows)), None)",
        "found = next(iter(rows), None)",
        "A run that was altered in the database is answered.",
        ("tests/forecast/test_ledger.py::test_an_altered_run_is_not_served",),
    ),
)
