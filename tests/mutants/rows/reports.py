"""The paid reports: whose figures they tell, how long they serve, what level follows."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "reports-cache-forgets-the-institution",
        "apps/reports/catalogue/about.py",
        'key=("month", period, account)',
        'key=("month", period)',
        "An institution's month is sold to whoever asks for the same month.",
        ("tests/reports/test_treasury.py::test_two_institutions_never_see_each_other",),
    ),
    (
        "reports-four-are-a-crowd",
        "apps/reports/rules/moving.py",
        "FEWEST = 5",
        "FEWEST = 4",
        "Figures of four institutions are told.",
        ("tests/reports/test_treasury.py::test_of_fewer_than_five_the_network_is_told_nothing",),
    ),
    (
        "reports-dominance-is-not-asked",
        "apps/reports/rules/moving.py",
        'DOMINANT = Decimal("0.5")',
        'DOMINANT = Decimal("0.9")',
        "A sum of which one institution has nearly all is told.",
        (
            "tests/reports/test_treasury.py::"
            "test_where_one_has_more_than_half_the_network_is_told_nothing",
        ),
    ),
    (
        "reports-sum-is-held-to-those-who-were-blocked",
        "apps/reports/rules/moving.py",
        'for one in (self.of("settled"), self.usd, self.fees)',
        "for one in (self.of(),)",
        "A sum of two institutions is told because three others were blocked.",
        (
            "tests/reports/test_moving.py::"
            "test_a_sum_of_two_is_not_told_because_others_were_blocked",
        ),
    ),
    (
        "reports-running-month-is-told",
        "apps/reports/parts/flows.py",
        'return now < _day(asked, "until")',
        "return False",
        "Of two readings of the running month the difference tells who moved between.",
        ("tests/reports/test_treasury.py::test_of_the_running_month_the_network_is_told_nothing",),
    ),
    (
        "reports-month-has-a-day-more",
        "apps/reports/parts/flows.py",
        'f"{field}__lt": _day(asked, "until")',
        'f"{field}__lte": _day(asked, "until")',
        "A month tells the first moment of the next.",
        ("tests/reports/test_treasury.py::test_sums_are_of_the_month_alone",),
    ),
    (
        "reports-level-is-of-the-mildest",
        "apps/reports/rules/findings.py",
        "return max((one.level for one in found), key=gravity",
        "return min((one.level for one in found), key=gravity",
        "The level of a report is that of its mildest finding.",
        ("tests/reports/test_compliance.py::test_a_listed_name_is_high_risk",),
    ),
    (
        "reports-serve-a-second-too-long",
        "apps/reports/answering.py",
        "last.recorded_at > now - LASTS",
        "last.recorded_at >= now - LASTS",
        "A report serves at 60 minutes too.",
        (
            "tests/reports/test_answering.py::"
            "test_a_report_serves_for_an_hour_from_when_it_was_made",
        ),
    ),
    (
        "reports-forged-record-is-sold",
        "apps/reports/answering.py",
        'next(iter(proven(rows.order_by("-edition")[:SOME])), None)',
        'rows.order_by("-edition").first()',
        "A row that somebody put in stands in the way of reports that are paid for.",
        ("tests/reports/test_answering.py::test_a_forged_edition_is_neither_sold_nor_in_the_way",),
    ),
    (
        "reports-outlive-their-lists",
        "apps/reports/catalogue/about.py",
        'key=("party", lei, name, *held)',
        'key=("party", lei, name)',
        "A report on a party is sold from before a list had it.",
        (
            "tests/reports/test_compliance.py::"
            "test_a_report_does_not_outlive_the_lists_that_it_rests_on",
        ),
    ),
    (
        "reports-key-in-another-header-is-passed-over",
        "apps/access/gates.py",
        "for one in (*own, *others) if",
        "for one in own if",
        "Who sends an institution's key in X-API-Key pays for the network's month.",
        (
            "tests/reports/test_treasury.py::"
            "test_a_key_in_the_header_of_another_kind_buys_no_report_of_the_network",
        ),
    ),
    (
        "reports-sample-is-not-marked",
        "apps/reports/rules/findings.py",
        "return [marked(sentence, mark) for sentence in found]",
        "return found",
        "A sentence on made-up figures reads like one on the world.",
        ("tests/reports/test_marks.py",),
    ),
    (
        "reports-signature-of-another-body",
        "apps/reports/proving.py",
        "signed = detached(form(body), typ=TYPE)",
        'signed = detached(form(body["data"]), typ=TYPE)',
        "A report can be altered beside its data, and its signature still holds.",
        (
            "tests/reports/test_proving.py::"
            "test_a_report_is_signed_by_a_published_key_however_often_it_is_told",
        ),
    ),
    (
        "reports-named-like-the-listed-is-clear",
        "apps/reports/rules/compliance.py",
        "if score < partial:",
        "if score >= partial:",
        "A party that is named like a listed one is reported as clear.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-few-blocked-are-many",
        "apps/reports/rules/treasury.py",
        "blocked is not None and BLOCKED.holds(",
        "blocked is not None and not BLOCKED.holds(",
        "A month with few blocked payments is reported as one with many.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-high-confidence-is-low",
        "apps/reports/rules/macro.py",
        "Bounds(below=LOW_CONFIDENCE)",
        "Bounds(least=LOW_CONFIDENCE)",
        "A sure score of stability is reported as unsure.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-wet-zone-dried",
        "apps/reports/rules/climate.py",
        "Bounds(most=SEVERE)",
        "Bounds(least=SEVERE)",
        "Zones that did not dry are reported as dried.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-first-moment-of-the-next-month-settles",
        "apps/reports/parts/flows.py",
        "last >= closed:",
        "last > closed:",
        "What settled in the first moment of the next month counts as settled in this one.",
        (
            "tests/reports/test_treasury.py::"
            "test_what_settles_after_its_month_changes_nothing_of_what_the_network_is_told",
        ),
    ),
    (
        "reports-turned-flags-of-another-institution",
        "apps/reports/parts/flows.py",
        "        rows = rows.filter(owner__in=made_for(owner))\n",
        "        rows = rows.exclude(owner__in=made_for(owner))\n",
        "An institution is told how many flags of others a model turned.",
        (
            "tests/reports/test_treasury.py::"
            "test_an_institution_is_told_how_many_of_its_own_flags_a_model_turned",
        ),
    ),
)
