"""What richer instructions say of their parties stands in the IVMS 101 message."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.payments.instructions import (
    Address,
    Agent,
    Instruction,
    Party,
    Person,
    PersonalNumber,
)
from apps.payments.travelrule import message_readers, outbound_message
from apps.payments.travelrule.rules import us_threshold
from tests.travelrule.conftest import ADDRESS, CREDITOR, DEBTOR

ULTIMATE = Party(name="Gannet Holdings", lei="5299001ERX0K10IZUL40", address=ADDRESS)


def built(counterparty: tuple[str, str] = ("Heron", ""), **changes: Any) -> Any:
    given: dict[str, Any] = {
        "reference": "INV-1", "amount": Decimal(4000), "currency": "USD", "asset": "USDC",
        "creditor": CREDITOR, "debtor": DEBTOR,
    }  # fmt: skip
    return outbound_message.build_outbound_message(
        Instruction(**(given | changes)),
        counterparty=counterparty,
        amount_usd=Decimal(4000),
        executed_on=date(2026, 11, 23),
    )


def errors(found: Any) -> set[str]:
    return {finding.rule for finding in found.findings if finding.severity == "E"} - {"C4"}


def test_a_postal_address_is_the_business_address_of_a_company() -> None:
    found = built()
    (person,) = found.message["originator"]["originatorPersons"]
    assert person["legalPerson"]["geographicAddress"] == [
        {
            "addressType": "BIZZ", "streetName": "Gannet Lane", "buildingNumber": "7",
            "postCode": "98052", "townName": "Redmond", "country": "US",
        }
    ]  # fmt: skip
    assert not errors(found)


@pytest.mark.parametrize(
    "address",
    [
        replace(ADDRESS, street_name=""),
        replace(ADDRESS, building_number=""),
        replace(ADDRESS, building_number="", building_name="Gannet House"),
        Address(town_name="Redmond", country="US", address_lines=("Gannet Lane 7",)),
        Address(town_name="Redmond", country="US"),
    ],
)
def test_an_address_in_pieces_or_in_lines_keeps_the_rules_of_the_standard(address: Address) -> None:
    assert not errors(built(debtor=replace(DEBTOR, address=address)))


@pytest.mark.parametrize(
    "address", [None, replace(ADDRESS, town_name=""), replace(ADDRESS, country="")]
)
def test_what_is_no_whole_address_is_left_out_and_missed(address: Address | None) -> None:
    found = built(debtor=replace(DEBTOR, address=address))
    (person,) = found.message["originator"]["originatorPersons"]
    assert "geographicAddress" not in person["legalPerson"]
    assert errors(found) == {"X1"}


def test_the_country_of_the_party_stands_for_that_of_its_address() -> None:
    party = replace(DEBTOR, country="CA", address=replace(ADDRESS, country=""))
    (address,) = outbound_message.build_addresses(party)
    assert address["country"] == "CA"


def test_for_whom_a_party_acts_is_a_further_person_of_its_side() -> None:
    found = built(ultimate_debtor=ULTIMATE, ultimate_creditor=replace(ULTIMATE, name="Auk Ltd"))
    names = {
        side: message_readers.parse_named_side(found.message, side).names
        for side in ("originator", "beneficiary")
    }
    assert names == {
        "originator": (DEBTOR.name, "Gannet Holdings"),
        "beneficiary": (CREDITOR.name, "Auk Ltd"),
    }
    assert not errors(found)


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (None, ("", "")),
        (Agent(name="Auk Bank", lei="5299001ERX0K10IZUL40"), ("Auk Bank", "5299001ERX0K10IZUL40")),
        (Agent(bic="AUKBUS33"), ("AUKBUS33", "")),
    ],
)
def test_the_creditors_agent_is_the_counterparty_where_the_directory_knows_none(
    agent: Agent | None, named: tuple[str, str]
) -> None:
    instruction = Instruction(
        "INV-1", Decimal(1), "USD", "USDC", replace(CREDITOR, agent=agent), DEBTOR
    )
    assert outbound_message.creditor_agent_of(instruction) == named


@pytest.mark.parametrize("name", ["", "A\u202eB"])
def test_what_can_stand_in_no_message_is_a_fault_and_stops_no_record(name: str) -> None:
    found = built(debtor=replace(DEBTOR, name=name))
    assert found.message == {}
    assert errors(found) == {"BUILD"}


UMLAUTS = Address(
    street_name="Große Straße", building_number="7ä", post_code="50667", town_name="Köln",
    country="DE",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("Müller Büro GmbH", "Mueller Buero GmbH"),
        ("MÜLLER BÜRO GMBH", "MUELLER BUERO GMBH"),
        ("Łódź Ærø Þór", "Lodz Aeroe Thor"),
        ("ООО «Ромашка»", "OOO <<Romashka>>"),
        ("Ελληνική Τράπεζα", "Elliniki Trapeza"),
        ("한국은행", "hangug-eunhaeng"),
    ],
)
def test_a_name_of_other_letters_is_told_in_latin_ones_and_as_it_is(name: str, latin: str) -> None:
    found = built(debtor=replace(DEBTOR, name=name, address=UMLAUTS))
    assert not errors(found)
    legal_person = found.message["originator"]["originatorPersons"][0]["legalPerson"]
    assert legal_person["name"]["nameIdentifier"][0]["legalPersonName"] == latin
    assert legal_person["name"]["localNameIdentifier"][0]["legalPersonName"] == name
    (place,) = legal_person["geographicAddress"]
    assert (place["streetName"], place["buildingNumber"]) == ("Grosse Strasse", "7ae")
    assert place["townName"] == "Koeln"


def test_a_name_of_ascii_stands_once() -> None:
    legal_person = built().message["originator"]["originatorPersons"][0]["legalPerson"]
    assert "localNameIdentifier" not in legal_person["name"]


def test_a_name_without_any_letter_of_ours_is_a_fault() -> None:
    assert "D2b" in errors(built(debtor=replace(DEBTOR, name="🙂🙂")))


@pytest.mark.parametrize(("street", "told"), [("ü" * 35, "ue" * 35), ("ü" * 36, "u" * 36)])
def test_an_address_stays_as_short_as_the_standard_wants_it(street: str, told: str) -> None:
    found = built(debtor=replace(DEBTOR, address=replace(UMLAUTS, street_name=street)))
    assert not errors(found)
    legal_person = found.message["originator"]["originatorPersons"][0]["legalPerson"]
    assert legal_person["geographicAddress"][0]["streetName"] == told


ANNA = Party(
    name="Anna Müller", accounts=("DE89370400440532013000",), address=UMLAUTS,
    person=Person(
        birth_date="1990-02-28", birth_city="Köln", birth_country="DE",
        numbers=(PersonalNumber("CCPT", "C01X00T47", "DE"), PersonalNumber("TXID", "1", "DE")),
    ),
)  # fmt: skip


def natural(found: Any, side: str) -> Any:
    (person,) = found.message[side][f"{side}Persons"]
    return person["naturalPerson"]


@pytest.mark.parametrize("side", ["originator", "beneficiary"])
def test_a_person_is_told_as_a_person_and_not_as_a_company(side: str) -> None:
    party = {"originator": "debtor", "beneficiary": "creditor"}[side]
    found = built(**{party: ANNA})
    assert not errors(found)
    told = natural(found, side)
    assert told["name"] == {
        "nameIdentifier": [{"primaryIdentifier": "Anna Mueller", "nameIdentifierType": "LEGL"}],
        "localNameIdentifier": [{"primaryIdentifier": "Anna Müller", "nameIdentifierType": "LEGL"}],
    }
    assert told["dateAndPlaceOfBirth"] == {
        "dateOfBirth": "1990-02-28", "placeOfBirth": "Koeln, DE",
    }  # fmt: skip
    assert told["nationalIdentification"] == {
        "nationalIdentifier": "C01X00T47", "nationalIdentifierType": "CCPT",
        "countryOfIssue": "DE",
    }  # fmt: skip
    assert told["geographicAddress"][0]["addressType"] == "GEOG"
    assert message_readers.parse_named_side(found.message, side).names == (
        "Anna Mueller",
        "Anna Müller",
    )


@pytest.mark.parametrize(
    "person",
    [
        Person(),
        Person(birth_date="1990-02-28"),
        Person(numbers=(PersonalNumber("CCPT", "9" * 36),)),
        Person(numbers=(PersonalNumber("NONE", "42"),)),
    ],
)
def test_what_the_standard_has_no_place_for_is_left_out_of_a_person(person: Person) -> None:
    found = built(debtor=replace(ANNA, person=person))
    assert not errors(found)
    assert not {"dateAndPlaceOfBirth", "nationalIdentification"} & set(natural(found, "originator"))


def test_a_person_of_whom_the_name_alone_is_known_is_no_whole_originator() -> None:
    bare = replace(ANNA, person=Person(), address=None)
    assert errors(built(debtor=bare)) == {"C1", "X1"}
    assert not errors(built(creditor=bare))


PERSON = Person(
    birth_date="1980-02-01",
    birth_city="Boston",
    birth_country="US",
    numbers=(PersonalNumber("SOCS", "123456789", "US"), PersonalNumber("CCPT", "X1")),
)


def test_a_company_behind_a_person_is_a_company_all_the_same() -> None:
    found = built(debtor=ANNA, ultimate_debtor=ULTIMATE)
    payer, behind = found.message["originator"]["originatorPersons"]
    assert list(payer) == ["naturalPerson"] and list(behind) == ["legalPerson"]


def test_the_name_of_a_person_in_another_script_stands_among_local_names() -> None:
    found = built(creditor=Party(name="Петров Сергей", wallet=CREDITOR.wallet, person=PERSON))
    (person,) = found.message["beneficiary"]["beneficiaryPersons"]
    assert person["naturalPerson"]["name"]["localNameIdentifier"] == [
        {"primaryIdentifier": "Петров Сергей", "nameIdentifierType": "LEGL"}
    ]


def test_a_party_with_an_lei_is_a_legal_person_whatever_is_told_of_it() -> None:
    found = built(debtor=replace(DEBTOR, person=PERSON))
    (person,) = found.message["originator"]["originatorPersons"]
    assert list(person) == ["legalPerson"]


@pytest.mark.parametrize(("least", "rules"), [(Decimal(4000), {"X1"}), (Decimal("4000.01"), set())])
def test_what_the_rule_wants_begins_with_the_threshold_of_the_day(
    monkeypatch: pytest.MonkeyPatch, least: Decimal, rules: set[str]
) -> None:
    table = (us_threshold.Threshold(date(2026, 1, 1), least, "a test"),)
    monkeypatch.setattr(us_threshold, "THRESHOLDS", table)
    assert errors(built(debtor=replace(DEBTOR, address=None))) == rules


def test_a_company_without_an_lei_is_identified_by_its_address() -> None:
    found = built(debtor=replace(DEBTOR, lei=""))
    legal_person = found.message["originator"]["originatorPersons"][0]["legalPerson"]
    assert legal_person["geographicAddress"][0]["addressType"] == "GEOG"
    assert not [finding for finding in found.findings if finding.severity == "E"]
    bare = built(debtor=replace(DEBTOR, lei="", address=None))
    assert {finding.rule for finding in bare.findings if finding.severity == "E"} == {"C4", "X1"}
