"""The message of a payment between companies: its paths, and what is found in it."""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.travelrule.ivms import (
    Company,
    NotBuildable,
    Transfer,
    build_message,
    read_message,
    validate_message,
    write_message,
)
from apps.payments.travelrule.ivms.build import BuiltMessage
from tests.travelrule.ivms.messages import ADDRESS, LEI, OTHER_LEI, TODAY

ALICE = Company(name="Alice Ltd", lei=LEI, accounts=("0xAbCd",))
BOB = Company(name="Bob Trading", accounts=("0xEf01",))
US = Company(name="This VASP", lei=OTHER_LEI)
THEM = Company(name="Counterparty VASP")


def built(**more: Any) -> BuiltMessage:
    facts: dict[str, Any] = {
        "originator": ALICE,
        "beneficiary": BOB,
        "originator_vasp": US,
        "beneficiary_vasp": THEM,
        "amount": "4500.00",
        "currency": "USD",
        "today": TODAY,
    }
    return build_message(**(facts | more))


def identifier(name: str) -> dict[str, str]:
    return {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}


def lei(value: str) -> dict[str, str]:
    return {"nationalIdentifier": value, "nationalIdentifierType": "LEIX"}


def test_it_has_the_paths_of_the_specification_and_no_other() -> None:
    assert built().message == {
        "originator": {
            "originatorPersons": [
                {
                    "legalPerson": {
                        "name": {"nameIdentifier": [identifier("Alice Ltd")]},
                        "nationalIdentification": lei(LEI),
                    }
                }
            ],
            "accountNumber": ["0xAbCd"],
        },
        "beneficiary": {
            "beneficiaryPersons": [
                {"legalPerson": {"name": {"nameIdentifier": [identifier("Bob Trading")]}}}
            ],
            "accountNumber": ["0xEf01"],
        },
        "originatorVASP": {
            "vasp": {
                "name": {"nameIdentifier": [identifier("This VASP")]},
                "nationalIdentification": lei(OTHER_LEI),
            }
        },
        "beneficiaryVASP": {
            "vasp": {"name": {"nameIdentifier": [identifier("Counterparty VASP")]}}
        },
        "transferAmount": {"transferAmount": "4500.00", "transferCurrency": "USD"},
    }


def test_it_is_a_valid_message_too() -> None:
    assert built().findings == ()
    reading = read_message(built().message)
    assert reading.dialect == "platform"
    assert write_message(reading.message, "platform").message == built().message
    standard = write_message(reading.message, "trisa-json")
    assert standard.left_out == ("/transferAmount",)
    assert validate_message(standard.message, profile="out", today=TODAY) == []


def test_without_an_lei_it_is_built_and_the_breach_of_c4_is_told() -> None:
    findings = built(originator=BOB).findings
    assert [(finding.rule, finding.severity) for finding in findings] == [("C4", "E")]
    company = Company(name="Bob Trading", customer="77")
    assert built(originator=company).findings == ()


def test_an_account_that_is_not_known_is_an_empty_list() -> None:
    built_message = built(beneficiary=Company(name="Bob Trading"))
    assert built_message.message["beneficiary"]["accountNumber"] == []
    assert built_message.findings == ()
    again = write_message(read_message(built_message.message).message, "platform").message
    assert again == built_message.message


def test_a_name_beyond_ascii_goes_to_the_local_names_as_well() -> None:
    name = built(originator=Company(name="Mu\u0308ller & Söhne", lei=LEI))
    legal = name.message["originator"]["originatorPersons"][0]["legalPerson"]["name"]
    assert legal == {
        "nameIdentifier": [identifier("Müller & Söhne")],
        "localNameIdentifier": [identifier("Müller & Söhne")],
    }
    assert [(finding.rule, finding.severity) for finding in name.findings] == [("D2b", "E")]
    latin = built(originator=Company(name="Müller", latin="Mueller", lei=LEI))
    legal = latin.message["originator"]["originatorPersons"][0]["legalPerson"]["name"]
    assert legal["nameIdentifier"] == [identifier("Mueller")]
    assert legal["localNameIdentifier"] == [identifier("Müller")]
    assert latin.findings == ()


def test_a_name_that_is_too_long_is_told_and_never_cut() -> None:
    long = "a" * 101
    built_message = built(beneficiary=Company(name=long))
    assert [finding.rule for finding in built_message.findings] == ["D1"]
    assert long in str(built_message.message)


def test_from_3000_usd_on_an_address_is_asked_for() -> None:
    transfer = Transfer(amount_usd=Decimal(3000), executed_on=TODAY)
    assert [finding.rule for finding in built(transfer=transfer).findings] == ["X1"]
    company = Company(name="Alice Ltd", lei=LEI, accounts=("0xAbCd",), addresses=(ADDRESS,))
    assert built(originator=company, transfer=transfer).findings == ()


@pytest.mark.parametrize("amount", ["", "1,000", "-1", "1e3", "NaN", ".5", "1.", "١", 4500, None])
def test_an_amount_is_decimal_text(amount: Any) -> None:
    with pytest.raises(NotBuildable, match="amount"):
        built(amount=amount)


@pytest.mark.parametrize("currency", ["", "usd", "US", "U" * 13, None])
def test_a_currency_is_a_code(currency: Any) -> None:
    with pytest.raises(NotBuildable, match="currency"):
        built(currency=currency)


@pytest.mark.parametrize("name", ["", "  ", "A\x00", "a\u202eb", None, 5])
def test_a_name_is_a_text_that_can_be_read(name: Any) -> None:
    for side in ("originator", "beneficiary", "originator_vasp", "beneficiary_vasp"):
        with pytest.raises(NotBuildable, match="name"):
            built(**{side: Company(name=name)})


def test_wrong_check_digits_are_told_and_the_record_is_there() -> None:
    built_message = built(originator=Company(name="Alice Ltd", lei="3M5E1GQKGL17HI8CPN20"))
    assert [finding.rule for finding in built_message.findings] == ["C11b"]
