"""The canonical message: IVMS 101 issue 1 in camelCase, as one table of components.

Dialects, rules and tests all read it from here. The standard contradicts itself in places; the
canonical form has `postCode`, `customerIdentification` for natural and legal persons,
`accountNumber` as a list, and the VASP under its double key. It has two elements beyond issue 1:
`accountNumber` of a person (2023) and `transferAmount`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from apps.payments.travelrule.ivms import codes


def fold_key(key: str) -> str:
    """Return a key in one form: `post_code`, `PostCode` and `postCode` are the same."""
    return key.replace("_", "").replace("-", "").lower()


@dataclass(frozen=True, kw_only=True)
class Field:
    """One element. `needed` and `wrong` name the rules of its absence and of a wrong type.

    `kind` is text, code, country, date, authority, number, version or object. `free` texts may be
    of any script, `exact` ones are never altered. `longest` counts characters of a text, `most`
    entries of a list. `aliases` are other keys with the rule that reports them.
    """

    kind: str = "text"
    of: "Component | None" = None
    many: bool = False
    most: int = 0
    longest: int = 0
    free: bool = False
    exact: bool = False
    codes: frozenset[str] = frozenset()
    prefix: str = ""
    needed: str = ""
    wrong: str = "D0"
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Component:
    """A composite of the standard, its elements in their order."""

    name: str
    fields: Mapping[str, Field]

    @cached_property
    def known(self) -> dict[str, tuple[str, str]]:
        """Return folded key to element and the rule by which it is another spelling."""
        keys_known = {fold_key(name): (name, "S7") for name in self.fields}
        for name, form in self.fields.items():
            keys_known.update(
                {fold_key(alias): (name, rule) for alias, rule in form.aliases.items()}
            )
        return keys_known

    def lookup(self, key: str) -> tuple[str, str] | None:
        """Return the element of a key, and the rule if it is spelled otherwise; None: unknown."""
        return (key, "") if key in self.fields else self.known.get(fold_key(key))


def _build_aliases(spellings: str, rule: str = "S7") -> dict[str, str]:
    return dict.fromkeys(spellings.split(), rule)


def _build_text_field(longest: int, spellings: str = "", **more: object) -> Field:
    return Field(longest=longest, aliases=_build_aliases(spellings), **more)  # type: ignore[arg-type]


def _build_code_field(known: frozenset[str], prefix: str, **more: object) -> Field:
    return Field(kind="code", codes=known, prefix=f"{prefix}_CODE_", **more)  # type: ignore[arg-type]


def _build_natural_name(name: str, *, free: bool) -> Component:
    primary = "last_name surname family_name"
    renamed = {"naturalPersonNameIdentifierType": "D8"}
    kind = _build_code_field(
        codes.NATURAL_NAME_TYPES, "NATURAL_PERSON_NAME_TYPE", needed="S8", aliases=renamed
    )
    fields = {
        "primaryIdentifier": _build_text_field(100, primary, free=free, needed="S8"),
        "secondaryIdentifier": _build_text_field(100, "first_name given_name forename", free=free),
        "nameIdentifierType": kind,
    }
    return Component(name, fields)


def _build_legal_name(name: str, *, free: bool) -> Component:
    renamed = _build_aliases("nameIdentifierType")
    kind = _build_code_field(
        codes.LEGAL_NAME_TYPES, "LEGAL_PERSON_NAME_TYPE", needed="S8", aliases=renamed
    )
    fields = {
        "legalPersonName": _build_text_field(100, "name", free=free, needed="S8"),
        "legalPersonNameIdentifierType": kind,
    }
    return Component(name, fields)


def _build_names(name: str, plain: Component, local: Component) -> Component:
    kinds = {"nameIdentifier": plain, "localNameIdentifier": local, "phoneticNameIdentifier": local}
    fields = {
        key: Field(kind="object", of=component, many=True, aliases=_build_aliases(f"{key}s"))
        for key, component in kinds.items()
    }
    return Component(name, fields)


def _build_object_field(of: Component, spellings: str = "", **more: object) -> Field:
    return Field(kind="object", of=of, aliases=_build_aliases(spellings), **more)  # type: ignore[arg-type]


NATURAL_NAME = _build_names(
    "NaturalPersonName",
    _build_natural_name("NaturalPersonNameID", free=False),
    _build_natural_name("LocalNaturalPersonNameID", free=True),
)
LEGAL_NAME = _build_names(
    "LegalPersonName",
    _build_legal_name("LegalPersonNameID", free=False),
    _build_legal_name("LocalLegalPersonNameID", free=True),
)
# lengths: IVMS 101 section 6
ADDRESS = Component(
    "Address",
    {
        "addressType": _build_code_field(codes.ADDRESS_TYPES, "ADDRESS_TYPE", needed="S8b"),
        "department": _build_text_field(50),
        "subDepartment": _build_text_field(70),
        "streetName": _build_text_field(70, "street"),
        "buildingNumber": _build_text_field(16, "number"),
        "buildingName": _build_text_field(35, "building"),
        "floor": _build_text_field(70),
        "postBox": _build_text_field(16, "pob"),
        "room": _build_text_field(70),
        "postCode": Field(
            longest=16, aliases={"postcode": "D6"} | _build_aliases("postal_code zip_code zip")
        ),
        "townName": _build_text_field(35, "town city", needed="S8b"),
        "townLocationName": _build_text_field(35, "location_name"),
        "districtName": _build_text_field(35, "district"),
        "countrySubDivision": _build_text_field(35, "state province"),
        "addressLine": _build_text_field(70, "address_lines", many=True, most=7),
        "country": Field(kind="country", needed="S8b"),
    },
)
BIRTH = Component(
    "DateAndPlaceOfBirth",
    {
        "dateOfBirth": Field(kind="date", needed="S8", aliases=_build_aliases("dob")),
        "placeOfBirth": _build_text_field(70, "pob", needed="D9b"),
    },
)
IDENTIFICATION = Component(
    "NationalIdentification",
    {
        "nationalIdentifier": _build_text_field(35, "number identifier_number", needed="S8"),
        "nationalIdentifierType": _build_code_field(
            codes.IDENTIFIER_TYPES, "NATIONAL_IDENTIFIER_TYPE", needed="S8"
        ),
        "countryOfIssue": Field(kind="country", aliases=_build_aliases("country")),
        "registrationAuthority": Field(kind="authority", aliases=_build_aliases("ra")),
    },
)
_ADDRESSES = _build_object_field(ADDRESS, "geographic_addresses addresses address", many=True)
_CUSTOMER = Field(longest=50, aliases={"customerNumber": "D7"})
NATURAL = Component(
    "NaturalPerson",
    {
        "name": _build_object_field(NATURAL_NAME, "names"),
        "geographicAddress": _ADDRESSES,
        "nationalIdentification": _build_object_field(IDENTIFICATION),
        "customerIdentification": _CUSTOMER,
        "dateAndPlaceOfBirth": _build_object_field(BIRTH, "dob"),
        "countryOfResidence": Field(kind="country", aliases=_build_aliases("country")),
    },
)
LEGAL = Component(
    "LegalPerson",
    {
        "name": _build_object_field(LEGAL_NAME, "names"),
        "geographicAddress": _ADDRESSES,
        "customerIdentification": _CUSTOMER,
        "nationalIdentification": _build_object_field(IDENTIFICATION),
        "countryOfRegistration": Field(kind="country", aliases=_build_aliases("country")),
    },
)


def _build_accounts_field(longest: int) -> Field:
    return _build_text_field(longest, "account_numbers", many=True, exact=True, wrong="D4")


PERSON = Component(
    "Person",
    {
        "naturalPerson": _build_object_field(NATURAL),
        "legalPerson": _build_object_field(LEGAL),
        # IVMS 101.2023: Max512Text
        "accountNumber": _build_accounts_field(512),
    },
)


def _build_party(side: str) -> Component:
    persons = Field(kind="object", of=PERSON, many=True, aliases={f"{side}Person": "S2b"})
    return Component(
        side.title(), {f"{side}Persons": persons, "accountNumber": _build_accounts_field(100)}
    )


def _build_vasp(key: str) -> Component:
    other = {"originatorVASP": "P1"} if key == "originatingVASP" else {}
    person = Field(kind="object", of=PERSON, aliases=other)
    return Component(key[:1].upper() + key[1:], {key: person})


STEP = Component(
    "IntermediaryVASP",
    {
        "intermediaryVASP": _build_object_field(PERSON, needed="S8"),
        "sequence": Field(kind="number", needed="S8"),
    },
)
PATH = Component("TransferPath", {"transferPath": _build_object_field(STEP, many=True)})
METADATA = Component(
    "PayloadMetadata",
    {
        "transliterationMethod": _build_code_field(
            codes.SCRIPTS, "TRANSLITERATION_METHOD", many=True
        ),
        "payloadVersion": Field(kind="version"),
    },
)
AMOUNT = Component(
    "TransferAmount",
    {
        "transferAmount": _build_text_field(40, "amount", exact=True, wrong="P2"),
        "transferCurrency": _build_text_field(16, "currency", exact=True, wrong="P2"),
    },
)
VASPS = {key: _build_vasp(key) for key in ("originatingVASP", "beneficiaryVASP")}
MESSAGE = Component(
    "IdentityPayload",
    {
        "originator": _build_object_field(_build_party("originator")),
        "beneficiary": _build_object_field(_build_party("beneficiary")),
        "originatingVASP": Field(
            kind="object", of=VASPS["originatingVASP"], aliases={"originatorVASP": "P1"}
        ),
        "beneficiaryVASP": _build_object_field(VASPS["beneficiaryVASP"]),
        "transferPath": _build_object_field(PATH),
        "payloadMetadata": _build_object_field(METADATA),
        "transferAmount": _build_object_field(AMOUNT, wrong="P2"),
    },
)


def to_snake_case(key: str) -> str:
    """Return `originating_vasp` for `originatingVASP`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()
