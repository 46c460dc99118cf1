"""The commodity forecasts: lights, seasons, books, base rates, and when outlooks are scored."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "forecast-light-beyond-its-bound",
        "apps/insight/forecast/rules/lights_and_outlooks.py",
        "if score >= risk_light.least",
        "if score > risk_light.least",
        "A market at the bound of a light has the milder one.",
        ("tests/forecast/test_method.py::test_lights_begin_at_their_bounds",),
    ),
    (
        "forecast-season-does-not-count",
        "apps/insight/forecast/computation.py",
        "component_strain.weight * component_strain.season * (component_strain.score or NOTHING)",
        "component_strain.weight * (component_strain.score or NOTHING)",
        "Weather out of season counts as that which decides the harvest.",
        ("tests/forecast/test_method.py::test_weather_out_of_season_counts_less",),
    ),
    (
        "forecast-frost-is-heat",
        "apps/insight/forecast/component_strains.py",
        "component == HEAT and is_frost_month([region_growth], month)",
        "component == HEAT and not is_frost_month([region_growth], month)",
        "In months of frost warmth is a strain, in all others cold.",
        ("tests/forecast/test_method.py::test_cold_counts_in_months_of_frost_and_heat_does_not",),
    ),
    (
        "forecast-plain-position-is-of-any-size",
        "apps/insight/forecast/serializers/requests.py",
        "or not -LARGEST <= size <= LARGEST:",
        "or size < -LARGEST:",
        "A position that is read at once may be larger than the document says.",
        ("tests/forecast/test_position_parsing.py",),
    ),
    (
        "forecast-short-is-added-to-long",
        "apps/insight/forecast/rules/book_risk.py",
        "net_by_symbol.get(position.symbol, NOTHING) + position.notional",
        "net_by_symbol.get(position.symbol, NOTHING) + abs(position.notional)",
        "A short position of a market is added to the long one instead of netted.",
        (
            "tests/forecast/test_position_books.py::test_a_score_is_weighted_by_net_notional_whichever_side",
        ),
    ),
    (
        "forecast-short-lowers-the-score",
        "apps/insight/forecast/rules/book_risk.py",
        "adds = [abs(net) * scores[name] / whole",
        "adds = [net * scores[name] / whole",
        "A short position lowers the risk score of a book.",
        (
            "tests/forecast/test_position_books.py::test_a_score_is_weighted_by_net_notional_whichever_side",
        ),
    ),
    (
        "forecast-first-month-is-the-worst",
        "apps/insight/forecast/rules/book_risk.py",
        "if sum_of_moves < best.usd:",
        "if sum_of_moves < best.usd and not best.month:",
        "The first month that loses is told as the worst.",
        (
            "tests/forecast/test_position_books.py::test_a_loss_is_the_worst_month_of_all_markets_together",
        ),
    ),
    (
        "forecast-base-rate-of-one-year-less",
        "apps/insight/forecast/scenario_projection.py",
        "row.last - row.first + 1, f",
        "row.last - row.first, f",
        "A scenario is told as likelier than its years say.",
        ("tests/forecast/test_position_books.py::test_a_scenario_tells_its_past",),
    ),
    (
        "forecast-outlook-is-scored-on-its-day",
        "apps/insight/forecast/services/outlook_records.py",
        "due__lt=now.date()",
        "due__lte=now.date()",
        "An outlook is scored before its day is over.",
        ("tests/forecast/test_run_ledger.py::test_an_outlook_waits_until_its_day_is_over",),
    ),
    (
        "forecast-outlook-is-scored-by-later-figures",
        "apps/insight/forecast/services/outlook_records.py",
        "start_of_day(day + DAY)",
        "start_of_day(day + 400 * DAY)",
        "An outlook is scored by a price that came out after its day.",
        (
            "tests/forecast/test_run_ledger.py::"
            "test_a_price_that_came_out_after_the_day_counts_for_nothing",
        ),
    ),
    (
        "forecast-altered-run-is-served",
        "apps/insight/forecast/services/hourly_run.py",
        "forecast_run = next(iter(filter_verified_records(rows)), None)",
        "forecast_run = next(iter(rows), None)",
        "A run that was altered in the database is answered.",
        ("tests/forecast/test_run_ledger.py::test_an_altered_run_is_not_served",),
    ),
    (
        "forecast-six-disasters-are-moderate",
        "apps/insight/forecast/rules/crop_risk_calendar.py",
        "if disasters < bound), HIGH)",
        "if disasters <= bound), HIGH)",
        "A month of six disasters counts as moderate.",
        ("tests/forecast/test_method.py::test_severity_begins_at_its_bounds",),
    ),
    (
        "forecast-late-after-days",
        "apps/insight/forecast/health.py",
        "LATE = timedelta(hours=3)",
        "LATE = timedelta(days=3)",
        "Forecasts that stopped two days ago count as healthy.",
        ("tests/forecast/test_run_ledger.py::test_health_looks_at_the_last_run",),
    ),
    (
        "forecast-price-of-the-sixtieth-day",
        "apps/insight/forecast/services/outlook_records.py",
        "point.day - since < outlook_outcomes.NEWER",
        "point.day - since <= outlook_outcomes.NEWER",
        "A price of exactly 60 days later does not say what came.",
        ("tests/forecast/test_run_ledger.py::test_a_price_of_sixty_days_later_says_what_came",),
    ),
)
