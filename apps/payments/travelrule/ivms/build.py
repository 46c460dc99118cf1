"""Build the message of a payment, as the platform's API shows it.

Its paths are those of document 2 section 2.3: `originatorVASP.vasp` and `beneficiaryVASP.vasp`,
where IVMS 101 has a double key, and `transferAmount`, which IVMS 101 lacks. `read_message` brings
it to the canonical form without loss, and `write_message` into the dialect of a counterparty.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from apps.payments.travelrule.ivms.rules import Finding, Transfer, validate_message
from apps.payments.travelrule.ivms.rules.datatypes import AMOUNT, CURRENCY
from apps.payments.travelrule.ivms.text import (
    count_characters,
    find_unsafe_character,
    is_within_charset,
    normalize_text,
)


class NotBuildable(ValueError):
    """A fact cannot be represented in a message; the text names it without its value."""


@dataclass(frozen=True, kw_only=True)
class Company:
    """A legal person: its name, and what else is known of it.

    `latin` is the name in printable ASCII where `name` is of another script or has accents: then
    `name` goes to the local names, as the standard has it. `accounts` are wallet addresses.
    `behind` are further persons of the same side, as for whom a company pays.
    """

    name: str
    lei: str = ""
    accounts: tuple[str, ...] = ()
    latin: str = ""
    customer: str = ""
    addresses: tuple[Mapping[str, Any], ...] = ()
    behind: "tuple[Company | Individual, ...]" = ()


@dataclass(frozen=True, kw_only=True)
class Individual:
    """A natural person; `name` is the full name, because the family name is not given separately.

    `birth` (dateOfBirth, placeOfBirth) and `identity` (nationalIdentifier and its type) are as
    IVMS 101 has them, empty where they are not known. The rest is as of a Company.
    """

    name: str
    accounts: tuple[str, ...] = ()
    latin: str = ""
    customer: str = ""
    addresses: tuple[Mapping[str, Any], ...] = ()
    birth: Mapping[str, str] = field(default_factory=dict)
    identity: Mapping[str, str] = field(default_factory=dict)
    behind: "tuple[Company | Individual, ...]" = ()


@dataclass(frozen=True)
class BuiltMessage:
    """The message, and the findings of `validate_message` with the profile `out`.

    A company without an LEI is identified by its name alone, as the specification requires; C4 is
    then among the findings, and D2b for a name beyond ASCII without a Latin form.
    """

    message: dict[str, Any]
    findings: tuple[Finding, ...]


def build_message(
    *,
    originator: Company | Individual,
    beneficiary: Company | Individual,
    originator_vasp: Company,
    beneficiary_vasp: Company,
    amount: str,
    currency: str,
    today: date,
    transfer: Transfer | None = None,
    authorities: frozenset[str] | None = None,
) -> BuiltMessage:
    """Return the message of a payment; NotBuildable for an empty name, a wrong amount or the like.

    `amount` is decimal text of the payment's own `currency`; `transfer` has what X1 needs.
    """
    if not (isinstance(amount, str) and AMOUNT.fullmatch(amount)):
        raise NotBuildable("The amount is not a decimal number in text form.")
    if not (isinstance(currency, str) and CURRENCY.fullmatch(currency)):
        raise NotBuildable("The currency is not a currency code.")
    message = {
        "originator": _build_party("originator", originator),
        "beneficiary": _build_party("beneficiary", beneficiary),
        "originatorVASP": {"vasp": _build_legal_person(originator_vasp)},
        "beneficiaryVASP": {"vasp": _build_legal_person(beneficiary_vasp)},
        "transferAmount": {"transferAmount": amount, "transferCurrency": currency},
    }
    findings = validate_message(
        message, profile="out", today=today, transfer=transfer, authorities=authorities
    )
    return BuiltMessage(message, tuple(finding for finding in findings if finding.severity != "N"))


def _build_party(side: str, party: Company | Individual) -> dict[str, Any]:
    accounts = [_check_text(account, "An account") for account in party.accounts]
    persons = [_build_person(person) for person in (party, *party.behind)]
    return {f"{side}Persons": persons, "accountNumber": accounts}


def _build_person(party: Company | Individual) -> dict[str, Any]:
    if isinstance(party, Individual):
        natural_person = {
            "name": _build_name(party, _build_natural_name),
            **_build_known_facts(party),
        }
        if party.identity:
            natural_person["nationalIdentification"] = dict(party.identity)
        if party.birth:
            natural_person["dateAndPlaceOfBirth"] = dict(party.birth)
        return {"naturalPerson": natural_person}
    return {"legalPerson": _build_legal_person(party)}


def _build_legal_person(company: Company) -> dict[str, Any]:
    legal_person = {"name": _build_name(company, _build_legal_name), **_build_known_facts(company)}
    if company.lei:
        lei = _check_text(company.lei, "An LEI")
        legal_person["nationalIdentification"] = {
            "nationalIdentifier": lei,
            "nationalIdentifierType": "LEIX",
        }
    return legal_person


def _build_known_facts(party: Company | Individual) -> dict[str, Any]:
    known_facts: dict[str, Any] = {}
    if party.addresses:
        known_facts["geographicAddress"] = [dict(address) for address in party.addresses]
    if party.customer:
        known_facts["customerIdentification"] = normalize_text(
            _check_text(party.customer, "A customer")
        )
    return known_facts


def _build_name(
    party: Company | Individual, spell: Callable[[str], dict[str, str]]
) -> dict[str, list[dict[str, str]]]:
    name = normalize_text(_check_text(party.name, "A name"))
    latin = normalize_text(_check_text(party.latin, "A name")) if party.latin else name
    # nameIdentifier takes printable ASCII only (D2b): the name as instructed is a local name
    name_payload = {"nameIdentifier": [spell(latin)]}
    if latin != name or not is_within_charset(name, charset="2023"):
        name_payload["localNameIdentifier"] = [spell(name)]
    return name_payload


def _build_legal_name(name: str) -> dict[str, str]:
    return {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}


def _build_natural_name(name: str) -> dict[str, str]:
    # IVMS 101: the primary identifier is the family name, or the whole name if it is not divided
    return {"primaryIdentifier": name, "nameIdentifierType": "LEGL"}


def _check_text(fact: str, what: str) -> str:
    if not isinstance(fact, str) or count_characters(fact) < 1:
        raise NotBuildable(f"{what} is missing.")
    if find_unsafe_character(fact):
        raise NotBuildable(f"{what} contains characters that are not allowed in a text.")
    return fact
