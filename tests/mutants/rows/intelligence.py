"""The intelligence service: how long an answer serves, and what is sold of an altered one."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "intelligence-altered-answer-is-sold",
        "apps/insight/intelligence/services/paid_answers.py",
        "    intelligence_answer = next(iter(filter_verified_records(there)), None)",
        "    intelligence_answer = there[0] if there else None",
        "An answer that was altered in the database is sold.",
        ("tests/intelligence/test_paid_answers.py::test_an_altered_answer_is_never_sold",),
    ),
    (
        "intelligence-hit-is-told-as-fresh",
        "apps/insight/intelligence/services/paid_answers.py",
        '{"cacheHit": not answer.fresh}',
        '{"cacheHit": answer.fresh}',
        "An answer out of the cache says that it was computed now.",
        (
            "tests/intelligence/test_paid_answers.py::"
            "test_a_second_call_of_the_hour_comes_from_the_cache_and_says_so",
        ),
    ),
    (
        "intelligence-forged-results-count",
        "apps/insight/intelligence/regimes/verified_records.py",
        "for row in filter_verified_records(rows)",
        "for row in rows",
        "Rows that somebody inserted are sold as our accuracy.",
        (
            "tests/intelligence/test_foreign_rows.py::test_forged_results_are_no_part_of_our_accuracy",
        ),
    ),
    (
        "intelligence-call-is-scored-by-later-figures",
        "apps/insight/intelligence/services/resolve_calls.py",
        "day + RESOLUTION_DELAY + DAY",
        "day + 100 * RESOLUTION_DELAY",
        "A call is scored by what became known long after it.",
        (
            "tests/intelligence/test_call_outcomes.py::"
            "test_what_is_read_after_the_two_weeks_decides_nothing",
        ),
    ),
    (
        "intelligence-forged-outcome-keeps-the-true-one-out",
        "apps/insight/intelligence/regimes/predictions.py",
        "        if filter_verified_records(regime_prediction.outcomes.all()):",
        "        if regime_prediction.outcomes.exists():",
        "Whoever inserts an outcome decides how a prediction is scored.",
        (
            "tests/intelligence/test_foreign_rows.py::"
            "test_a_forged_outcome_does_not_keep_the_true_one_from_being_written",
        ),
    ),
    (
        "intelligence-recalibration-looks-ahead",
        "apps/insight/intelligence/regimes/active_recalibration.py",
        (
            "verified_records.load_verified_records(\n"
            "        Recalibration, now, _extract_edition\n"
            "    )"
        ),
        (
            "verified_records.load_verified_records(Recalibration, now.replace(year=9000), "
            "_extract_edition)"
        ),
        "An answer of the past is moved by what came later.",
        ("tests/intelligence/test_recalibration.py::test_it_never_looks_ahead",),
    ),
    (
        "intelligence-recalibration-of-a-handful",
        "apps/insight/intelligence/rules/recalibration.py",
        "    if spans >= LEAST_SEPARATE_CASES:",
        "    if spans:",
        "A handful of cases moves every prediction after them.",
        (
            "tests/intelligence/test_recalibration.py::test_six_cases_apart_are_needed",
            "tests/intelligence/test_recalibration.py::test_days_that_overlap_are_few_cases",
        ),
    ),
    (
        "intelligence-institution-loses-as-its-country",
        "apps/insight/intelligence/methods/contagion.py",
        'loss * of["country_share"] if of else loss',
        "loss",
        "A loss of one bank is told as one of its whole country.",
        ("tests/intelligence/test_contagion_institution.py",),
    ),
    (
        "intelligence-silence-calms-a-web",
        "apps/insight/intelligence/methods/stale_inputs.py",
        "    for held_choice in _iterate_held_choices(lapsed):",
        "    for held_choice in [()]:",
        "A web is calmer because a publisher of one of its nodes fell silent.",
        (
            "tests/intelligence/test_missing_inputs.py::"
            "test_a_publisher_that_falls_silent_lowers_no_score_and_raises_no_coverage",
        ),
    ),
    (
        "intelligence-silence-ends-a-cascade",
        "apps/insight/intelligence/methods/cascade.py",
        "_find_cascades(\n        known.ageless,",
        "_find_cascades(known, ",
        "A cascade is over because a publisher of one of its signals fell silent.",
        ("tests/intelligence/test_silent_publishers.py",),
    ),
    (
        "intelligence-silence-ends-a-drought",
        "apps/insight/intelligence/methods/climate.py",
        (
            "rain\n"
            "        if rain.word in farming_zones.AT_RISK or known.point(rain.zone.series)\n"
            "        else"
        ),
        "rain if known.point(rain.zone.series) else",
        "A zone is at risk no more because nobody tells of its rain.",
        ("tests/intelligence/test_silent_publishers.py",),
    ),
    (
        "intelligence-silence-ends-heat",
        "apps/insight/intelligence/methods/climate_pulse.py",
        "    last = [_measure_weather(then, region) for region in REGIONS]",
        "    last = [_measure_weather(known, region) for region in REGIONS]",
        "A region is hot no more because nobody tells of its heat.",
        ("tests/intelligence/test_silent_publishers.py",),
    ),
    (
        "intelligence-silence-ends-pressure",
        "apps/insight/intelligence/methods/currency_stress.py",
        "then.change_pct(series, MONTH)",
        "known.change_pct(series, MONTH)",
        "A currency is under pressure no more because nobody tells of its rate.",
        ("tests/intelligence/test_silent_publishers.py",),
    ),
    (
        "intelligence-silence-ends-an-origin",
        "apps/insight/intelligence/methods/instability.py",
        "    origins = _find_origins(then, ",
        "    origins = _find_origins(known, ",
        "A country is an origin no more because nobody tells of its signals.",
        ("tests/intelligence/test_silent_publishers.py",),
    ),
    (
        "intelligence-answer-about-another-subject",
        "apps/insight/intelligence/services/paid_answers.py",
        "product=product.name, subject=subject, slot=slot,",
        "product=product.name, slot=slot,",
        "Who asks about one entity is told the kept answer about another.",
        (
            "tests/intelligence/test_entity_esg.py::"
            "test_an_answer_of_one_entity_is_not_that_of_another",
        ),
    ),
    (
        "intelligence-error-of-calls-in-thousandths",
        "apps/insight/intelligence/services/resolve_calls.py",
        "round(MILLION * calls_48h.brier_score(call_chances, came))",
        "round(1000 * calls_48h.brier_score(call_chances, came))",
        "The error of calls is told a thousand times too small.",
        (
            "tests/intelligence/test_call_outcomes.py::"
            "test_a_call_is_scored_beside_the_base_rates_that_it_told",
        ),
    ),
    (
        "intelligence-call-is-not-scored-on-its-last-day",
        "apps/insight/intelligence/services/resolve_calls.py",
        "day <= entry[0] <= day + calls_48h.MAX_DELAY",
        "day <= entry[0] < day + calls_48h.MAX_DELAY",
        "A score that comes on the fourth day after counts as unknown.",
        ("tests/intelligence/test_call_outcomes.py::test_a_value_five_days_late_decides_nothing",),
    ),
    (
        "intelligence-feed-is-over-at-its-beginning",
        "apps/insight/intelligence/feeds/hourly_answers.py",
        "(hourly_answer.slot + 1) * HOUR - to_epoch_seconds(now)",
        "hourly_answer.slot * HOUR - to_epoch_seconds(now)",
        "A number of a feed says that its hour is over.",
        ("tests/intelligence/test_feeds.py::test_caches_keep_it_until_the_hour_is_over",),
    ),
    (
        "intelligence-answer-of-another-method",
        "apps/insight/intelligence/services/paid_answers.py",
        "slot=slot, version=product.version\n",
        "slot=slot\n",
        "An answer that an older method made is sold after a change of it.",
        (
            "tests/intelligence/test_paid_answers.py::"
            "test_an_answer_serves_its_own_slot_and_method_alone",
        ),
    ),
    (
        "intelligence-oldest-edition-without-its-change",
        "apps/insight/intelligence/graph_editions.py",
        'order_by("-number")[: count + 1]',
        'order_by("-number")[:count]',
        "The oldest edition of the list does not say what changed.",
        (
            "tests/intelligence/test_graph_editions.py::"
            "test_the_oldest_edition_of_a_list_says_what_changed_since_one_that_is_not_in_it",
        ),
    ),
)
