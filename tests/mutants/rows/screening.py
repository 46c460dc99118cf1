"""Decisions: what approves, flags and blocks, and what is kept of it."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "screening-flagged-is-compatible",
        "apps/compliance/screening/rules/statements.py",
        'lambda f, decision: decision == "APPROVED",',
        'lambda f, decision: decision != "BLOCKED",',
        "A flagged screen attests that it is compatible with MiCA.",
        (
            "tests/screening/test_screen_endpoint.py"
            "::test_only_an_approved_screen_is_compatible_with_mica",
        ),
    ),
    (
        "screening-stale-pep-list",
        "apps/compliance/screening/combined/selectors.py",
        'engine.freshness["pep"].state == "fresh"',
        'engine.freshness["pep"].state != "absent"',
        "Persons are screened against a PEP list that is too old.",
        (
            "tests/screening/test_fail_closed.py"
            "::test_a_pep_list_that_is_too_old_is_not_screened_against",
        ),
    ),
    (
        "screening-owners-forgotten",
        "apps/compliance/screening/combined/services.py",
        "encounters = [*asked_for, *build_owner_encounters(owners, owner=record.owner)]",
        "encounters = [*asked_for]",
        "A later listing of an owner is held against nobody.",
        (
            "tests/screening/test_screen_endpoint.py::test_the_owners_are_remembered_too_and_the_subject_once",
        ),
    ),
    (
        "screening-ubo-billed-as-pep",
        "apps/compliance/screening/api/viewsets.py",
        "price=prices.UBO_CHAIN",
        "price=prices.PEP_SCREEN",
        "An ownership chain costs what a PEP screen costs.",
        ("tests/screening/test_billing_units.py",),
    ),
    (
        "screening-pep-billed-as-ubo",
        "apps/compliance/screening/api/viewsets.py",
        "price=prices.PEP_SCREEN",
        "price=prices.UBO_CHAIN",
        "A PEP screen costs what an ownership chain costs.",
        ("tests/screening/test_billing_units.py",),
    ),
    (
        "screening-seventy-does-not-block",
        "apps/compliance/screening/rules/findings.py",
        "lambda f: f.sanctions_score >= BLOCK_SCORE,",
        "lambda f: f.sanctions_score > BLOCK_SCORE,",
        "A match at exactly 70 % is approved: no rule holds it.",
        ("tests/screening/test_screen_rules.py::test_each_rule_decides_as_its_row_says",),
    ),
    (
        "screening-large-begins-above",
        "apps/compliance/screening/rules/facts.py",
        "self.amount_usd >= LARGE_USD",
        "self.amount_usd > LARGE_USD",
        "100,000 USD exactly need no LEI.",
        ("tests/screening/test_screen_rules.py::test_each_rule_decides_as_its_row_says",),
    ),
    (
        "screening-r16-at-the-threshold",
        "apps/compliance/screening/rules/statements.py",
        "facts.amount_usd < R16_USD",
        "facts.amount_usd <= R16_USD",
        "A transfer of exactly 1,000 USD is said to satisfy R.16 by its size.",
        ("tests/screening/test_screen_rules.py::test_the_basis_of_the_r16_attestation",),
    ),
    (
        "screening-suspicion-satisfies-r16",
        "apps/compliance/screening/rules/statements.py",
        'lambda f, decision: _is_below_threshold(f) and decision == "APPROVED",',
        "lambda f, decision: _is_below_threshold(f),",
        "A flagged screen below 1,000 USD is said to satisfy R.16 while its note asks to verify.",
        ("tests/screening/test_statements.py::test_it_is_said_where_it_is_true",),
    ),
    (
        "screening-default-country-is-the-callers",
        "apps/compliance/screening/combined/selectors.py",
        '"source_taken": screen_request.source_given is False,',
        '"source_taken": False,',
        "A source country that nobody named is attested as if it had been given.",
        ("tests/screening/test_statements.py::test_countries_that_nobody_named_are_told_as_such",),
    ),
    (
        "screening-anybodys-screen",
        "apps/compliance/screening/combined/stored_screens.py",
        "if record is None or record.owner != caller.ref or record.purged:",
        "if record is None or record.purged:",
        "A tenant reads another tenant's screens.",
        (
            "tests/api/test_every_endpoint.py"
            "::test_what_one_tenant_made_answers_another_as_if_it_were_not_there",
        ),
    ),
    (
        "screening-forged-screens-served",
        "apps/compliance/screening/combined/stored_screens.py",
        "record = next(iter(filter_verified_records(screens)), None)",
        "record = next(iter(screens), None)",
        "A screen that somebody wrote into the database is answered as ours.",
        (
            "tests/screening/test_forged_screens.py"
            "::test_a_forged_screen_inserted_whole_is_never_sealed_and_never_served",
        ),
    ),
    (
        "screening-pep-cached-without-country",
        "apps/compliance/screening/pep/selectors.py",
        "question = [name, country.upper(), position]",
        "question = [name, position]",
        "A report that was narrowed to one country is given for another.",
        ("tests/screening/test_pep.py::test_a_country_narrows_the_results",),
    ),
    (
        "screening-ubo-cached-over-new-lists",
        "apps/compliance/screening/ubo/selectors.py",
        "canonical_digest([lei, deep, [lists.list_set.id, *lacking], ubo_rules.VERSION, listed])",
        "canonical_digest([lei, deep, ubo_rules.VERSION, listed])",
        "An owner who was listed today stays clear until tomorrow.",
        (
            "tests/screening/test_ubo.py"
            "::test_another_depth_another_list_and_another_listing_are_other_questions",
        ),
    ),
    (
        "screening-former-names-not-screened",
        "apps/compliance/screening/ubo/screened_nodes.py",
        "name, aliases = (node.name, node.also) if node.known",
        "name, aliases = (node.name, ()) if node.known",
        "An owner that is listed under its other legal name is clear.",
        (
            "tests/screening/test_ubo.py"
            "::test_an_owner_is_screened_by_its_legal_name_in_other_languages_too",
        ),
    ),
    (
        "screening-lei-not-looked-up-on-lists",
        "apps/compliance/screening/combined/requests.py",
        "            lei=self.lei,\n",
        "",
        "A party under another name whose LEI is listed is not blocked.",
        (
            "tests/screening/test_screen_endpoint.py"
            "::test_a_listed_lei_is_a_match_of_the_party_whatever_name_is_given",
        ),
    ),
    (
        "screening-hidden-owners-pass",
        "apps/compliance/screening/rules/ubo.py",
        'return "; ".join(facts.hidden() + facts.unchecked())',
        'return "; ".join(facts.unchecked())',
        "A chain whose owner is kept hidden counts as checked.",
        ("tests/screening/test_ubo_rules.py::test_the_note_of_a_chain_says_what_is_missing",),
    ),
    (
        "screening-owners-not-shown-not-screened",
        "apps/compliance/screening/ubo/screened_nodes.py",
        "for node in chain.everybody)",
        "for node in chain.nodes)",
        "A listed owner between the direct and the ultimate parent is approved.",
        (
            "tests/screening/test_owners.py"
            "::test_a_listed_owner_in_between_blocks_though_it_is_not_shown",
        ),
    ),
    (
        "screening-half-is-not-enough",
        "apps/compliance/screening/rules/owners.py",
        "Decimal(0)) >= HALF",
        "Decimal(0)) > HALF",
        "A party that sanctioned owners hold to exactly one half is not blocked.",
        ("tests/screening/test_owner_rules.py::test_listed_owners_of_half_or_more_control",),
    ),
    (
        "screening-address-country-unread",
        "apps/compliance/screening/combined/selectors.py",
        '"address_label": place.standing(listings),',
        '"address_label": listings.standing(asked.country),',
        "A party whose own address is in Iran is approved.",
        (
            "tests/screening/test_party_address.py"
            "::test_an_address_in_a_listed_country_flags_and_is_told",
        ),
    ),
    (
        "screening-missing-share-is-identified",
        "apps/compliance/screening/rules/owners.py",
        "sum(shares) < WHOLE",
        "sum(shares) < 0",
        "Owners of 30 % pass for the ownership to the ultimate parent.",
        (
            "tests/screening/test_owners.py"
            "::test_owners_of_less_than_the_whole_are_not_all_identified",
        ),
    ),
    (
        "screening-lei-of-another-passes",
        "apps/compliance/screening/combined/selectors.py",
        "of = find_other_holder(known, (screen_request.name,))",
        'of = ""',
        "A party is approved under the LEI of some other company.",
        (
            "tests/screening/test_owners.py"
            "::test_a_name_and_an_lei_of_different_companies_flag_at_any_amount",
        ),
    ),
    (
        "screening-contradiction-of-type-blocks",
        "apps/reference/watchlists/matching/type_conflicts.py",
        "CEILING = BELOW_MATCH",
        "CEILING = 0.70",
        "A company is blocked by the name of a ship.",
        ("tests/watchlists/test_lookup.py::test_what_is_known_moves_a_hit_and_never_hides_it",),
    ),
    (
        "screening-union-official-hidden-by-a-member",
        "apps/compliance/screening/rules/international_bodies.py",
        "return european and (country == EU or country in EU_MEMBERS)",
        "return european and country == EU",
        "The president of the European Parliament is hidden when a member state is asked for.",
        (
            "tests/screening/test_pep_rules.py"
            "::test_officials_of_bodies_above_states_count_for_every_member",
        ),
    ),
    (
        "screening-near-name-needs-due-diligence",
        "apps/compliance/screening/rules/pep.py",
        "return max(0, score - NEAR_COST) if near else score",
        "return score",
        "Whoever is called nearly as an office holder is undergoes enhanced due diligence.",
        (
            "tests/screening/test_pep_rules.py"
            "::test_the_right_office_raises_the_confidence_and_a_near_name_is_a_lead",
        ),
    ),
    (
        "screening-sound-decides-over-spelling",
        "apps/reference/watchlists/pep_search.py",
        "if best >= CUTOFF or renders else None",
        "if best >= CUTOFF else None",
        "A name that only sounds like a rendering of another counts against its Latin spelling.",
        (
            "tests/screening/test_pep.py"
            "::test_a_name_in_the_script_of_the_query_decides_over_one_that_only_sounds_alike",
        ),
    ),
    (
        "screening-office-ends-a-day-early",
        "apps/compliance/screening/rules/offices.py",
        "or day.isoformat()[: len(self.until)] <= self.until",
        "or day.isoformat()[: len(self.until)] < self.until",
        "An office is former on its last day.",
        (
            "tests/screening/test_pep_rules.py"
            "::test_an_office_is_current_from_its_first_to_its_last_day",
        ),
    ),
    (
        "screening-million-needs-one-officer",
        "apps/compliance/screening/case_types/screens.py",
        "s.usd >= LARGE_SCREENED_USD",
        "s.usd > LARGE_SCREENED_USD",
        "1,000,000 USD exactly need one officer only.",
        (
            "tests/screening/test_screen_case.py"
            "::test_high_risk_large_and_unknown_amounts_need_a_second_officer",
        ),
    ),
    (
        "screening-unknown-value-needs-one-officer",
        "apps/compliance/screening/case_types/screens.py",
        "s.amount is not None and s.usd is None",
        "s.amount is None and s.usd is None",
        "An amount of which nobody knows the worth needs one officer only.",
        (
            "tests/screening/test_screen_case.py"
            "::test_high_risk_large_and_unknown_amounts_need_a_second_officer",
        ),
    ),
    (
        "screening-owner-that-controls-nothing-is-named",
        "apps/compliance/screening/combined/response.py",
        "key=lambda node: (node.controls, node.score or 0)",
        "key=lambda node: node.score or 0",
        "The owner who is named is not the one for whom the payment was blocked.",
        (
            "tests/screening/test_owners_and_second_lists.py"
            "::test_of_two_listed_owners_the_one_that_controls_is_named_though_it_scores_less",
        ),
    ),
    (
        "screening-unread-owner-is-approved",
        "apps/compliance/screening/combined/selectors.py",
        "unread=(*lookup_result.unread, *collect_unread_names(owners)),",
        "unread=lookup_result.unread,",
        "An owner whose name was not searched whole is told as clear.",
        (
            "tests/screening/test_owners_and_second_lists.py::test_an_owner_whose_name_was_not_read_whole_flags",
        ),
    ),
    (
        "screening-second-pep-list-forgotten",
        "apps/compliance/screening/combined/selectors.py",
        'engine.lacking("sanction", *(("pep",) if pep_runs else ()))',
        'engine.lacking("sanction")',
        "A screen of a person passes although a list of office holders is missing.",
        (
            "tests/screening/test_owners_and_second_lists.py"
            "::test_a_second_list_of_office_holders_that_is_not_held_flags_who_needs_it",
        ),
    ),
    (
        "screening-proposal-approved-unchecked",
        "apps/reference/watchlists/services/source_changes.py",
        "        source_policy.check_value(source, change.field, after)\n",
        "        pass\n",
        "What may not stand in production comes into force by a proposal from before.",
        (
            "tests/screening/test_owners_and_second_lists.py"
            "::test_a_proposal_of_before_that_may_not_stand_any_more_is_not_approved",
        ),
    ),
    (
        "screening-left-out-word-is-hidden",
        "apps/reference/watchlists/presenters/unweighed_words.py",
        "if any(not any(part in joined_word for joined_word in joined) for part in rest):",
        "if not rest:",
        "A long word that was not compared is told nowhere beside 100 %.",
        (
            "tests/screening/test_unweighed_words.py::test_a_word_that_was_left_out_of_the_comparison_is_told_so",
        ),
    ),
    (
        "screening-company-country-anywhere",
        "apps/compliance/screening/rules/party_location.py",
        "    while words and words[-1] in KIND_WORDS:\n        words.pop()\n",
        "",
        "A company of an embargoed country passes where its legal form stands behind the country.",
        (
            "tests/screening/test_party_address.py"
            "::test_nationality_and_name_field_are_judged_as_an_address_is",
        ),
    ),
    (
        "screening-nationality-is-judged-nowhere",
        "apps/compliance/screening/rules/party_location.py",
        '    places.append(Place(nationality, source="nationality"))\n',
        "",
        "A national of an embargoed country passes as everybody does.",
        (
            "tests/screening/test_party_address.py"
            "::test_nationality_and_name_field_are_judged_as_an_address_is",
        ),
    ),
    (
        "rescreening-known-hides-a-full-match",
        "apps/compliance/screening/rules/rescreening.py",
        "        lambda p: p.known and p.band == PARTIAL and p.now < BLOCK_SCORE,\n",
        "        lambda p: p.known,\n",
        "A known false positive hides a full match of a changed entry.",
        ("tests/screening/rescreening/test_known_pairs.py::test_what_is_news_of_a_pair",),
    ),
    (
        "rescreening-run-goes-on-under-another",
        "apps/compliance/screening/rescreening/runner.py",
        "    if (row.entry, row.party, row.stage) != (run.entry, run.party, run.stage):\n",
        "    if row.stage != run.stage:\n",
        "Two processes count one batch of parties twice.",
        (
            "tests/screening/rescreening/test_rescreen.py::"
            "test_a_batch_that_another_process_did_meanwhile_is_not_done_again",
        ),
    ),
    (
        "rescreening-late-parties-forgotten",
        "apps/compliance/screening/rescreening/runner.py",
        "        parties = Party.objects.filter(first_seen__gte=run.planned_at - MARGIN)\n",
        "        parties = Party.objects.none()\n",
        "Who was screened by the old index is never held against the change.",
        (
            "tests/screening/rescreening/test_rescreen.py::"
            "test_whoever_came_up_while_hosts_had_the_old_index_is_held_late",
        ),
    ),
    (
        "screening-known-of-another-party",
        "apps/compliance/screening/rules/known_false_positives.py",
        "    return complete and dict(then) == party_now\n",
        "    return complete\n",
        "A known false positive clears a party of another birth date.",
        (
            "tests/screening/test_known_false_positives.py::"
            "test_a_party_is_the_same_where_all_that_is_known_of_it_is",
        ),
    ),
)
