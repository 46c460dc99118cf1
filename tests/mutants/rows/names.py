"""What letters and words of names tell."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "names-countries-are-surnames",
        "apps/reference/names/payee/rules/people.py",
        "    if _ends_with_country_or_account(longer):\n",
        "    if not longer.words:\n",
        "A company of another country, named like a person, is one with a surname left out.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-towns-are-surnames",
        "apps/reference/names/payee/pair_facts.py",
        "        return _differ_by_place_only(payee_name, other)\n",
        "        return False\n",
        "A company of another town is the payee with a surname left out.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-countries-are-addresses",
        "apps/reference/names/payee/rules/companies.py",
        "    if any(map(_has_trailing_country, facts.sides)):\n",
        "    if not facts.sides:\n",
        "A company of another country is the payee with its address.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-and-is-nothing",
        "apps/reference/names/payee/rules/short_names.py",
        "    if not pairs:\n",
        "    if pairs:\n",
        "A&B Ltd is verified as AB Ltd.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-short-names-slip",
        "apps/reference/names/payee/rules/short_names.py",
        "    return Charge(most=70) if short",
        "    return Charge(most=89) if short",
        "Another company whose short name differs by a letter satisfies the travel rule.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-register-numbers-differ",
        "apps/reference/names/payee/name_annexes.py",
        "    return not (one.number and other.number and one.number != other.number)\n",
        "    return True\n",
        "Two companies of one name with two register numbers are one.",
        ("tests/names/test_payee_tiers.py::test_a_pair_scores_as_its_tier_needs",),
    ),
    (
        "names-look-alikes-kept",
        "apps/reference/names/scripts/script_detection.py",
        "    return replace_lookalikes(word)\n",
        "    return word\n",
        "A name with Cyrillic letters in it is read as it stands.",
        (
            "tests/watchlists/test_namefield_disguises.py"
            "::test_a_word_of_two_scripts_is_read_in_one_and_told",
        ),
    ),
    (
        "names-siblings-are-one",
        "apps/reference/names/payee/rules/companies.py",
        (
            "    if shorter.name.legal or shorter is facts.registered or "
            "_has_line_of_business(shorter):\n"
        ),
        "    if not facts.sides:\n",
        "Money for one company of a group goes to another as a close match.",
        ("tests/names/test_payee.py::test_scores_spread_as_the_tiers_need",),
    ),
    (
        "names-series-are-one",
        "apps/reference/names/payee/rules/companies.py",
        "        return Charge(most=20)\n",
        "        return Charge(20)\n",
        "Another number of a series is told as another line of business.",
        ("tests/names/test_payee.py::test_the_rule_that_decided_is_told",),
    ),
    (
        "names-look-alikes-match",
        "apps/reference/names/payee/rules/common.py",
        "return Charge(most=_NEVER) if facts.disguised else None",
        "return Charge(2) if facts.disguised else None",
        "A payee in Cyrillic look-alikes is verified.",
        ("tests/names/test_payee.py::test_look_alikes_are_never_taken_for_what_they_look_like",),
    ),
    (
        "names-numbers-slip",
        "apps/reference/names/payee/likeness.py",
        "    if extract_numbers(one.plain) != extract_numbers(other.plain):\n",
        "    if one.plain.isdigit() or other.plain.isdigit():\n",
        "Fund1 is taken for Fund2 with a slip of the pen.",
        (
            "tests/names/test_payee_writing.py"
            "::test_what_is_written_in_another_way_is_known_for_what_it_is",
        ),
    ),
    (
        "names-invoices-verify",
        "apps/reference/names/payee/rules/fields.py",
        'reference("what is paid"), 12, BEST_CLOSE',
        'reference("what is paid"), 2, WORST',
        "A field of which only a part was compared is verified.",
        (
            "tests/names/test_payee_writing.py"
            "::test_a_name_with_what_is_paid_is_close_at_best_and_anothers_is_none",
        ),
    ),
    (
        "names-purposes-without-numbers",
        "apps/reference/names/payee/payment_purposes.py",
        (
            "    return head if has_trailing_legal_form([word[0] for word in words[:start]]) "
            "else text\n"
        ),
        "    return head\n",
        "A word that companies bear is cut off their names.",
        ("tests/names/test_payee_writing.py::test_what_is_paid_is_told_apart_from_the_name",),
    ),
    (
        "names-drawn-forms-alike",
        "apps/reference/names/payee/name_parser.py",
        'next((_DRAWN[one] for one, _form in drawn), "")',
        'next(("kk" for _one in drawn), "")',
        "Two Japanese companies of one name and other forms are one.",
        (
            "tests/names/test_payee_writing.py"
            "::test_what_is_written_in_another_way_is_known_for_what_it_is",
        ),
    ),
    (
        "names-given-names-of-syllables",
        "apps/reference/names/payee/rules/people.py",
        "    if differ and all(map(_has_syllabic_words, facts.sides)):\n",
        "    if not facts.sides:\n",
        "Another Chinese given name is told as another middle name.",
        (
            "tests/names/test_payee_writing.py"
            "::test_what_is_written_in_another_way_is_known_for_what_it_is",
        ),
    ),
    (
        "names-forms-alike",
        "apps/reference/names/payee/legal_forms.py",
        '    return "kindred" if {one, other} in KINDRED_FORMS else "conflict"\n',
        '    return "kindred" if {one, other} in KINDRED_FORMS else "shortened"\n',
        "A GmbH is taken for an AG of that name.",
        (
            "tests/names/test_payee.py::test_the_rule_that_decided_is_told",
            "tests/names/test_payee.py::test_scores_spread_as_the_tiers_need",
        ),
    ),
    (
        "names-last-alias-counts",
        "apps/reference/names/payee/comparison.py",
        "    return _mark_if_unread(submitted, registered, _select_best_outcome(found))\n",
        "    return _mark_if_unread(submitted, registered, found[-1])\n",
        "An alias lowers the score of a payee whose legal name agrees.",
        ("tests/names/test_payee_properties.py::test_a_further_alias_never_lowers_the_score",),
    ),
    (
        "names-other-holder-pays",
        "apps/reference/names/payee/comparison.py",
        "best = _select_best_outcome([best, min(best_outcomes, key=lambda one: one.score)])",
        "best = _select_best_outcome([best, max(best_outcomes, key=lambda one: one.score)])",
        "Two holders of whom one is a stranger are taken for those of the account.",
        ("tests/names/test_payee.py::test_any_holder_of_a_joint_account_is_the_payee",),
    ),
    (
        "names-care-of-is-the-payee",
        "apps/reference/names/payee/rules/fields.py",
        "    0,\n    30,\n)",
        "    3, WORST,\n)",
        "The party in whose care the payee is gets the money.",
        (
            "tests/names/test_payee.py"
            "::test_a_field_may_hold_other_names_of_the_payee_and_of_others",
        ),
    ),
    (
        "names-usual-initials-match",
        "apps/reference/names/payee/rules/fields.py",
        'by its usual initials",\n    format_reference("abbreviations"),\n'
        "    12,\n    BEST_CLOSE,\n",
        'by its usual initials",\n    format_reference("abbreviations"),\n    0,\n    WORST,\n',
        "Initials that several bodies may have are the body, without a look.",
        (
            "tests/names/test_payee_abbreviations.py"
            "::test_what_is_abbreviated_or_told_besides_is_the_payee",
        ),
    ),
    (
        "names-any-department-is-the-payee",
        "apps/reference/names/payee/name_annexes.py",
        "    if (found := _DEPARTMENT_OF_BODY.match(rest)) and _PUBLIC_BODY.search(\n",
        "    if (found := _DEPARTMENT_OF_BODY.match(rest)) and not _PUBLIC_BODY.search(\n",
        "A department is told of firms alone, and never of a university.",
        (
            "tests/names/test_payee_abbreviations.py"
            "::test_what_is_abbreviated_or_told_besides_is_the_payee",
        ),
    ),
)
