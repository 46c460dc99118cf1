"""Messages as implementations write them: which dialect it is, and what is changed and told."""

from typing import Any

import pytest

from apps.payments.travelrule.ivms import DIALECTS, read_message, validate_message, write_message
from apps.payments.travelrule.ivms.rules.table import BY_ID
from tests.travelrule.ivms.messages import (
    LEGAL,
    NATURAL,
    TODAY,
    VASP,
    changed,
    company,
    message,
    resolve_pointer,
)

NAME = f"{NATURAL}/name/nameIdentifier/0"
HOME = f"{NATURAL}/geographicAddress/0"


def moved(where: str, key: str, value: Any = None) -> dict[str, Any]:
    """Return the faultless message with a key spelled otherwise, or another value under it."""
    what = message()
    old = resolve_pointer(what, where)
    parent = where.rpartition("/")[0]
    return changed(f"{parent}/{key}", old if value is None else value, base=changed(where))


# rule, what is sent, from, to
CHANGES = [
    ("S2b", moved("/originator/originatorPersons", "originatorPerson"),
     "/originator/originatorPerson", "/originator/originatorPersons"),
    ("S2b", moved("/beneficiary/beneficiaryPersons", "beneficiary_person"),
     "/beneficiary/beneficiary_person", "/beneficiary/beneficiaryPersons"),
    ("S4", changed("/originatingVASP", company("VASP A")),
     "/originatingVASP", "/originatingVASP/originatingVASP"),
    ("S4", changed("/originatingVASP", company("VASP A")["legalPerson"]),
     "/originatingVASP", "/originatingVASP/originatingVASP"),
    ("S4", changed("/transferPath", message()["transferPath"]["transferPath"]),
     "/transferPath", "/transferPath"),
    ("P1", changed("/originatorVASP", {"originatorVASP": company("VASP A")},
                   base=changed("/originatingVASP")),
     "/originatorVASP/originatorVASP", "/originatingVASP/originatingVASP"),
    ("S5", changed(f"{NATURAL}/name", [{"primaryIdentifier": "A", "nameIdentifierType": "LEGL"}]),
     f"{NATURAL}/name", f"{NATURAL}/name"),
    ("S5", changed(f"{NATURAL}/name", {"primaryIdentifier": "A", "nameIdentifierType": "LEGL"}),
     f"{NATURAL}/name", f"{NATURAL}/name"),
    ("S6", changed(f"{NATURAL}/name/nameIdentifier",
                   {"primaryIdentifier": "A", "nameIdentifierType": "LEGL"}),
     f"{NATURAL}/name/nameIdentifier", f"{NATURAL}/name/nameIdentifier"),
    ("S6", changed("/originator/accountNumber", "0xAb"),
     "/originator/accountNumber", "/originator/accountNumber"),
    *[("S7", moved(f"{NAME}/primaryIdentifier", key), f"{NAME}/{key}", f"{NAME}/primaryIdentifier")
      for key in ("lastName", "last_name", "surname", "familyName", "primary_identifier")],
    ("S7", moved(f"{NAME}/secondaryIdentifier", "firstName"),
     f"{NAME}/firstName", f"{NAME}/secondaryIdentifier"),
    *[("S7", moved(f"{HOME}/postCode", key), f"{HOME}/{key}", f"{HOME}/postCode")
      for key in ("zip_code", "zipCode", "postalCode")],
    ("S7", moved(f"{HOME}/townName", "city"), f"{HOME}/city", f"{HOME}/townName"),
    ("S7", moved(f"{NATURAL}/dateAndPlaceOfBirth", "dob"),
     f"{NATURAL}/dob", f"{NATURAL}/dateAndPlaceOfBirth"),
    ("S7", moved(f"{NATURAL}/nationalIdentification/registrationAuthority", "ra"),
     f"{NATURAL}/nationalIdentification/ra",
     f"{NATURAL}/nationalIdentification/registrationAuthority"),
    ("S7", moved("/originator", "Originator"), "/Originator", "/originator"),
    ("D0b", changed("/transferPath/transferPath/1/sequence", "1"),
     "/transferPath/transferPath/1/sequence", "/transferPath/transferPath/1/sequence"),
    ("D1b", changed(f"{HOME}/floor", ""), f"{HOME}/floor", ""),
    ("D1b", changed(f"{HOME}/floor", {}), f"{HOME}/floor", ""),
    ("D1c", changed(f"{NATURAL}/name/phoneticNameIdentifier", []),
     f"{NATURAL}/name/phoneticNameIdentifier", ""),
    ("D5b", changed(f"{NAME}/nameIdentifierType", "legl"),
     f"{NAME}/nameIdentifierType", f"{NAME}/nameIdentifierType"),
    ("D5b", changed(f"{HOME}/addressType", "ADDRESS_TYPE_CODE_HOME"),
     f"{HOME}/addressType", f"{HOME}/addressType"),
    ("D5b", changed(f"{HOME}/country", "us"), f"{HOME}/country", f"{HOME}/country"),
    ("D6", moved(f"{HOME}/postCode", "postcode"), f"{HOME}/postcode", f"{HOME}/postCode"),
    ("D7", moved(f"{LEGAL}/customerIdentification", "customerNumber"),
     f"{LEGAL}/customerNumber", f"{LEGAL}/customerIdentification"),
    ("D8", moved(f"{NAME}/nameIdentifierType", "naturalPersonNameIdentifierType"),
     f"{NAME}/naturalPersonNameIdentifierType", f"{NAME}/nameIdentifierType"),
    ("D8", changed("/payloadMetadata/payloadVersion", "IVMS101.2023"),
     "/payloadMetadata/payloadVersion", ""),
    ("X2b", changed(f"{LEGAL}/name/localNameIdentifier",
                    [{"legalPersonName": "Mu\u0308ller", "legalPersonNameIdentifierType": "LEGL"}]),
     f"{LEGAL}/name/localNameIdentifier/0/legalPersonName",
     f"{LEGAL}/name/localNameIdentifier/0/legalPersonName"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "sent", "before", "after"), CHANGES)
