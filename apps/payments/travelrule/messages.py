"""IVMS 101 messages: that of a payment of ours, and what a canonical one names.

Document 2 section 2.3.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.payments.payments.instructions import Instruction, Party, Person, format_decimal
from apps.payments.travelrule.ivms import (
    BuiltMessage,
    Company,
    Finding,
    Individual,
    NotBuildable,
    Transfer,
    build_message,
    codes,
)
from apps.payments.travelrule.ivms.model import to_snake_case
from apps.payments.travelrule.party_index import NamedSide
from apps.payments.travelrule.rules.us_threshold import threshold_on
from apps.payments.travelrule.transliteration import transliterate_to_ascii

# IVMS 101 wants a name; the specification's path for the VASP has no way to say that none is known
UNKNOWN_VASP = "Not known"
ADDRESS_FIELDS = (
    "streetName", "buildingNumber", "buildingName", "floor", "postBox", "room", "postCode",
    "townName", "townLocationName", "districtName", "countrySubDivision",
)  # fmt: skip
MAX_LINE_LENGTH = 70
MAX_NUMBER_LENGTH = 35
# the others: 35 (IVMS 101 section 6)
MAX_FIELD_LENGTHS = {
    "streetName": 70,
    "floor": 70,
    "room": 70,
    "buildingNumber": 16,
    "postBox": 16,
    "postCode": 16,
}
ADDRESS_LINE_FIELDS = (
    "department", "subDepartment", "buildingName", "floor", "room", "buildingNumber",
    "streetName", "postBox", "addressLine", "districtName", "townLocationName", "postCode",
    "townName", "countrySubDivision", "country",
)  # fmt: skip
NAME_GROUPS = ("nameIdentifier", "localNameIdentifier", "phoneticNameIdentifier")


def build_outbound_message(
    instruction: Instruction,
    *,
    counterparty: tuple[str, str],
    amount_usd: Decimal,
    executed_on: date,
) -> BuiltMessage:
    """Return the message of an instruction, with the findings of the strict rules.

    `counterparty` is the beneficiary's VASP by name and LEI, empty if it is not known. If the
    instruction cannot be represented in a message, the message is empty with the fault BUILD: the
    payment has settled and needs its record.
    """
    name, lei = counterparty
    try:
        return build_message(
            originator=_build_side(instruction.debtor, instruction.ultimate_debtor),
            beneficiary=_build_side(instruction.creditor, instruction.ultimate_creditor),
            originator_vasp=_build_vasp(settings.OPERATOR_NAME, settings.OPERATOR_LEI),
            beneficiary_vasp=_build_vasp(name or UNKNOWN_VASP, lei),
            amount=format_decimal(instruction.amount),
            currency=instruction.currency,
            today=executed_on,
            transfer=Transfer(
                amount_usd=amount_usd,
                executed_on=executed_on,
                threshold_usd=threshold_on(executed_on).usd,
            ),
        )
    except NotBuildable as error:
        return BuiltMessage({}, (Finding("BUILD", "E", "", str(error), ""),))


def _build_vasp(name: str, lei: str) -> Company:
    return Company(name=name, latin=transliterate_to_ascii(name), lei=lei)


def _build_side(party: Party, ultimate: Party | None = None) -> Company | Individual:
    """Return a party, followed by the party it acts for, if the instruction names one."""
    facts: dict[str, Any] = {
        "name": party.name,
        "latin": transliterate_to_ascii(party.name),
        "accounts": accounts_of(party),
        "addresses": build_addresses(party),
        "behind": (_build_side(ultimate),) if ultimate is not None and ultimate.name else (),
    }
    if not is_natural_person(party):
        return Company(lei=party.lei, **facts)
    assert party.person is not None
    # IVMS 101 has neither without the other
    person = party.person
    place = ", ".join(filter(None, (person.birth_city, person.birth_country)))
    if not (person.birth_date and place):
        birth = {}
    else:
        birth = {
            "dateOfBirth": person.birth_date,
            "placeOfBirth": transliterate_to_ascii(place, most=MAX_LINE_LENGTH)[:MAX_LINE_LENGTH],
        }
    return Individual(birth=birth, identity=_build_identity(party.person), **facts)


def is_natural_person(party: Party) -> bool:
    """Tell whether a party is reported as a natural person: a party with an LEI is not."""
    return party.person is not None and not party.lei


def _build_identity(person: Person) -> dict[str, str]:
    """Return the first number that the person is identified by."""
    for personal_number in person.numbers:
        number = transliterate_to_ascii(personal_number.number)
        if personal_number.type in codes.IDENTIFIER_TYPES and len(number) <= MAX_NUMBER_LENGTH:
            issuer = (
                {"countryOfIssue": personal_number.issuer}
                if personal_number.issuer in codes.COUNTRIES
                else {}
            )
            return {
                "nationalIdentifier": number,
                "nationalIdentifierType": personal_number.type,
            } | issuer
    return {}


def build_addresses(party: Party) -> tuple[dict[str, Any], ...]:
    """Return a party's postal address as IVMS 101 has it; none without a town and a country.

    Its fields are those of ISO 20022. For an entity with an LEI it is a business address (BIZZ);
    any other identifies the party (GEOG, which C4 requires). Without a street and number it is also
    given in lines: the standard requires either (C8). Only ASCII letters are allowed.
    """
    address = party.address
    country = (address.country or party.country) if address else ""
    if address is None or not country or not address.town_name:
        return ()
    address_payload: dict[str, Any] = {"addressType": "BIZZ" if party.lei else "GEOG"}
    for name in ADDRESS_FIELDS:
        if value := getattr(address, to_snake_case(name)):
            address_payload[name] = transliterate_to_ascii(
                value, most=MAX_FIELD_LENGTHS.get(name, 35)
            )
    lines = [transliterate_to_ascii(line, most=MAX_LINE_LENGTH) for line in address.address_lines]
    building = address.building_name or address.building_number
    if not lines and not (address.street_name and building):
        parts = (
            address.street_name,
            building,
            address.post_box,
            address.post_code,
            address.town_name,
        )
        lines = [
            transliterate_to_ascii(" ".join(filter(None, parts)), most=MAX_LINE_LENGTH)[
                :MAX_LINE_LENGTH
            ]
        ]
    return (
        {**address_payload, **({"addressLine": lines[:7]} if lines else {}), "country": country},
    )


def creditor_agent_of(instruction: Instruction) -> tuple[str, str]:
    """Return name and LEI of the creditor's agent; without a name, its BIC."""
    agent = instruction.creditor.agent
    return ((agent.name or agent.bic)[:100], agent.lei) if agent else ("", "")


