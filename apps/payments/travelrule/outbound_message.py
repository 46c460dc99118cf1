"""Build the travel-rule message (IVMS101) of a payment that leaves."""

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
from apps.payments.travelrule.party_index import accounts_of
from apps.payments.travelrule.rules.us_threshold import threshold_on
from apps.payments.travelrule.transliteration import transliterate_to_ascii

# IVMS 101 requires a name, and the specification's path for the VASP cannot say that none is known
UNKNOWN_VASP = "Not known"
ADDRESS_FIELDS = (
    "streetName", "buildingNumber", "buildingName", "floor", "postBox", "room", "postCode",
    "townName", "townLocationName", "districtName", "countrySubDivision",
)  # fmt: skip
# characters (IVMS 101 section 6); fields of an address that are not named have at most 35
MAX_LINE_LENGTH = 70
MAX_NUMBER_LENGTH = 35
MAX_FIELD_LENGTHS = {
    "streetName": 70,
    "floor": 70,
    "room": 70,
    "buildingNumber": 16,
    "postBox": 16,
    "postCode": 16,
}


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
    # dateAndPlaceOfBirth requires both
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

    Its fields are those of ISO 20022, in ASCII.
    """
    address = party.address
    country = (address.country or party.country) if address else ""
    if address is None or not country or not address.town_name:
        return ()
    # An LEI identifies the party, so that its address need not: it is a business address (BIZZ).
    # Without an LEI the address must identify the party, for which C4 accepts only GEOG.
    address_payload: dict[str, Any] = {"addressType": "BIZZ" if party.lei else "GEOG"}
    for name in ADDRESS_FIELDS:
        if value := getattr(address, to_snake_case(name)):
            address_payload[name] = transliterate_to_ascii(
                value, most=MAX_FIELD_LENGTHS.get(name, 35)
            )
    lines = [transliterate_to_ascii(line, most=MAX_LINE_LENGTH) for line in address.address_lines]
    building = address.building_name or address.building_number
    # C8 requires lines, or a street with a building
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
        # at most seven lines (D3)
        {**address_payload, **({"addressLine": lines[:7]} if lines else {}), "country": country},
    )


def creditor_agent_of(instruction: Instruction) -> tuple[str, str]:
    """Return name and LEI of the creditor's agent; without a name, its BIC."""
    agent = instruction.creditor.agent
    return ((agent.name or agent.bic)[:100], agent.lei) if agent else ("", "")
