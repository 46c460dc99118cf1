"""IVMS 101: rules, dialects, bounds and the message that is built."""

from tests.mutants.rows import Row

_IVMS = "apps/payments/travelrule/ivms"
_TESTS = "tests/travelrule/ivms"
_SIDES = f"{_TESTS}/test_rules.py::test_a_rule_holds_on_one_side_and_names_the_place_on_the_other"
_BACK = f"{_TESTS}/test_dialects.py::test_a_dialect_is_known_again_and_read_without_loss"

ROWS: tuple[Row, ...] = (
    (
        "ivms-born-today",
        f"{_IVMS}/rules/constraints.py",
        "born >= case.today",
        "born > case.today",
        "Somebody who is born today is a customer.",
        (_SIDES,),
    ),
    (
        "ivms-bizz-is-enough",
        f"{_IVMS}/rules/constraints.py",
        '_has_address(person, {"GEOG"})',
        "_has_address(person, codes.ADDRESS_TYPES)",
        "A business address alone identifies a legal originator.",
        (_SIDES,),
    ),
    (
        "ivms-natural-person-needs-authority",
        f"{_IVMS}/rules/constraints.py",
        "    for path, person in case.of(model.LEGAL):\n        if",
        "    for path, person in case.of(model.LEGAL, model.NATURAL):\n        if",
        "The standard's own second example is refused.",
        (
            f"{_TESTS}/test_rules.py::test_a_natural_persons_identifier_may_have_a_country_and"
            "_an_authority_or_neither",
        ),
    ),
    (
        "ivms-check-digits-unlooked-at",
        f"{_IVMS}/codes.py",
        "% 97",
        "% 1 + 1",
        "An LEI with a wrong digit is right.",
        (f"{_TESTS}/test_text.py::test_check_digits_of_an_lei", _SIDES),
    ),
    (
        "ivms-steps-from-one",
        f"{_IVMS}/rules/constraints.py",
        "list(range(len(counted)))",
        "list(range(1, len(counted) + 1))",
        "Steps of a path are counted from 1.",
        (_SIDES,),
    ),
    (
        "ivms-bytes-counted",
        f"{_IVMS}/text.py",
        "return len(text) if",
        'return len(text.encode("utf-8", "replace")) if',
        "A Chinese name of 34 characters is too long.",
        (_SIDES, f"{_TESTS}/test_text.py::test_characters_are_counted_and_not_bytes"),
    ),
    (
        "ivms-account-of-101",
        f"{_IVMS}/model.py",
        '"accountNumber": _build_accounts_field(100)',
        '"accountNumber": _build_accounts_field(101)',
        "An account is one character longer than others take.",
        (_SIDES,),
    ),
    (
        "ivms-account-altered",
        "apps/payments/travelrule/ivms/dialects/reader.py",
        ("        if field.exact:\n            return value\n"),
        "",
        "An account's letters are brought to another form.",
        (f"{_TESTS}/test_dialects.py::test_accounts_are_taken_as_they_are",),
    ),
    (
        "ivms-second-telling-wins",
        "apps/payments/travelrule/ivms/dialects/reader.py",
        "key=lambda key: key not in of.fields",
        "key=lambda key: key in of.fields",
        "Another spelling displaces the standard's.",
        (
            f"{_TESTS}/test_dialects.py::test_an_element_told_twice_alike_is_read_and_otherwise"
            "_refused",
        ),
    ),
    (
        "ivms-contradiction-unseen",
        "apps/payments/travelrule/ivms/dialects/reader.py",
        "        elif again == first:",
        "        elif True:",
        "A message that says two things about one element is taken.",
        (
            f"{_TESTS}/test_dialects.py::test_an_element_told_twice_alike_is_read_and_otherwise"
            "_refused",
        ),
    ),
    (
        "ivms-unknown-key-swallowed",
        "apps/payments/travelrule/ivms/dialects/reader.py",
        '                self.tell("S7b", (*sent, key), None)\n',
        "",
        "What is not known is dropped without a word.",
        (f"{_TESTS}/test_dialects.py::test_an_unknown_key_is_told_and_kept_out",),
    ),
    (
        "ivms-true-is-one",
        "apps/payments/travelrule/ivms/dialects/reader.py",
        "isinstance(value, int) and not isinstance(value, bool)",
        "isinstance(value, int)",
        "`true` counts as the second step of a path.",
        (f"{_TESTS}/test_dialects.py::test_only_an_integer_or_its_digits_count_the_steps",),
    ),
    (
        "ivms-pointer-into-the-canonical-form",
        f"{_IVMS}/rules/__init__.py",
        "format_pointer(trace_sent_path(hit.path, reading.origins))",
        "format_pointer(hit.path)",
        "A finding points to a place that the sender has not.",
        (f"{_TESTS}/test_dialects.py::test_a_finding_points_into_what_was_sent",),
    ),
    (
        "ivms-sequence-as-number",
        "apps/payments/travelrule/ivms/dialects/writer.py",
        "            return str(value)  # protocol",
        "            return value  # protocol",
        "A step is written to TRISA as protocol buffers do not.",
        (
            f"{_TESTS}/test_dialects.py::test_codes_and_numbers_of_protocol_buffers_are_written"
            "_long_and_as_text",
        ),
    ),
    (
        "ivms-vasp-under-its-double-key",
        "apps/payments/travelrule/ivms/dialects/writer.py",
        "return person if self.manner.flat else shaped",
        "return shaped",
        "VASPs are written to npm's users where they do not look.",
        (_BACK, f"{_TESTS}/test_dialects.py::test_a_dialect_has_its_own_places"),
    ),
    (
        "ivms-lenient-about-keys",
        f"{_IVMS}/rules/table.py",
        'Rule("S7", "E", "N"',
        'Rule("S7", "N", "N"',
        "A message with other keys is sent.",
        (f"{_TESTS}/test_rules.py::test_each_severity_is_that_of_the_agreed_table",),
    ),
    (
        "ivms-threshold-beyond",
        f"{_IVMS}/rules/completeness.py",
        "transfer.amount_usd < transfer.threshold_usd",
        "transfer.amount_usd <= transfer.threshold_usd",
        "A payment of exactly 3,000 USD needs no address.",
        (f"{_TESTS}/test_rules.py::test_completeness_is_asked_from_3000_usd_on",),
    ),
    (
        "ivms-key-twice",
        f"{_IVMS}/input_limits.py",
        "if len(unique_object) != len(pairs):",
        "if not pairs and unique_object:",
        "Of two values under one key the last is taken.",
        (
            f"{_TESTS}/test_hostile.py"
            "::test_a_body_that_is_none_or_ambiguous_or_too_much_is_refused",
        ),
    ),
    (
        "ivms-depth-unbounded",
        f"{_IVMS}/input_limits.py",
        "if depth > limits.depth:",
        "if depth > limits.nodes:",
        "A message nested without end is looked at.",
        (
            f"{_TESTS}/test_hostile.py"
            "::test_what_is_at_a_bound_is_looked_at_and_what_is_beyond_is_not",
        ),
    ),
    (
        "ivms-empty-accounts-hidden",
        "apps/payments/travelrule/ivms/dialects/writer.py",
        'written.setdefault("accountNumber", [])',
        "pass",
        "The API's `accountNumber` is missing where no account is known.",
        (f"{_TESTS}/test_build.py::test_an_account_that_is_not_known_is_an_empty_list",),
    ),
)
