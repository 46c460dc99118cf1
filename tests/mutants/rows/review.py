"""Cases: who decides, with whom, on what."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "review-confirmed-for-another-reason",
        "apps/backoffice/review/services/case_decisions.py",
        "if reason_code != _load_proposed_reason_code(case):",
        "if not reason_code:",
        "A match that one officer found is confirmed away by the next, and no matter is opened.",
        (
            "tests/review/test_sar_referrals.py"
            "::test_a_match_that_one_officer_found_is_not_confirmed_away",
        ),
    ),
    (
        "review-known-false-positive-of-one-person",
        "apps/backoffice/review/services/known_false_positive_decisions.py",
        "if first == by.pk:",
        "if first == 0:",
        "Who proposed a known false positive puts it into force; the database alone refuses.",
        (
            "tests/review/test_known_steps.py"
            "::test_the_proposer_cannot_approve_it_and_another_senior_can",
        ),
    ),
    (
        "review-known-false-positive-of-another-pair",
        "apps/backoffice/review/known_false_positive_integrity.py",
        "if known.pair != compute_pair_digest(**whose):",
        "if not known.pair:",
        "By an altered pair two known false positives of one party may stand at once.",
        (
            "tests/review/test_known_steps.py"
            "::test_what_was_not_recorded_is_found_and_not_decided_on",
        ),
    ),
    (
        "review-known-false-positive-holds-too-long",
        "apps/backoffice/review/rules/known_false_positives.py",
        "if until > get_latest_expiry(today):",
        "if until > get_latest_expiry(get_latest_expiry(today)):",
        "A known false positive holds for more than two years.",
        ("tests/review/test_known_rules.py::test_it_holds_at_least_a_day_and_at_most_two_years",),
    ),
    (
        "review-known-false-positive-sleeps-on",
        "apps/backoffice/review/rules/known_false_positives.py",
        'return "CHANGED" if now != then else ""',
        'return ""',
        "A known false positive holds on though the listed entry is another.",
        (
            "tests/review/test_known_rules.py::test_an_entry_that_changed_or_left_wakes_it",
            "tests/review/test_known_waking.py::test_one_in_force_wakes_and_says_why",
        ),
    ),
    (
        "review-known-false-positive-of-another-client",
        "apps/backoffice/review/selectors/known_false_positives.py",
        "return Q(owner=case.owner) & named",
        "return named",
        "What one client's party is known not to be is told on another client's case.",
        (
            "tests/review/test_known_on_cases.py"
            "::test_it_is_told_of_this_client_this_party_and_this_listed_one_alone",
        ),
    ),
    (
        "review-foreign-amounts-are-dollars",
        "apps/backoffice/review/services/case_creation.py",
        'if known is None and self.currency == "USD":',
        "if known is None:",
        "A large amount without a rate needs one officer only.",
        (
            "tests/review/test_case_services.py"
            "::test_an_amount_that_nobody_converted_is_no_amount_in_dollars",
        ),
    ),
    (
        "review-first-officer-confirms",
        "apps/backoffice/review/services/claims.py",
        "if case.first_by_id == by.pk and case.status == Status.AWAITING_SECOND:",
        "if case.first_by_id == by.pk and case.status == Status.OPEN:",
        "The officer who proposed is not told that another must confirm.",
        ("tests/review/test_case_services.py::test_a_senior_does_not_confirm_their_own_decision",),
    ),
    (
        "review-confirms-what-was-not-seen",
        "apps/backoffice/review/services/case_decisions.py",
        (
            "_select_awaiting_case(case, by, now).filter(\n"
            "        first_outcome=outcome, first_at=case.first_at\n"
            "    )"
        ),
        "_select_awaiting_case(case, by, now)",
        "A second officer confirms another proposal than the one on the page.",
        (
            "tests/review/test_case_services.py"
            "::test_a_second_officer_cannot_confirm_what_changed_since_they_read_it",
        ),
    ),
    (
        "review-one-officer-clears-many",
        "apps/backoffice/review/services/case_decisions.py",
        "second = case.needs_second or bulk is not None",
        "second = case.needs_second",
        "One officer alone clears all cases of a listed party.",
        (
            "tests/review/test_duplicates_and_bulk.py"
            "::test_clearing_in_bulk_takes_a_second_officer_whatever_the_risk",
        ),
    ),
    (
        "review-altered-facts-decided-on",
        "apps/backoffice/review/services/decision_checks.py",
        'if opened.data.get("digest") != digest:',
        'if opened.data.get("digest") == "":',
        "A case whose facts were changed in the database is decided.",
        ("tests/review/test_case_services.py::test_altered_facts_cannot_be_decided_on",),
    ),
    (
        "review-claims-never-end",
        "apps/backoffice/review/models/queue_queries.py",
        "Q(claimed_by=None) | Q(claimed_by=user) | Q(claimed_until__lte=now)",
        "Q(claimed_by=None) | Q(claimed_by=user)",
        "A case that somebody left open for the night is nobody's any more.",
        (
            "tests/review/test_case_services.py::test_a_claim_holds_for_thirty_minutes_and_then_lets_go",
        ),
    ),
    (
        "review-decision-on-another-record",
        "apps/backoffice/review/selectors/resolutions.py",
        'if event.data.get("digest") in (None, event.case.facts_digest()):',
        'if event.data.get("digest") != "":',
        "A decided case that is given another record's id releases that record.",
        (
            "tests/screening/test_forged_screens.py"
            "::test_a_decision_on_one_screen_cannot_be_given_to_another",
        ),
    ),
    (
        "review-clears-different-parties",
        "apps/backoffice/review/rules/bulk_and_merge.py",
        "len({(case.kind, case.entity) for case in cases}) > 1",
        "len({case.kind for case in cases}) > 1",
        "Cases of different listed parties are cleared with one sentence.",
        ("tests/review/test_rules.py",),
    ),
    (
        "review-unticked-is-confirmed",
        "apps/backoffice/review/services/bulk_cases.py",
        "        if case.pk in returned:\n",
        "        if case.pk in returned and not note:\n",
        "A case that the second officer unticked is cleared with the others.",
        (
            "tests/review/test_duplicates_and_bulk.py::test_unticked_cases_go_back_while_the_rest_is_confirmed",
        ),
    ),
    (
        "review-informing-rules-part-cases",
        "apps/backoffice/review/models/cases.py",
        "if not case_types.get_rule_label(ref).informs})",
        "if case_types.get_rule_label(ref).title})",
        "Identical hits cannot be cleared together since some carry a rule that only informs.",
        (
            "tests/review/test_duplicates_and_bulk.py"
            "::test_identical_hits_are_cleared_together_though_some_carry_what_only_informs",
        ),
    ),
    (
        "review-own-decisions-to-approve",
        "apps/backoffice/review/models/queue_queries.py",
        "filter(status=Status.AWAITING_SECOND).exclude(first_by=user)",
        "filter(status=Status.AWAITING_SECOND).exclude(second_by=user)",
        "Officers find their own decisions among what needs their approval.",
        (
            "tests/desk/test_approvals.py"
            "::test_what_somebody_asked_for_themselves_is_not_among_what_they_approve",
        ),
    ),
    (
        "review-merges-across-tenants",
        "apps/backoffice/review/rules/bulk_and_merge.py",
        "if (duplicate.kind, duplicate.owner) != (into.kind, into.owner):",
        "if duplicate.kind != into.kind:",
        "A client's case ends with the decision on another client's.",
        ("tests/review/test_duplicates_and_bulk.py",),
    ),
    (
        "review-desk-open-on-holidays",
        "apps/backoffice/review/rules/hours.py",
        "free = day in self.holidays or day in self.public",
        "free = day in self.holidays",
        "Cases are due while nobody works.",
        (
            "tests/review/test_working_hours.py"
            "::test_public_holidays_of_a_country_close_the_desk_in_every_year",
        ),
    ),
    (
        "review-escalated-decided-below",
        "apps/backoffice/review/services/claims.py",
        "    if case.escalation == Escalation.OFFICER and not is_senior_for_case(case, by):",
        "    if case.escalation == Escalation.OVERDUE and not is_senior_for_case(case, by):",
        "What was passed to the seniors is decided by anybody.",
        ("tests/review/test_assignments.py::test_an_escalated_case_is_the_seniors",),
    ),
    (
        "review-assigned-back-to-the-first",
        "apps/backoffice/review/services/case_routing.py",
        'case.first_by_id == to.pk or not to.has_perm("review.approve_second")',
        'not to.has_perm("review.approve_second")',
        "A case that waits for a second officer is assigned to the first.",
        ("tests/review/test_assignments.py::test_the_first_officer_is_not_assigned_as_the_second",),
    ),
    (
        "review-any-reason-fits",
        "apps/backoffice/review/case_types.py",
        "            return bool(one.rules & held)",
        "            return bool(held)",
        "A country risk is closed with a reason about names.",
        (
            "tests/review/test_case_types.py::test_the_page_offers_the_reasons_that_fit_and_no_others",
        ),
    ),
    (
        "review-a-lesser-rule-closes-a-graver-case",
        "apps/backoffice/review/case_types.py",
        "        return gravest <= one.rules",
        "        return bool(one.rules & held)",
        "A case of a sanctioned party and a country is cleared for the country.",
        (
            "tests/screening/test_screen_case.py::test_a_case_of_several_rules_is_closed_for_the_gravest",
        ),
    ),
    (
        "review-what-agrees-now-is-kept-quiet",
        "apps/backoffice/review/rules/known_false_positives.py",
        "elif label not in then:",
        "elif label not in then and label not in agrees:",
        "A birth date that agrees with the listed party is not told of a known false positive.",
        (
            "tests/review/test_known_rules.py"
            "::test_what_was_not_given_then_is_told_where_it_agrees_with_the_listed_party_now",
        ),
    ),
    (
        "review-outcomes-that-differ-are-called-contradicting",
        "apps/backoffice/review/selectors/prior_decisions.py",
        "if reason is None or reason.is_listed == reason.false_positive:",
        "if reason is None:",
        "An approval for a country counts as a finding about the listed party.",
        (
            "tests/review/test_prior_decisions.py"
            "::test_outcomes_that_differ_for_reasons_about_else_are_no_contradiction",
        ),
    ),
    (
        "review-a-reason-without-support-comes-first",
        "apps/backoffice/review/case_types.py",
        "return 2 if reason.code == OTHER else 0 if spoken else 1",
        "return 2 if reason.code == OTHER else 0",
        "That dates differ is offered first where no dates were compared.",
        ("tests/screening/test_offered_reasons.py::test_what_the_comparison_shows_comes_first",),
    ),
    (
        "review-known-rests-on-another-reason",
        "apps/backoffice/review/services/known_false_positive_decisions.py",
        'if verdict.reason_code in ("", known.reason_code):',
        "if verdict.reason_code:",
        "A party is known to be no match though its case was closed for something else.",
        (
            "tests/review/test_known_closing_reason.py::test_a_case_that_another_closed_otherwise_makes_nothing_known",
        ),
    ),
    (
        "review-erased-party-stays-in-the-register",
        "apps/backoffice/review/models/known_false_positives.py",
        "if self.action != KnownAction.PROPOSED:",
        "if self.action:",
        "A party that was erased by order is still named in the register.",
        (
            "tests/review/test_known_erased.py::test_the_party_leaves_with_its_proposal_and_the_register_is_as_recorded",
        ),
    ),
    (
        "review-known-counts-days-in-utc",
        "apps/backoffice/review/selectors/known_false_positives.py",
        "today=local_date(now)\n    ):",
        "today=now.date()):",
        "A known false positive holds a day too long, or too short, where the desk is.",
        (
            "tests/review/test_known_days.py::test_it_holds_on_its_last_day_there_and_not_on_the_next",
        ),
    ),
    (
        "review-refused-text-under-another-form",
        "apps/backoffice/review/views/kept_drafts.py",
        'text if name == draft_name else ""',
        'text if name == "decision" else ""',
        "What was typed for the seniors comes back as a note of the decision.",
        (
            "tests/review/test_kept_drafts.py::test_where_a_colleague_decided_meanwhile_the_text_is_given_back",
        ),
    ),
    (
        "review-repair-answers",
        "apps/backoffice/review/case_types.py",
        "if reason is None or reason.repairs:",
        "if reason is None:",
        "That something was put right answers it, and it is not checked again.",
        (
            "tests/banking/test_payer_screening.py::test_a_release_that_puts_right_what_is_not_so_holds_on",
        ),
    ),
    (
        "review-outcome-without-a-reason",
        "apps/backoffice/review/views/decision_box.py",
        "if (reasons := list_fitting_reasons(case, others, outcome))",
        "if (reasons := list_fitting_reasons(case, others, outcome)) is not None",
        "An outcome is offered that no reason fits: the server refuses it.",
        ("tests/travelrule/test_failed_cases.py::test_a_refused_message_cannot_be_sent_again",),
    ),
)
