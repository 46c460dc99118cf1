"""IVMS 101 messages: that of a payment of ours, and what a canonical one names.

Document 2 section 2.3.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.payments.instructions import Instruction, Party, plain
from apps.travelrule.ivms import Built, Company, Finding, Human, NotBuildable, Transfer, build
from apps.travelrule.ivms.model import snake
from apps.travelrule.parties import Named
from apps.travelrule.rules.thresholds import threshold

# IVMS 101 wants a name; the specification's path for the VASP has no way to say that none is known
UNKNOWN_VASP = "Not known"
ADDRESS = (
    "streetName", "buildingNumber", "buildingName", "floor", "postBox", "room", "postCode",
    "townName", "townLocationName", "districtName", "countrySubDivision",
)  # fmt: skip
WRITTEN = (
    "department", "subDepartment", "buildingName", "floor", "room", "buildingNumber",
    "streetName", "postBox", "addressLine", "districtName", "townLocationName", "postCode",
    "townName", "countrySubDivision", "country",
)  # fmt: skip
LETTERS_OF_A_COUNTRY = 2
NAMES = ("nameIdentifier", "localNameIdentifier", "phoneticNameIdentifier")


def outbound(
    instruction: Instruction,
    *,
    counterparty: tuple[str, str],
    amount_usd: Decimal,
    executed_on: date,
) -> Built:
    """Return the message of an instruction, with what strict rules find in it.

    `counterparty` is the beneficiary's VASP by name and LEI, empty where it is not known. Where
    what was instructed cannot stand in a message at all, it is empty with the fault BUILD: the
    payment has settled, and has its record all the same.
    """
    name, lei = counterparty
    try:
        return build(
            originator=_company(instruction.debtor, instruction.ultimate_debtor),
            beneficiary=_company(instruction.creditor, instruction.ultimate_creditor),
            originator_vasp=Company(name=settings.OPERATOR_NAME, lei=settings.OPERATOR_LEI),
            beneficiary_vasp=Company(name=name or UNKNOWN_VASP, lei=lei),
            amount=plain(instruction.amount),
            currency=instruction.currency,
            today=executed_on,
            transfer=Transfer(
                amount_usd=amount_usd,
                executed_on=executed_on,
                threshold_usd=threshold(executed_on).usd,
            ),
        )
    except NotBuildable as error:
        return Built({}, (Finding("BUILD", "E", "", str(error), ""),))


def _company(party: Party, ultimate: Party | None = None) -> Company:
    """Return a party, and behind it whom it acts for, where the instruction names somebody."""
    behind = (_company(ultimate),) if ultimate is not None and ultimate.name else ()
    human = _human(party)
    addresses = addresses_of(party)
    if human:  # nobody says whether somebody lives there
        addresses = tuple({**one, "addressType": "GEOG"} for one in addresses)
    return Company(
        name=party.name,
        lei=party.lei,
        accounts=accounts_of(party),
        addresses=addresses,
        behind=behind,
        human=human,
    )


def _human(party: Party) -> Human | None:
    """Return what is told of a party that is a natural person; None for one with an LEI.

    The standard has room for one number, and for a country of issue where the issuer is one.
    """
    told = party.person
    if told is None or party.lei:
        return None
    place = ", ".join(filter(None, (told.birth_city, told.birth_country)))
    first = next(iter(told.numbers), None)
    number = None
    if first is not None:
        number = {"nationalIdentifier": first.number, "nationalIdentifierType": first.type}
        if len(first.issuer) == LETTERS_OF_A_COUNTRY:
            number["countryOfIssue"] = first.issuer
    return Human(born=told.birth_date, born_in=place[:70], number=number)


def addresses_of(party: Party) -> tuple[dict[str, Any], ...]:
    """Return a party's postal address as IVMS 101 has it; none without a town and a country.

    Its fields are those of ISO 20022. Of a company it is the business address (BIZZ). One without
    a street and a number is told in lines as well: the standard wants either (C8).
    """
    held = party.address
    country = (held.country or party.country) if held else ""
    if held is None or not country or not held.town_name:
        return ()
    found: dict[str, Any] = {"addressType": "BIZZ"}
    for name in ADDRESS:
        if value := getattr(held, snake(name)):
            found[name] = value
    lines = list(held.address_lines)
    building = held.building_name or held.building_number
    if not lines and not (held.street_name and building):
        parts = (held.street_name, building, held.post_box, held.post_code, held.town_name)
        lines = [" ".join(filter(None, parts))[:70]]
    return ({**found, **({"addressLine": lines[:7]} if lines else {}), "country": country},)


def agent_of(instruction: Instruction) -> tuple[str, str]:
    """Return name and LEI of the creditor's agent; its BIC stands for a name that is not given."""
    agent = instruction.creditor.agent
    return ((agent.name or agent.bic)[:100], agent.lei) if agent else ("", "")


