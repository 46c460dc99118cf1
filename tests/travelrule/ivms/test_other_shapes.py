"""Shapes in which other implementations send the same message: read as it, and nothing is lost."""

from typing import Any

import pytest

from apps.payments.travelrule.ivms import read_message, select_errors, validate_message
from tests.travelrule.ivms.messages import (
    LEGAL,
    NATURAL,
    TODAY,
    changed,
    company,
    message,
    resolve_pointer,
)

NAMES = message()["originator"]["originatorPersons"][0]["naturalPerson"]["name"]
FIRM = company("VASP A")["legalPerson"]
STEP = "/transferPath/transferPath/0/intermediaryVASP"
ONE_STEP = [message()["transferPath"]["transferPath"][0]]
SHORT_PATH = changed("/transferPath/transferPath", ONE_STEP)

# rule, what is sent, where that is told, and what it is the same as
SAME = [
    # protocols with an envelope of their own: TRP, TRISA, GTR, Sygna Bridge
    ("S1b", {"asset": {"slip0044": 60}, "amount": "10", "IVMS101": message()}, "/IVMS101",
     message()),
    ("S1b", {"identity": message(), "transaction": {"originator": "1", "beneficiary": "2"}},
     "/identity", message()),
    ("S1b", {"data": {"private_info": message(), "transaction": {}}}, "/data/private_info",
     message()),
    # Notabene: objects that hold names, in a list
    ("S5", changed(f"{NATURAL}/name", [NAMES]), f"{NATURAL}/name", message()),
    ("S5", changed(f"{NATURAL}/name", [{key: names} for key, names in NAMES.items()]),
     f"{NATURAL}/name", message()),
    ("S5", changed(f"{NATURAL}/name",
                   [NAMES["nameIdentifier"][0],
                    {"localNameIdentifier": NAMES["localNameIdentifier"][0]}]),
     f"{NATURAL}/name", message()),
    ("S4", changed("/originatingVASP/originatingVASP", FIRM), "/originatingVASP/originatingVASP",
     message()),
    ("S4", changed(STEP, {"intermediaryVASP": company("VASP E")}), f"{STEP}/intermediaryVASP",
     message()),
    ("S4", changed(STEP, {"intermediaryVASP": company("VASP E")["legalPerson"]}),
     f"{STEP}/intermediaryVASP", message()),
    ("S4", changed(STEP, company("VASP E")["legalPerson"]), STEP, message()),
    ("S4", changed("/transferPath", ONE_STEP[0]), "/transferPath", SHORT_PATH),
    ("S6b", changed(f"{NATURAL}/nationalIdentification", [
        message()["originator"]["originatorPersons"][0]["naturalPerson"]["nationalIdentification"]
    ]), f"{NATURAL}/nationalIdentification", message()),
    ("S6b", changed("/originator", [message()["originator"]]), "/originator", message()),
    ("S7", changed(f"{LEGAL}/name/nameIdentifier/0",
                   {"legalPersonName": "Noor Trading", "nameIdentifierType": "LEGL"}),
     f"{LEGAL}/name/nameIdentifier/0/nameIdentifierType", message()),
    ("D0c", changed(f"{LEGAL}/customerIdentification", 7), f"{LEGAL}/customerIdentification",
     message()),
    ("D0c", changed("/payloadMetadata/payloadVersion", 101), "/payloadMetadata/payloadVersion",
     changed("/payloadMetadata/payloadVersion", "101")),
    ("D0c", changed("/payloadMetadata/payloadVersion", 101.2023), "/payloadMetadata/payloadVersion",
     message()),
    ("D5b", changed(f"{NATURAL}/countryOfResidence", "xx"), f"{NATURAL}/countryOfResidence",
     changed(f"{NATURAL}/countryOfResidence", "XX")),
    ("D5b", changed(f"{NATURAL}/countryOfResidence", " tz "), f"{NATURAL}/countryOfResidence",
     message()),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "sent", "where", "same"), SAME)
def test_another_shape_is_the_same_message_and_told_where_it_stands(
    rule: str, sent: Any, where: str, same: Any
) -> None:
    assert read_message(sent).message == same
    findings = validate_message(sent, profile="in", today=TODAY)
    assert select_errors(findings) == []
    assert (rule, where) in [(finding.rule, finding.pointer) for finding in findings]
    assert rule in {
        error.rule for error in select_errors(validate_message(sent, profile="out", today=TODAY))
    }


def test_what_stands_beside_a_message_is_told_and_kept_out() -> None:
    sent = {"amount": 5, "transferAmount": {"amount": "9"}, "IVMS101": message()}
    told = [
        (change.sent, change.canonical)
        for change in read_message(sent).changes
        if change.rule == "S7b"
    ]
    assert told == [("/amount", ""), ("/transferAmount", "")]


def test_a_finding_within_an_envelope_points_into_what_was_sent() -> None:
    sent = {"IVMS101": changed(f"{NATURAL}/countryOfResidence", "USA")}
    (fault,) = select_errors(validate_message(sent, profile="in", today=TODAY))
    assert (fault.rule, resolve_pointer(sent, fault.pointer)) == ("C3", "USA")


@pytest.mark.parametrize(
    "sent",
    [
        {"one": message(), "two": message()},
        {"IVMS101": {"originator": message()["originator"]}},
        {"IVMS101": message(), "originator": message()["originator"]},
        {"a": {"b": {"c": {"d": message()}}}},
        {"IVMS101": [message()]},
        {"transaction": {"originator": "1", "beneficiary": "2"}},
    ],
)
def test_a_body_that_does_not_hold_one_whole_message_is_refused(sent: Any) -> None:
    assert "S1" in {
        error.rule for error in select_errors(validate_message(sent, profile="in", today=TODAY))
    }


@pytest.mark.parametrize(
    ("amount", "canonical"),
    [
        (4500, "4500"),
        (4500.25, "4500.25"),
        (0.1, "0.1"),
        (True, None),
        (1e22, None),
        (12345678901234567.0, None),
        ({"value": 1}, None),
    ],
)
def test_an_amount_as_number_counts_as_far_as_it_is_exact(
    amount: Any, canonical: str | None
) -> None:
    sent = message() | {"transferAmount": {"transferAmount": amount, "transferCurrency": "USD"}}
    assert read_message(sent).message["transferAmount"].get("transferAmount") == canonical
    rules = {
        finding.rule
        for finding in validate_message(sent, profile="in", today=TODAY)
        if finding.severity == "W"
    }
    assert ("D0c" if canonical else "P2") in rules


def test_two_entries_where_one_belongs_are_not_chosen_from() -> None:
    where = f"{NATURAL}/nationalIdentification"
    pointer = resolve_pointer(message(), where)
    findings = validate_message(changed(where, [pointer, pointer]), profile="in", today=TODAY)
    assert ("D0", where) in [(fault.rule, fault.pointer) for fault in select_errors(findings)]


def test_an_account_as_number_is_left_out_since_its_zeros_may_be_lost() -> None:
    errors = select_errors(
        validate_message(changed("/originator/accountNumber", [123]), profile="in", today=TODAY)
    )
    assert [(error.rule, error.pointer) for error in errors] == [
        ("D4", "/originator/accountNumber/0")
    ]