def test_another_spelling_is_read_and_told_and_refused_in_what_is_sent(
    rule: str, sent: Any, before: str, after: str
) -> None:
    reading = read_message(sent)
    assert (rule, before, after) in [
        (change.rule, change.sent, change.canonical) for change in reading.changes
    ]
    assert read_message(reading.message).changes == ()
    for profile, severity in (("in", BY_ID[rule].inn), ("out", BY_ID[rule].out)):
        findings = validate_message(sent, profile=profile, today=TODAY)  # type: ignore[arg-type]
        assert (rule, severity, before) in [
            (finding.rule, finding.severity, finding.pointer) for finding in findings
        ]
        assert (
            profile == "out" or [finding for finding in findings if finding.severity == "E"] == []
        )


@pytest.mark.parametrize("spelled", [1.5, True, {"a": 1}, ["a"]])
def test_a_value_of_a_wrong_type_is_a_finding_and_left_out(spelled: Any) -> None:
    where = f"{LEGAL}/customerIdentification"
    findings = validate_message(changed(where, spelled), profile="in", today=TODAY)
    assert ("D0", "E", where) in [
        (finding.rule, finding.severity, finding.pointer) for finding in findings
    ]
    assert "customerIdentification" not in resolve_pointer(
        read_message(changed(where, spelled)).message, LEGAL
    )


@pytest.mark.parametrize("number", [True, 0.0, "0x1", "-1", "٣", "1" * 19, None])
def test_only_an_integer_or_its_digits_count_the_steps(number: Any) -> None:
    where = "/transferPath/transferPath/0/sequence"
    what = changed(where)
    what["transferPath"]["transferPath"][0]["sequence"] = number
    assert "sequence" not in resolve_pointer(
        read_message(what).message, "/transferPath/transferPath/0"
    )


def test_an_unknown_key_is_told_and_kept_out() -> None:
    reading = read_message(changed(f"{HOME}/planet", "Mars"))
    assert [(change.rule, change.sent, change.canonical) for change in reading.changes] == [
        ("S7b", f"{HOME}/planet", "")
    ]
    assert reading.message == message()


def test_pointers_escape_what_keys_hold() -> None:
    reading = read_message(message() | {"a/b~c": 1})
    assert [change.sent for change in reading.changes] == ["/a~1b~0c"]


def test_an_element_told_twice_alike_is_read_and_otherwise_refused() -> None:
    alike = changed(f"{HOME}/zip", "91765")
    assert [change.rule for change in read_message(alike).changes] == ["S7"]
    differently = changed(f"{HOME}/zip", "91766")
    findings = validate_message(differently, profile="in", today=TODAY)
    assert ("S9", "E", f"{HOME}/zip") in [
        (finding.rule, finding.severity, finding.pointer) for finding in findings
    ]
    assert resolve_pointer(read_message(differently).message, f"{HOME}/postCode") == "91765"


