"""Messages that tests begin from, and how they change them."""

import copy
from datetime import date
from typing import Any

TODAY = date(2026, 11, 20)
LEI = "529900T8BM49AURSDO55"  # its check digits are right
OTHER_LEI = "5299001ERX0K10IZUL40"
ADDRESS = {
    "addressType": "GEOG",
    "streetName": "Potential Street",
    "buildingNumber": "24",
    "postCode": "91765",
    "townName": "Walnut",
    "country": "US",
}
MARIA = {
    "name": {
        "nameIdentifier": [
            {
                "primaryIdentifier": "Noor",
                "secondaryIdentifier": "Maria",
                "nameIdentifierType": "LEGL",
            }
        ],
        "localNameIdentifier": [
            {
                "primaryIdentifier": "نور",
                "secondaryIdentifier": "ماريا",
                "nameIdentifierType": "LEGL",
            }
        ],
    },
    "geographicAddress": [ADDRESS | {"addressType": "HOME"}],
    "nationalIdentification": {
        "nationalIdentifier": "446005",
        "nationalIdentifierType": "RAID",
        "registrationAuthority": "RA000553",
    },
    "customerIdentification": "1002390",
    "dateAndPlaceOfBirth": {"dateOfBirth": "1990-02-25", "placeOfBirth": "Walnut"},
    "countryOfResidence": "TZ",
}


def company(name: str, lei: str = LEI) -> dict[str, Any]:
    """Return a person that is legal, with an LEI."""
    return {
        "legalPerson": {
            "name": {
                "nameIdentifier": [
                    {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}
                ]
            },
            "geographicAddress": [ADDRESS],
            "customerIdentification": "7",
            "nationalIdentification": {
                "nationalIdentifier": lei,
                "nationalIdentifierType": "LEIX",
            },
            "countryOfRegistration": "US",
        }
    }


def message() -> dict[str, Any]:
    """Return a canonical message without any fault, with everything that there is."""
    return copy.deepcopy(
        {
            "originator": {
                "originatorPersons": [{"naturalPerson": MARIA}, company("Noor Trading")],
                "accountNumber": ["0xAbCdEf"],
            },
            "beneficiary": {
                "beneficiaryPersons": [company("ABC Limited", OTHER_LEI)],
                "accountNumber": ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
            },
            "originatingVASP": {"originatingVASP": company("VASP A")},
            "beneficiaryVASP": {"beneficiaryVASP": company("VASP B", OTHER_LEI)},
            "transferPath": {
                "transferPath": [
                    {"intermediaryVASP": company("VASP E"), "sequence": 0},
                    {"intermediaryVASP": company("VASP F"), "sequence": 1},
                ]
            },
            "payloadMetadata": {"transliterationMethod": ["arab"]},
        }
    )


def steps(where: str) -> list[str | int]:
    """Return the parts of a JSON pointer; numbers count in lists."""
    return [int(part) if part.isdecimal() else part for part in where.split("/")[1:]]


def changed(where: str, value: Any = None, base: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the faultless message with one place set or added, or taken away (None)."""
    found = message() if base is None else copy.deepcopy(base)
    *way, last = steps(where)
    place: Any = found
    for part in way:
        place = place[part]
    if value is None:
        del place[last]
    elif isinstance(place, list) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    return found


NATURAL = "/originator/originatorPersons/0/naturalPerson"
LEGAL = "/originator/originatorPersons/1/legalPerson"
VASP = "/originatingVASP/originatingVASP/legalPerson"


def resolve_pointer(document: object, where: str) -> object:
    """Return what a JSON pointer points to; KeyError where there is nothing."""
    pointer = document
    for part in where.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(pointer, dict) and name in pointer:
            pointer = pointer[name]
        elif isinstance(pointer, list) and name.isdecimal() and int(name) < len(pointer):
            pointer = pointer[int(name)]
        else:
            raise KeyError(where)
    return pointer
