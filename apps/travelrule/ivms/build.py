"""Builds the message of a payment between companies, as the platform's API shows it.

Its paths are those of document 2, section 2.3: `originatorVASP.vasp`, `beneficiaryVASP.vasp` and
`transferAmount`, where IVMS 101 has `originatingVASP.originatingVASP`, `beneficiaryVASP.
beneficiaryVASP` and nothing. `dialects.read` brings it to the canonical form without loss;
`dialects.write` from there to whatever a counterparty reads.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.travelrule.ivms.rules import Finding, Transfer, validate
from apps.travelrule.ivms.text import length, normalised, unsafe, within

_AMOUNT = re.compile(r"[0-9]{1,24}(\.[0-9]{1,18})?")
_CURRENCY = re.compile(r"[A-Z0-9]{3,12}")


class NotBuildable(ValueError):
    """A fact cannot stand in a message at all; the text says which, and not its value."""


@dataclass(frozen=True, kw_only=True)
class Human:
    """What is told of a natural person beside the name; `born` is a day (ISO 8601).

    `number` is the nationalIdentification of the standard, as a whole.
    """

    born: str = ""
    born_in: str = ""
    number: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Company:
    """A person of a transfer: its name, and what else is known of it.

    It is a legal person, unless `human` says that it is a natural one: that has no LEI.

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
    behind: "tuple[Company, ...]" = ()
    human: Human | None = None


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
    originator: Company,
    beneficiary: Company,
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


def _party(side: str, company: Company) -> dict[str, Any]:
    accounts = [_plain(one, "An account") for one in company.accounts]
    persons = [_person(one) for one in (company, *company.behind)]
    return {f"{side}Persons": persons, "accountNumber": accounts}


def _person(company: Company) -> dict[str, Any]:
    human = company.human
    return (
        {"naturalPerson": _natural(company, human)} if human else {"legalPerson": _legal(company)}
    )


def _natural(company: Company, human: Human) -> dict[str, Any]:
    """Return a natural person, its whole name as the primary identifier: nothing says which part
    of it is the family's."""
    name = _name(company)
    kinds = {
        group: [
            {"primaryIdentifier": one["legalPersonName"], "nameIdentifierType": "LEGL"}
            for one in entries
        ]
        for group, entries in name.items()
    }
    found: dict[str, Any] = {"name": kinds}
    if company.addresses:
        found["geographicAddress"] = [dict(one) for one in company.addresses]
    if human.number:
        found["nationalIdentification"] = dict(human.number)
    if company.customer:
        found["customerIdentification"] = normalised(_plain(company.customer, "A customer"))
    if human.born:
        place = {"placeOfBirth": human.born_in} if human.born_in else {}
        found["dateAndPlaceOfBirth"] = {"dateOfBirth": human.born, **place}
    return found


def _legal(company: Company) -> dict[str, Any]:
    found: dict[str, Any] = {"name": _name(company)}
    if company.addresses:
        found["geographicAddress"] = [dict(one) for one in company.addresses]
    if company.customer:
        found["customerIdentification"] = normalised(_plain(company.customer, "A customer"))
    if company.lei:
        lei = _plain(company.lei, "An LEI")
        found["nationalIdentification"] = {
            "nationalIdentifier": lei,
            "nationalIdentifierType": "LEIX",
        }
    return found


def _name(company: Company) -> dict[str, Any]:
    name = normalised(_plain(company.name, "A name"))
    latin = normalised(_plain(company.latin, "A name")) if company.latin else name
    found = {"nameIdentifier": [_legal_name(latin)]}
    if latin != name or not within(name, charset="2023"):
        found["localNameIdentifier"] = [_legal_name(name)]
    return found


def _legal_name(name: str) -> dict[str, str]:
    return {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}


def _plain(fact: str, what: str) -> str:
    if not isinstance(fact, str) or length(fact) < 1:
        raise NotBuildable(f"{what} is missing.")
    if unsafe(fact):
        raise NotBuildable(f"{what} holds characters that no text may hold.")
    return fact
