"""Each rule on both sides of its boundary, out and in, with the place that it names."""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.travelrule.ivms import (
    RULES,
    Transfer,
    judge_reading,
    read_message,
    validate_message,
)
from apps.payments.travelrule.ivms.rules.table import BY_ID
from tests.travelrule.ivms.messages import TODAY, VASP, changed, message
from tests.travelrule.ivms.rule_cases import (
    CASES,
    FIRM,
    IDENTIFIED,
    IDENTITY,
    NAME,
    RAID,
    without,
)

LISTED = frozenset({"RA000553", "RA000001"})


def found(rule: str, what: Any, profile: Any, **more: Any) -> list[tuple[str, str]]:
    listed = None if rule == "C10c" else LISTED
    findings = validate_message(what, profile=profile, today=TODAY, authorities=listed, **more)
    return [(finding.severity, finding.pointer) for finding in findings if finding.rule == rule]


@pytest.mark.parametrize("profile", ["out", "in"])
@pytest.mark.parametrize(("rule", "holds", "not_so", "where"), CASES)
def test_a_rule_holds_on_one_side_and_names_the_place_on_the_other(
    rule: str, holds: Any, not_so: Any, where: str, profile: Any
) -> None:
    severity = BY_ID[rule].out if profile == "out" else BY_ID[rule].inn
    assert found(rule, holds, profile) == []
    assert found(rule, not_so, profile) == [(severity, where)]


def test_the_faultless_message_has_no_finding() -> None:
    for profile in ("out", "in"):
        assert validate_message(message(), profile=profile, today=TODAY, authorities=LISTED) == []


def test_each_severity_is_that_of_the_agreed_table() -> None:
    refused = "L1 S1 S2 S3 S8 S9 C1 C2 C3 C5 C6 C7 C9 C10 C11 C12 D0 D1 D3 D4 D5 D9 X2"
    agreed = {
        ("E", "E"): refused,
        ("E", "W"): "S7b S8b D0c C4 C8 C10b C11b D2b D8b D9b P2 X1",
        ("E", "N"): "S1b S2b S4 S5 S6 S6b S7 D0b D1b D5b D6 D7 D8 X2b",
        ("W", "W"): "C10c D2",
        ("N", "N"): "D1c P1",
        ("-", "-"): "C9n",
    }
    told = {part: pair for pair, names in agreed.items() for part in names.split()}
    assert told == {rule.id: (rule.out, rule.inn) for rule in RULES}


def test_every_rule_with_a_check_has_a_case() -> None:
    elsewhere = {"C10c", "P2", "X1"}
    assert {rule.id for rule in RULES if rule.check} - elsewhere == {case[0] for case in CASES}


def test_without_a_list_an_authority_is_known_by_its_form_alone() -> None:
    where = f"{IDENTITY}/registrationAuthority"
    assert found("C10c", message(), "in") == [("W", where)] == found("C10c", message(), "out")
    assert found("C10b", changed(where, "RA999999"), "in") == [("W", where)]
    unjudged = validate_message(changed(where, "RA999999"), profile="out", today=TODAY)
    assert [one.rule for one in unjudged] == ["C10c"]


def test_a_natural_persons_identifier_may_have_a_country_and_an_authority_or_neither() -> None:
    for also in ({}, {"countryOfIssue": "US"}, {"registrationAuthority": "RA000001"}):
        what = changed(IDENTITY, RAID | also)
        assert validate_message(what, profile="out", today=TODAY, authorities=LISTED) == []


def test_a_beneficiary_needs_no_more_than_a_name() -> None:
    legal = "/beneficiary/beneficiaryPersons/0/legalPerson"
    assert validate_message(without(legal, *IDENTIFIED), profile="out", today=TODAY,
                    authorities=LISTED) == []  # fmt: skip


def test_the_set_of_2020_is_not_asked_of_a_message_of_2023() -> None:
    what = changed(f"{FIRM}/legalPersonName", "Bob's 2, PLC")
    assert found("D2", what, "in") != []
    what["payloadMetadata"]["payloadVersion"] = "101.2023"
    assert found("D2", what, "in") == []


@pytest.mark.parametrize(
    ("amount", "told"), [("2999.99", False), ("3000.00", True), ("3000.01", True)]
)
def test_completeness_is_asked_from_3000_usd_on(amount: str, told: bool) -> None:
    transfer = Transfer(amount_usd=Decimal(amount), executed_on=None)
    assert found("X1", message(), "out", transfer=transfer) == [("E", "")] * told
    assert found("X1", message(), "in", transfer=transfer) == [("W", "")] * told


@pytest.mark.parametrize(
    ("what", "where"),
    [
        (message(), []),
        (changed("/originator/accountNumber"), ["/originator"]),
        (without("/originator/originatorPersons/0", "naturalPerson"), []),
        (changed("/originatingVASP"), [""]),
        (changed("/beneficiaryVASP"), [""]),
        (changed("/originator"), ["", "", ""]),
        (changed("/originator/originatorPersons", [{"legalPerson": {"customerNumber": "1"}}]),
         ["/originator", "/originator"]),
        (changed(f"{VASP}/name"), ["/originatingVASP"]),
    ],
)  # fmt: skip
def test_completeness_names_each_thing_that_is_missing(what: Any, where: list[str]) -> None:
    transfer = Transfer(amount_usd=Decimal(3000), executed_on=TODAY)
    assert [place for _, place in found("X1", what, "out", transfer=transfer)] == where


@pytest.mark.parametrize(
    ("amount", "currency", "where"),
    [
        ("4500.00", "USD", None),
        ("4500", "USDC", None),
        ("4,500", "USD", "/transferAmount/transferAmount"),
        ("-1", "USD", "/transferAmount/transferAmount"),
        ("1e3", "USD", "/transferAmount/transferAmount"),
        ("4500.00", "usd", "/transferAmount/transferCurrency"),
        ("4500.00", "", "/transferAmount"),
        (4500, "USD", None),
        (True, "USD", "/transferAmount"),
    ],
)
def test_an_amount_is_decimal_text_with_a_currency(
    amount: Any, currency: str, where: str | None
) -> None:
    what = message() | {"transferAmount": {"transferAmount": amount, "transferCurrency": currency}}
    places = {place for _, place in found("P2", what, "in")}
    assert (where in places) if where else places == set()


def test_findings_say_the_rule_and_never_the_value() -> None:
    secret = "Geheimnis\x07"
    what = changed(f"{NAME}/primaryIdentifier", secret)
    for finding in validate_message(what, profile="out", today=TODAY):
        assert "Geheimnis" not in finding.message
        assert finding.message.endswith(".")


def test_the_gravest_come_first_and_all_at_once() -> None:
    what = changed(f"{NAME}/primaryIdentifier", "Bob, PLC", base=changed("/beneficiary"))
    severities = [finding.severity for finding in validate_message(what, profile="in", today=TODAY)]
    assert severities == sorted(severities, key="EWN".index)
    assert set(severities) >= {"E", "W"}


def test_what_was_read_once_is_judged_alike() -> None:
    what = changed("/beneficiary")
    assert judge_reading(read_message(what), profile="in", today=TODAY) == validate_message(
        what, profile="in", today=TODAY
    )
