"""Builds the message of a payment, as the platform's API shows it.

Its paths are those of document 2, section 2.3: `originatorVASP.vasp`, `beneficiaryVASP.vasp` and
`transferAmount`, where IVMS 101 has `originatingVASP.originatingVASP`, `beneficiaryVASP.
beneficiaryVASP` and nothing. `dialects.read` brings it to the canonical form without loss;
`dialects.write` from there to whatever a counterparty reads.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from apps.travelrule.ivms.rules import Finding, Transfer, validate
from apps.travelrule.ivms.text import length, normalised, unsafe, within

_AMOUNT = re.compile(r"[0-9]{1,24}(\.[0-9]{1,18})?")
_CURRENCY = re.compile(r"[A-Z0-9]{3,12}")


class NotBuildable(ValueError):
    """A fact cannot stand in a message at all; the text says which, and not its value."""


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
    """A natural person; `name` is the whole name, as nobody said which part is the family's.

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
class Built:
    """The message, and what the rules for messages that are sent find in it (see `validate`).

    A company without an LEI is named alone, as the specification asks; then C4 is among the
    findings, and D2b where a name has letters beyond ASCII and no Latin form.
    """

    message: dict[str, Any]
    findings: tuple[Finding, ...]


def build(
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
) -> Built:
    """Return the message of a payment; NotBuildable for an empty name, a wrong amount or the like.

    `amount` is decimal text of the payment's own `currency`; `transfer` has what X1 needs.
    """
    if not (isinstance(amount, str) and _AMOUNT.fullmatch(amount)):
        raise NotBuildable("The amount is no decimal text.")
    if not (isinstance(currency, str) and _CURRENCY.fullmatch(currency)):
        raise NotBuildable("The currency is no code.")
    message = {
        "originator": _party("originator", originator),
        "beneficiary": _party("beneficiary", beneficiary),
        "originatorVASP": {"vasp": _legal(originator_vasp)},
        "beneficiaryVASP": {"vasp": _legal(beneficiary_vasp)},
        "transferAmount": {"transferAmount": amount, "transferCurrency": currency},
    }
    found = validate(
        message, profile="out", today=today, transfer=transfer, authorities=authorities
    )
    return Built(message, tuple(one for one in found if one.severity != "N"))


def _party(side: str, party: Company | Individual) -> dict[str, Any]:
    accounts = [_plain(one, "An account") for one in party.accounts]
    persons = [_person(one) for one in (party, *party.behind)]
    return {f"{side}Persons": persons, "accountNumber": accounts}


def _person(party: Company | Individual) -> dict[str, Any]:
    if isinstance(party, Individual):
        return {"naturalPerson": _natural(party)}
    return {"legalPerson": _legal(party)}


def _legal(company: Company) -> dict[str, Any]:
    found = {"name": _name(company, _legal_name), **_known(company)}
    if company.lei:
        lei = _plain(company.lei, "An LEI")
        found["nationalIdentification"] = {
            "nationalIdentifier": lei,
            "nationalIdentifierType": "LEIX",
        }
    return found


def _natural(person: Individual) -> dict[str, Any]:
    found = {"name": _name(person, _natural_name), **_known(person)}
    if person.identity:
        found["nationalIdentification"] = dict(person.identity)
    if person.birth:
        found["dateAndPlaceOfBirth"] = dict(person.birth)
    return found


def _known(party: Company | Individual) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if party.addresses:
        found["geographicAddress"] = [dict(one) for one in party.addresses]
    if party.customer:
        found["customerIdentification"] = normalised(_plain(party.customer, "A customer"))
    return found


def _name(
    party: Company | Individual, told: Callable[[str], dict[str, str]]
) -> dict[str, list[dict[str, str]]]:
    name = normalised(_plain(party.name, "A name"))
    latin = normalised(_plain(party.latin, "A name")) if party.latin else name
    found = {"nameIdentifier": [told(latin)]}
    if latin != name or not within(name, charset="2023"):
        found["localNameIdentifier"] = [told(name)]
    return found


def _legal_name(name: str) -> dict[str, str]:
    return {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}


def _natural_name(name: str) -> dict[str, str]:
    return {"primaryIdentifier": name, "nameIdentifierType": "LEGL"}


def _plain(fact: str, what: str) -> str:
    if not isinstance(fact, str) or length(fact) < 1:
        raise NotBuildable(f"{what} is missing.")
    if unsafe(fact):
        raise NotBuildable(f"{what} holds characters that no text may hold.")
    return fact
