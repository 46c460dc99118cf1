"""The paid reports: whose figures they tell, how long they serve, what level follows."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "reports-cache-forgets-the-institution",
        "apps/insight/reports/catalogue/subjects.py",
        'key=("month", period, account, payer)',
        'key=("month", period, payer)',
        "An institution's month is sold to whoever asks for the same month.",
        ("tests/reports/test_treasury.py::test_two_institutions_never_see_each_other",),
    ),
    (
        "reports-four-are-a-crowd",
        "apps/insight/reports/rules/payment_flows.py",
        "FEWEST_INSTITUTIONS = 5",
        "FEWEST_INSTITUTIONS = 4",
        "Figures of four institutions are told.",
        ("tests/reports/test_treasury.py::test_of_fewer_than_five_the_network_is_told_nothing",),
    ),
    (
        "reports-dominance-is-not-asked",
        "apps/insight/reports/rules/payment_flows.py",
        'MAX_INSTITUTION_SHARE = Decimal("0.5")',
        'MAX_INSTITUTION_SHARE = Decimal("0.9")',
        "A sum of which one institution has nearly all is told.",
        (
            "tests/reports/test_treasury.py::"
            "test_where_one_has_more_than_half_the_network_is_told_nothing",
        ),
    ),
    (
        "reports-sum-is-held-to-those-who-were-blocked",
        "apps/insight/reports/rules/payment_flows.py",
        'for counter in (self.of("settled"), self.usd, self.fees)',
        "for counter in (self.of(),)",
        "A sum of two institutions is told because three others were blocked.",
        (
            "tests/reports/test_payment_flows.py::"
            "test_a_sum_of_two_is_not_told_because_others_were_blocked",
        ),
    ),
    (
        "reports-running-month-is-told",
        "apps/insight/reports/catalogue/subjects.py",
        'payer = "" if account or now.date() >= until else _normalize_wallet(asked["payer"])',
        'payer = ""',
        "Of two readings of the running month the difference tells who moved between.",
        (
            "tests/reports/test_treasury.py::"
            "test_of_the_running_month_a_payer_is_told_what_left_their_wallet_and_settled",
        ),
    ),
    (
        "reports-cache-forgets-who-pays",
        "apps/insight/reports/catalogue/subjects.py",
        'key=("month", period, account, payer)',
        'key=("month", period, account)',
        "A wallet's running month is sold to whoever asks for the same month.",
        (
            "tests/reports/test_treasury.py::"
            "test_a_report_on_the_running_month_is_of_the_wallet_that_pays_alone",
        ),
    ),
    (
        "reports-month-has-a-day-more",
        "apps/insight/reports/parts/payment_flows.py",
        'f"{field}__lt": _start_of_day(asked, "until")',
        'f"{field}__lte": _start_of_day(asked, "until")',
        "A month tells the first moment of the next.",
        ("tests/reports/test_treasury.py::test_sums_are_of_the_month_alone",),
    ),
    (
        "reports-level-is-of-the-mildest",
        "apps/insight/reports/rules/findings.py",
        "return max((finding.level for finding in findings), key=rank_of_level",
        "return min((finding.level for finding in findings), key=rank_of_level",
        "The level of a report is that of its mildest finding.",
        ("tests/reports/test_compliance.py::test_a_listed_name_is_high_risk",),
    ),
    (
        "reports-serve-a-second-too-long",
        "apps/insight/reports/services/paid_reports.py",
        "last.recorded_at > now - REPORT_LIFETIME",
        "last.recorded_at >= now - REPORT_LIFETIME",
        "A report serves at 60 minutes too.",
        (
            "tests/reports/test_paid_reports.py::"
            "test_a_report_serves_for_an_hour_from_when_it_was_made",
        ),
    ),
    (
        "reports-forged-record-is-sold",
        "apps/insight/reports/services/paid_reports.py",
        'next(iter(filter_verified_records(rows.order_by("-edition")[:EDITION_LIMIT])), None)',
        'rows.order_by("-edition").first()',
        "A row that somebody put in stands in the way of reports that are paid for.",
        (
            "tests/reports/test_paid_reports.py::test_a_forged_edition_is_neither_sold_nor_in_the_way",
        ),
    ),
    (
        "reports-outlive-their-lists",
        "apps/insight/reports/catalogue/subjects.py",
        'key=("party", lei, name, *versions)',
        'key=("party", lei, name)',
        "A report on a party is sold from before a list had it.",
        (
            "tests/reports/test_compliance.py::"
            "test_a_report_does_not_outlive_the_lists_that_it_rests_on",
        ),
    ),
    (
        "reports-key-in-another-header-is-passed-over",
        "apps/access/keys/authentication.py",
        "for header_name in (*own, *others)",
        "for header_name in own",
        "Who sends an institution's key in X-API-Key pays for the network's month.",
        (
            "tests/reports/test_treasury.py::"
            "test_a_key_in_the_header_of_another_kind_buys_no_report_of_the_network",
        ),
    ),
    (
        "reports-sample-is-not-marked",
        "apps/insight/reports/rules/findings.py",
        "return [append_mark(sentence, mark) for sentence in sentences]",
        "return found",
        "A sentence on made-up figures reads like one on the world.",
        ("tests/reports/test_sample_marks.py",),
    ),
    (
        "reports-signature-of-another-body",
        "apps/insight/reports/signatures.py",
        "signed = sign_detached(canonicalize_json(body), typ=JWS_TYPE)",
        'signed = sign_detached(canonicalize_json(body["data"]), typ=JWS_TYPE)',
        "A report can be altered beside its data, and its signature still holds.",
        (
            "tests/reports/test_report_signatures.py::"
            "test_a_report_is_signed_by_a_published_key_however_often_it_is_told",
        ),
    ),
    (
        "reports-named-like-the-listed-is-clear",
        "apps/insight/reports/rules/compliance.py",
        "if score < partial and _were_names_compared(data):",
        "if _were_names_compared(data):",
        "A party that is named like a listed one is reported as clear.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-few-blocked-are-many",
        "apps/insight/reports/rules/treasury.py",
        "blocked is not None and FREQUENT_BLOCKS.holds(",
        "blocked is not None and not FREQUENT_BLOCKS.holds(",
        "A month with few blocked payments is reported as one with many.",
        (
            "tests/reports/test_findings.py::"
            "test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it",
        ),
    ),
    (
        "reports-high-confidence-is-low",
        "apps/insight/reports/rules/macro.py",
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
        "apps/insight/reports/rules/climate.py",
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
        "apps/insight/reports/parts/payment_flows.py",
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
        "apps/insight/reports/parts/payment_flows.py",
        "        rows = rows.filter(owner__in=list_owners_for_tenant(owner))\n",
        "        rows = rows.exclude(owner__in=list_owners_for_tenant(owner))\n",
        "An institution is told how many flags of others a model turned.",
        (
            "tests/reports/test_treasury.py::"
            "test_an_institution_is_told_how_many_of_its_own_flags_a_model_turned",
        ),
    ),
    (
        "reports-part-that-refuses-is-left-out",
        "apps/insight/reports/services/paid_reports.py",
        "if part.required or error.status != UNAVAILABLE_STATUS:",
        "if part.required:",
        "A report is sold without a part that refused, as if its data were not there.",
        (
            "tests/reports/test_paid_reports.py::"
            "test_a_part_that_refuses_makes_no_report_and_no_charge_required_or_not",
        ),
    ),
)