def test_accounts_are_taken_as_they_are() -> None:
    account = " 0xAbCo\u0308 "
    assert read_message(changed("/originator/accountNumber", [account])).message["originator"][
        "accountNumber"
    ] == [account]


def test_a_finding_points_into_what_was_sent() -> None:
    bad = changed(f"{VASP}/countryOfRegistration", "USA")
    for dialect in DIALECTS:
        sent = write_message(bad, dialect).message
        findings = validate_message(sent, profile="in", today=TODAY)
        where = [finding.pointer for finding in findings if finding.rule == "C3"]
        assert [resolve_pointer(sent, one) for one in where] == ["USA"], dialect
        assert [finding.canonical for finding in findings if finding.rule == "C3"] == [
            f"{VASP}/countryOfRegistration"
        ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_known_again_and_read_without_loss(dialect: str) -> None:
    written = write_message(message(), dialect)
    reading = read_message(written.message)
    assert (reading.dialect, reading.message, written.left_out) == (dialect, message(), ())


@pytest.mark.parametrize(
    ("dialect", "where"),
    [
        ("trisa-protojson", "/originator/originator_persons/0/natural_person/name/name_identifiers"
         "/0/primary_identifier"),
        ("trisa-protojson", "/originating_vasp/originating_vasp/legal_person/customer_number"),
        ("trisa-protojson", "/originator/account_numbers/0"),
        ("trisa-json", "/originatingVASP/originatingVASP/legalPerson/customerNumber"),
        ("code", "/OriginatingVASP/originatingVASP/legalPerson/customerIdentification"),
        ("npm", "/originatingVASP/legalPerson/name/0/legalPersonName"),
        ("npm", "/originator/originatorPersons/0/naturalPerson/customerNumber"),
        ("ivms101-2023", "/originator/originatorPerson/0/naturalPerson/name/nameIdentifier/0"
         "/naturalPersonNameIdentifierType"),
        ("ivms101-2023", "/originator/originatorPerson/0/naturalPerson/name/localNameIdentifier/0"
         "/nameIdentifierType"),
        ("ivms101-2023", "/payloadMetadata/payloadVersion"),
        ("platform", "/originatorVASP/vasp/name/nameIdentifier/0/legalPersonName"),
        ("platform", "/beneficiaryVASP/vasp/name/nameIdentifier/0/legalPersonName"),
    ],
)  # fmt: skip
def test_a_dialect_has_its_own_places(dialect: str, where: str) -> None:
    resolve_pointer(write_message(message(), dialect).message, where)


def test_codes_and_numbers_of_protocol_buffers_are_written_long_and_as_text() -> None:
    found = write_message(message(), "trisa-protojson").message
    assert found["payload_metadata"]["transliteration_method"] == [
        "TRANSLITERATION_METHOD_CODE_ARAB"
    ]
    assert [one["sequence"] for one in found["transfer_path"]["transfer_path"]] == ["0", "1"]


def test_what_a_dialect_has_no_place_for_is_told() -> None:
    what = changed("/originator/originatorPersons/0/accountNumber", ["9"])
    what["transferAmount"] = {"transferAmount": "1", "transferCurrency": "USD"}
    what["payloadMetadata"]["payloadVersion"] = "101"
    account = "/originator/originatorPersons/0/accountNumber"
    told = {name: set(write_message(what, name).left_out) for name in DIALECTS}
    both = {account, "/transferAmount"}
    assert told == {
        "trisa-protojson": both,
        "trisa-json": both,
        "code": both,
        "npm": both,
        "ivms101-2023": {"/transferAmount", "/payloadMetadata/payloadVersion"},
        "platform": set(),
    }


def test_a_vasp_of_the_specification_has_a_legal_name_by_default() -> None:
    what = write_message(message(), "platform").message
    del what["originatorVASP"]["vasp"]["name"]["nameIdentifier"][0]["legalPersonNameIdentifierType"]
    assert read_message(what).message == message()
    assert [
        finding
        for finding in validate_message(what, profile="in", today=TODAY)
        if finding.severity == "E"
    ] == []


def test_what_is_no_message_has_no_dialect() -> None:
    for what in (None, [], "x", 5, {}, {"hello": "world"}, {"originator": {}}):
        reading = read_message(what)
        assert (reading.message, reading.dialect) == ({}, "")
