"""The intelligence service: how long an answer serves, and what is sold of an altered one."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "intelligence-altered-answer-is-sold",
        "apps/intelligence/answering.py",
        "    found = next(iter(proven(there)), None)",
        "    found = there[0] if there else None",
        "An answer that was altered in the database is sold.",
        ("tests/intelligence/test_answering.py::test_an_altered_answer_is_never_sold",),
    ),
    (
        "intelligence-hit-is-told-as-fresh",
        "apps/intelligence/answering.py",
        '{"cacheHit": not answer.fresh}',
        '{"cacheHit": answer.fresh}',
        "An answer out of the cache says that it was computed now.",
        (
            "tests/intelligence/test_answering.py::"
            "test_a_second_call_of_the_hour_comes_from_the_cache_and_says_so",
        ),
    ),
    (
        "intelligence-forged-results-count",
        "apps/intelligence/regimes/proving.py",
        "for one in proven(rows)",
        "for one in rows",
        "Rows that somebody inserted are sold as our accuracy.",
        ("tests/intelligence/test_unproved.py::test_forged_results_are_no_part_of_our_accuracy",),
    ),
    (
        "intelligence-call-is-scored-by-later-figures",
        "apps/intelligence/daily/calls.py",
        "day + WAIT + DAY",
        "day + 100 * WAIT",
        "A call is scored by what became known long after it.",
        (
            "tests/intelligence/test_called.py::"
            "test_what_is_read_after_the_two_weeks_decides_nothing",
        ),
    ),
    (
        "intelligence-forged-outcome-keeps-the-true-one-out",
        "apps/intelligence/regimes/keeping.py",
        "        if proven(one.outcomes.all()):",
        "        if one.outcomes.exists():",
        "Whoever inserts an outcome decides how a prediction is scored.",
        (
            "tests/intelligence/test_unproved.py::"
            "test_a_forged_outcome_does_not_keep_the_true_one_from_being_written",
        ),
    ),
    (
        "intelligence-recalibration-looks-ahead",
        "apps/intelligence/regimes/recalibrated.py",
        "proving.records(Recalibration, now, _told)",
        "proving.records(Recalibration, now.replace(year=9000), _told)",
        "An answer of the past is moved by what came later.",
        ("tests/intelligence/test_recalibration.py::test_it_never_looks_ahead",),
    ),
    (
        "intelligence-recalibration-of-a-handful",
        "apps/intelligence/rules/recalibration.py",
        "    if spans >= LEAST:",
        "    if spans:",
        "A handful of cases moves every prediction after them.",
        (
            "tests/intelligence/test_recalibration.py::test_six_cases_apart_are_needed",
            "tests/intelligence/test_recalibration.py::test_days_that_overlap_are_few_cases",
        ),
    ),
    (
        "intelligence-institution-loses-as-its-country",
        "apps/intelligence/methods/contagion.py",
        'loss * of["country_share"] if of else loss',
        "loss",
        "A loss of one bank is told as one of its whole country.",
        ("tests/intelligence/test_contagion_institution.py",),
    ),
    (
        "intelligence-silence-calms-a-web",
        "apps/intelligence/methods/lapsing.py",
        "    for kept in _choices(lapsed):",
        "    for kept in [()]:",
        "A web is calmer because a publisher of one of its nodes fell silent.",
        (
            "tests/intelligence/test_missing.py::"
            "test_a_publisher_that_falls_silent_lowers_no_score_and_raises_no_coverage",
        ),
    ),
    (
        "intelligence-silence-ends-a-cascade",
        "apps/intelligence/methods/cascade.py",
        "_cascades(known.ageless, ",
        "_cascades(known, ",
        "A cascade is over because a publisher of one of its signals fell silent.",
        ("tests/intelligence/test_silence.py",),
    ),
    (
        "intelligence-silence-ends-a-drought",
        "apps/intelligence/methods/climate.py",
        "one if one.word in zones.AT_RISK or known.point(one.zone.series) else",
        "one if known.point(one.zone.series) else",
        "A zone is at risk no more because nobody tells of its rain.",
        ("tests/intelligence/test_silence.py",),
    ),
    (
        "intelligence-silence-ends-heat",
        "apps/intelligence/methods/climate_pulse.py",
        "    last = [_weather(then, region) for region in REGIONS]",
        "    last = [_weather(known, region) for region in REGIONS]",
        "A region is hot no more because nobody tells of its heat.",
        ("tests/intelligence/test_silence.py",),
    ),
    (
        "intelligence-silence-ends-pressure",
        "apps/intelligence/methods/currency_stress.py",
        "then.change_pct(series, MONTH)",
        "known.change_pct(series, MONTH)",
        "A currency is under pressure no more because nobody tells of its rate.",
        ("tests/intelligence/test_silence.py",),
    ),
    (
        "intelligence-silence-ends-an-origin",
        "apps/intelligence/methods/instability.py",
        "    origins = _origins(then, ",
        "    origins = _origins(known, ",
        "A country is an origin no more because nobody tells of its signals.",
        ("tests/intelligence/test_silence.py",),
    ),
    (
        "intelligence-answer-about-another-subject",
        "apps/intelligence/answering.py",
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
        "apps/intelligence/daily/calls.py",
        "round(MILLION * calls.brier(said, came))",
        "round(1000 * calls.brier(said, came))",
        "The error of calls is told a thousand times too small.",
        (
            "tests/intelligence/test_called.py::"
            "test_a_call_is_scored_beside_the_base_rates_that_it_told",
        ),
    ),
    (
        "intelligence-call-is-not-scored-on-its-last-day",
        "apps/intelligence/daily/calls.py",
        "day <= one[0] <= day + calls.SLACK",
        "day <= one[0] < day + calls.SLACK",
        "A score that comes on the fourth day after counts as unknown.",
        ("tests/intelligence/test_called.py::test_a_value_five_days_late_decides_nothing",),
    ),
    (
        "intelligence-feed-is-over-at-its-beginning",
        "apps/intelligence/feeds/serving.py",
        "(kept.slot + 1) * HOUR - epoch(now)",
        "kept.slot * HOUR - epoch(now)",
        "A number of a feed says that its hour is over.",
        ("tests/intelligence/test_feeds.py::test_caches_keep_it_until_the_hour_is_over",),
    ),
    (
        "intelligence-answer-of-another-method",
        "apps/intelligence/answering.py",
        "slot=slot, version=product.version\n",
        "slot=slot\n",
        "An answer that an older method made is sold after a change of it.",
        (
            "tests/intelligence/test_answering.py::"
            "test_an_answer_serves_its_own_slot_and_method_alone",
        ),
    ),
)