def accounts_of(party: Party) -> tuple[str, ...]:
    """Return a party's wallet, then its other accounts."""
    return tuple(account for account in (party.wallet, *party.accounts) if account)


def build_named_side(party: Party, ultimate: Party | None = None) -> NamedSide:
    """Return by what a side of an instruction is found: a party, and whom it acts for."""
    behind = (ultimate,) if ultimate is not None and ultimate.name else ()
    sides = (party, *behind)
    accounts = dict.fromkeys(account for side in sides for account in accounts_of(side))
    return NamedSide(tuple(dict.fromkeys(side.name for side in sides)), tuple(accounts))


def parse_named_side(message: Mapping[str, Any], side: str) -> NamedSide:
    """Return by what a side (`originator`, `beneficiary`) of a canonical message is found."""
    side_fields = message.get(side, {})
    persons = side_fields.get(f"{side}Persons", [])
    accounts = [*side_fields.get("accountNumber", [])]
    for person in persons:
        accounts += person.get("accountNumber", [])
    names = [name for person in persons for name in names_of(person)]
    return NamedSide(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(accounts)))


def list_named_sides(message: Mapping[str, Any]) -> Iterable[NamedSide]:
    """Yield what a stored message may have been found by: each side whole, and by its first name.

    A message of ours names the persons behind a party as well; it is found by the party alone.
    """
    for side in ("originator", "beneficiary"):
        whole = parse_named_side(message, side)
        yield whole
        accounts = tuple(message.get(side, {}).get("accountNumber", ()))
        yield NamedSide(whole.names[:1], accounts)


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
        for group in NAME_GROUPS:
            for name_row in name.get(group, []):
                parts = (name_row.get("secondaryIdentifier"), name_row.get("primaryIdentifier"))
                text = name_row.get("legalPersonName") or " ".join(filter(None, parts))
                if text:
                    yield text


def format_address(address: Mapping[str, Any]) -> str:
    """Return an address of a canonical message in one line, as it is written on a letter."""
    parts = [address[name] for name in ADDRESS_LINE_FIELDS if name in address]
    lines = [", ".join(map(str, part)) if isinstance(part, list) else str(part) for part in parts]
    return ", ".join(filter(None, lines))


def amount_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return amount and currency of a canonical message; empty where it states none."""
    money = message.get("transferAmount", {})
    return str(money.get("transferAmount", "")), str(money.get("transferCurrency", ""))
