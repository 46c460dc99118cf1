"""Cases: who decides, with whom, on what."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "review-foreign-amounts-are-dollars",
        "apps/review/actions/opening.py",
        'if known is None and self.currency == "USD":',
        "if known is None:",
        "A large amount without a rate needs one officer only.",
        (
            "tests/review/test_actions.py"
            "::test_an_amount_that_nobody_converted_is_no_amount_in_dollars",
        ),
    ),
    (
        "review-first-officer-confirms",
        "apps/review/actions/claims.py",
        "if case.first_by_id == by.pk and case.status == Status.AWAITING_SECOND:",
        "if case.first_by_id == by.pk and case.status == Status.OPEN:",
        "The officer who proposed is not told that another must confirm.",
        ("tests/review/test_actions.py::test_a_senior_does_not_confirm_their_own_decision",),
    ),
    (
        "review-confirms-what-was-not-seen",
        "apps/review/actions/deciding.py",
        "_awaiting(case, by, now).filter(first_outcome=outcome, first_at=case.first_at)",
        "_awaiting(case, by, now)",
        "A second officer confirms another proposal than the one on the page.",
        (
            "tests/review/test_actions.py"
            "::test_a_second_officer_cannot_confirm_what_changed_since_they_read_it",
        ),
    ),
    (
        "review-one-officer-clears-many",
        "apps/review/actions/deciding.py",
        "second = case.needs_second or bulk is not None",
        "second = case.needs_second",
        "One officer alone clears all cases of a listed party.",
        (
            "tests/review/test_together.py"
            "::test_clearing_in_bulk_takes_a_second_officer_whatever_the_risk",
        ),
    ),
    (
        "review-altered-facts-decided-on",
        "apps/review/actions/deciding.py",
        'if opened.data.get("digest") != found:',
        'if opened.data.get("digest") == "":',
        "A case whose facts were changed in the database is decided.",
        ("tests/review/test_actions.py::test_altered_facts_cannot_be_decided_on",),
    ),
    (
        "review-claims-never-end",
        "apps/review/models/queries.py",
        "Q(claimed_by=None) | Q(claimed_by=user) | Q(claimed_until__lte=now)",
        "Q(claimed_by=None) | Q(claimed_by=user)",
        "A case that somebody left open for the night is nobody's any more.",
        ("tests/review/test_actions.py::test_a_claim_holds_for_thirty_minutes_and_then_lets_go",),
    ),
    (
        "review-decision-on-another-record",
        "apps/review/actions/opening.py",
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
        "apps/review/rules/together.py",
        "len({(case.kind, case.entity) for case in cases}) > 1",
        "len({case.kind for case in cases}) > 1",
        "Cases of different listed parties are cleared with one sentence.",
        ("tests/review/test_rules.py",),
    ),
    (
        "review-merges-across-tenants",
        "apps/review/rules/together.py",
        "if (duplicate.kind, duplicate.owner) != (into.kind, into.owner):",
        "if duplicate.kind != into.kind:",
        "A client's case ends with the decision on another client's.",
        ("tests/review/test_together.py",),
    ),
    (
        "review-desk-open-on-holidays",
        "apps/review/rules/hours.py",
        "free = day in self.holidays or day in self.public",
        "free = day in self.holidays",
        "Cases are due while nobody works.",
        (
            "tests/review/test_hours.py"
            "::test_public_holidays_of_a_country_close_the_desk_in_every_year",
        ),
    ),
    (
        "review-escalated-decided-below",
        "apps/review/actions/claims.py",
        "    if case.escalation == Escalation.OFFICER and not is_senior(case, by):",
        "    if case.escalation == Escalation.OVERDUE and not is_senior(case, by):",
        "What was passed to the seniors is decided by anybody.",
        ("tests/review/test_routing.py::test_an_escalated_case_is_the_seniors",),
    ),
    (
        "review-assigned-back-to-the-first",
        "apps/review/actions/routing.py",
        'case.first_by_id == to.pk or not to.has_perm("review.approve_second")',
        'not to.has_perm("review.approve_second")',
        "A case that waits for a second officer is assigned to the first.",
        ("tests/review/test_routing.py::test_the_first_officer_is_not_assigned_as_the_second",),
    ),
    (
        "review-any-reason-fits",
        "apps/review/kinds.py",
        "if one.code == OTHER or not one.rules or one.rules & held",
        "if one.code == OTHER or not one.rules or held",
        "A country risk is closed with a reason about names.",
        ("tests/review/test_kinds.py::test_the_page_offers_the_reasons_that_fit_and_no_others",),
    ),
)