def accounts_of(party: Party) -> tuple[str, ...]:
    """Return a party's wallet, then its other accounts."""
    return tuple(one for one in (party.wallet, *party.accounts) if one)


def named(party: Party, ultimate: Party | None = None) -> Named:
    """Return by what a side of an instruction is found: a party, and whom it acts for."""
    behind = (ultimate,) if ultimate is not None and ultimate.name else ()
    sides = (party, *behind)
    accounts = dict.fromkeys(account for one in sides for account in accounts_of(one))
    return Named(tuple(dict.fromkeys(one.name for one in sides)), tuple(accounts))


def side_of(message: Mapping[str, Any], side: str) -> Named:
    """Return by what a side (`originator`, `beneficiary`) of a canonical message is found."""
    held = message.get(side, {})
    persons = held.get(f"{side}Persons", [])
    accounts = [*held.get("accountNumber", [])]
    for person in persons:
        accounts += person.get("accountNumber", [])
    names = [name for person in persons for name in names_of(person)]
    return Named(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(accounts)))


def vasp_of(message: Mapping[str, Any], role: str) -> tuple[str, str]:
    """Return name and LEI of a VASP (`originating`, `beneficiary`); empty where it has none."""
    person = message.get(f"{role}VASP", {}).get(f"{role}VASP", {})
    legal = person.get("legalPerson", {})
    national = legal.get("nationalIdentification", {})
    is_lei = national.get("nationalIdentifierType") == "LEIX"
    lei = str(national.get("nationalIdentifier", "")) if is_lei else ""
    return next(iter(names_of(person)), "")[:100], lei[:20]


def lei_of(message: Mapping[str, Any], side: str) -> str:
    """Return the LEI of the first person of a side (`originator`, `beneficiary`), if it has one."""
    persons = message.get(side, {}).get(f"{side}Persons", [])
    legal = persons[0].get("legalPerson", {}) if persons else {}
    national = legal.get("nationalIdentification", {})
    is_lei = national.get("nationalIdentifierType") == "LEIX"
    return str(national.get("nationalIdentifier", "")) if is_lei else ""


def names_of(person: Mapping[str, Any]) -> Iterable[str]:
    """Yield every name of a canonical person, the first is what it is called."""
    for kind in ("legalPerson", "naturalPerson"):
        name = person.get(kind, {}).get("name", {})
        for group in NAMES:
            for one in name.get(group, []):
                parts = (one.get("secondaryIdentifier"), one.get("primaryIdentifier"))
                text = one.get("legalPersonName") or " ".join(filter(None, parts))
                if text:
                    yield text


def written(address: Mapping[str, Any]) -> str:
    """Return an address of a canonical message in one line, as it is written on a letter."""
    parts = [address.get(name, "") for name in WRITTEN]
    lines = [", ".join(map(str, one)) if isinstance(one, list) else str(one) for one in parts]
    return ", ".join(filter(None, lines))


def amount_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return amount and currency of a canonical message; empty where it states none."""
    money = message.get("transferAmount", {})
    return str(money.get("transferAmount", "")), str(money.get("transferCurrency", ""))
