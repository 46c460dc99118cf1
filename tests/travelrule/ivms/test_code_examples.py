"""CODE writes entities in capitals, and its examples have marks that are no LEI."""

from typing import Any

from apps.payments.travelrule.ivms import read_message, select_errors, validate_message
from tests.travelrule.ivms.messages import ADDRESS, TODAY


def person(lei: str) -> dict[str, Any]:
    return {
        "legalPerson": {
            "name": {
                "nameIdentifier": [
                    {"legalPersonName": "Harbour Inc.", "legalPersonNameIdentifierType": "LEGL"}
                ]
            },
            "nationalIdentification": {
                "nationalIdentifier": lei,
                "nationalIdentifierType": "LEIX",
            },
            "customerIdentification": "customernumber in Max 50 Text",
            "geographicAddress": [
                {key: one for key, one in ADDRESS.items() if key != "postCode"}
                | {"postcode": "00000", "countrySubDivision": "N/A"}
            ],
        }
    }


def example(lei: str) -> dict[str, Any]:
    natural = {
        "naturalPerson": {
            "name": {
                "nameIdentifier": [
                    {
                        "primaryIdentifier": "Barnes",
                        "secondaryIdentifier": "",
                        "nameIdentifierType": "LEGL",
                    }
                ]
            }
        }
    }
    return {
        "Originator": {
            "originatorPersons": [person(lei)],
            "accountNumber": ["rJChk8e71gxVhyJSr1srzZxWhVisWMMYKZ:tag or memo"],
        },
        "Beneficiary": {"beneficiaryPersons": [person(lei), natural]},
        "OriginatingVASP": {"originatingVASP": person(lei)},
    }


def test_its_message_is_read() -> None:
    what = example("529900T8BM49AURSDO55")
    assert read_message(what).dialect == "code"
    assert select_errors(validate_message(what, profile="in", today=TODAY)) == []


def test_twenty_times_x_is_no_lei() -> None:
    errors = select_errors(validate_message(example("X" * 20), profile="in", today=TODAY))
    assert [(error.rule, error.pointer.split("/")[1]) for error in errors] == [
        ("C11", "Originator"),
        ("C11", "Beneficiary"),
        ("C11", "OriginatingVASP"),
    ]


def test_a_second_originator_of_whom_nothing_is_known_breaks_c1() -> None:
    what = example("529900T8BM49AURSDO55")
    what["Originator"]["originatorPersons"].append(what["Beneficiary"]["beneficiaryPersons"][1])
    errors = select_errors(validate_message(what, profile="in", today=TODAY))
    assert [(error.rule, error.pointer) for error in errors] == [
        ("C1", "/Originator/originatorPersons/1/naturalPerson")
    ]
