"""Files of other implementations and the standard's own examples: taken or refused, and why."""

import json
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.travelrule.ivms import (
    DIALECTS,
    Transfer,
    read_message,
    select_errors,
    validate_message,
    write_message,
)
from tests.shared_data import shared
from tests.travelrule.ivms.messages import TODAY, message, resolve_pointer

VASP_LEI = "/originatingVASP/originatingVASP/legalPerson/nationalIdentification/nationalIdentifier"
NATURAL_RA = (
    "/originator/originatorPersons/0/naturalPerson/nationalIdentification/registrationAuthority"
)


def fixture(name: str) -> Any:
    return json.loads(shared(f"ivms101/{name}.json").read_bytes())


def told(what: Any, profile: Any, severity: str) -> dict[str, int]:
    findings = validate_message(what, profile=profile, today=TODAY)
    return dict(Counter(finding.rule for finding in findings if finding.severity == severity))


MESSAGES = [
    # file, dialect, refused for, warned of, read in another spelling
    ("standard-examples/issue1_example1", "trisa-json", {}, {"C11b": 1}, {}),
    ("standard-examples/issue1_example2", "trisa-json", {}, {"C10c": 1}, {}),
    ("trisa/identity_payload", "trisa-json", {}, {"C10c": 3, "D2": 4}, {}),
    ("trisa/identity_payload_alt", "trisa-json", {}, {"C10c": 3, "D2": 4}, {"S7": 37}),
    (
        "trisa/identity_payload.pb",
        "trisa-protojson",
        {"C3": 1, "C9": 4},
        {"C10c": 4, "C11b": 2, "D2": 4},
        {"S7": 92, "D1b": 38, "D1c": 14, "D5b": 17, "D6": 4},
    ),
    ("gtr/complete-example", "npm", {"C11": 2, "D1": 1}, {"C10c": 1}, {"S4": 2, "D6": 4}),
    ("gtr/malformed-full-example", "npm", {"C10": 1, "C11": 3}, {}, {"S4": 2, "D6": 4}),
    ("gtr/originator-example", "npm", {"S1": 1, "C10": 1, "C11": 1}, {}, {"S4": 1, "D6": 2}),
    ("gtr/beneficiary-example", "npm", {"S1": 1, "C11": 1}, {"C10c": 1}, {"S4": 1, "D6": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "dialect", "refused", "warned", "read_as"), MESSAGES)
def test_a_message_is_taken_or_refused(
    name: str, dialect: str, refused: Any, warned: Any, read_as: Any
) -> None:
    what = fixture(name)
    assert read_message(what).dialect == dialect
    found = tuple(told(what, "in", severity) for severity in "EWN")
    assert found == (refused, warned, read_as)


@pytest.mark.parametrize("name", [one[0] for one in MESSAGES])
def test_a_message_comes_back_from_every_dialect(name: str) -> None:
    canonical = read_message(fixture(name)).message
    for dialect in DIALECTS:
        written = write_message(canonical, dialect)
        assert (read_message(written.message).message, written.left_out) == (canonical, ())


@pytest.mark.parametrize("name", [one[0] for one in MESSAGES])
def test_every_finding_points_to_what_is_there(name: str) -> None:
    what = fixture(name)
    for finding in validate_message(what, profile="in", today=TODAY):
        resolve_pointer(what, finding.pointer)


def test_the_first_example_of_the_standard_fails_strictly_for_its_check_digits() -> None:
    what = fixture("standard-examples/issue1_example1")
    errors = select_errors(validate_message(what, profile="out", today=TODAY))
    assert [(error.rule, error.pointer) for error in errors] == [("C11b", VASP_LEI)]
    assert errors[0].message.endswith("The remainder is 69, not 1.")


def test_the_second_example_passes_strictly_with_its_authority_listed_or_not_judged() -> None:
    what = fixture("standard-examples/issue1_example2")
    assert told(what, "out", "E") == {}
    strict = validate_message(what, profile="out", today=TODAY, authorities=frozenset({"RA000001"}))
    assert [(one.rule, one.pointer) for one in strict] == [("C10b", NATURAL_RA)]
    listed = frozenset({"RA000553"})
    assert validate_message(what, profile="out", today=TODAY, authorities=listed) == []


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("issue1_example1", ["recipient's"]),
        ("issue1_example2", ["address", "account", "transmittor's", "recipient's"]),
    ],
)
def test_neither_example_has_what_the_united_states_ask_for(name: str, missing: list[str]) -> None:
    what = fixture(f"standard-examples/{name}")
    transfer = Transfer(amount_usd=Decimal(3000), executed_on=TODAY)
    findings = validate_message(what, profile="out", today=TODAY, transfer=transfer)
    told = [
        finding.message.removesuffix(" is missing.") for finding in findings if finding.rule == "X1"
    ]
    assert len(told) == len(missing)
    assert all(word in sentence for word, sentence in zip(missing, told, strict=True))


@pytest.mark.parametrize(
    ("name", "refused", "warned"),
    [
        ("person_natural_person", {}, {"C10c": 1, "D2": 2}),
        ("person_legal_person", {}, {"C11b": 1, "D2": 1}),
        ("person_both_persons", {"S3": 1}, {"C10c": 1, "C11b": 1, "D2": 3}),
    ],
)
def test_a_person_of_trisa_is_taken_as_originator(
    name: str, refused: dict[str, int], warned: dict[str, int]
) -> None:
    what = message()
    what["originator"]["originatorPersons"] = [fixture(f"trisa/{name}")]
    del what["beneficiary"]["beneficiaryPersons"][0]["legalPerson"]["nationalIdentification"]
    findings = validate_message(what, profile="in", today=TODAY)
    assert dict(Counter(finding.rule for finding in findings if finding.severity == "E")) == refused
    assert dict(Counter(finding.rule for finding in findings if finding.severity == "W")) == warned


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("natural_person", {"naturalPerson": "natural_person"}),
        ("legal_person", {"legalPerson": "legal_person"}),
    ],
)
def test_a_part_of_a_message_is_taken_where_it_belongs(name: str, where: Any) -> None:
    (kind,) = where
    what = message()
    what["originator"]["originatorPersons"] = [{kind: fixture(f"trisa/{name}")}]
    assert select_errors(validate_message(what, profile="in", today=TODAY)) == []


@pytest.mark.parametrize(
    "name",
    ["trisa/address", "trisa/national_identification", "tap/valid", "tap/misformatted-fields",
     "fsi-persons/de_kevin_fuchs", "fsi-persons/us_alice_murray"],
)  # fmt: skip
def test_what_is_no_message_lacks_both_parties(name: str) -> None:
    what = fixture(name)
    assert (read_message(what).message, read_message(what).dialect) == ({}, "")
    assert told(what, "in", "E") == {"S1": 2}


def test_the_standards_natural_person_with_an_authority_is_not_refused_as_others_do() -> None:
    what = fixture("standard-examples/issue1_example2")
    identity = resolve_pointer(what, NATURAL_RA.rpartition("/")[0])
    assert isinstance(identity, dict) and "countryOfIssue" not in identity
    assert "C9" not in {
        finding.rule for finding in validate_message(what, profile="out", today=TODAY)
    }
