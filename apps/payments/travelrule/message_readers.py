"""What an IVMS 101 message in canonical form names: parties, accounts, VASPs and the amount.

Document 2 section 2.3.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.payments.travelrule.party_index import NamedSide

ADDRESS_LINE_FIELDS = (
    "department", "subDepartment", "buildingName", "floor", "room", "buildingNumber",
    "streetName", "postBox", "addressLine", "districtName", "townLocationName", "postCode",
    "townName", "countrySubDivision", "country",
)  # fmt: skip
NAME_GROUPS = ("nameIdentifier", "localNameIdentifier", "phoneticNameIdentifier")


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
    """Yield the sides by which a stored message may be indexed: whole, and by the first name."""
    for side in ("originator", "beneficiary"):
        whole = parse_named_side(message, side)
        yield whole
        # a message of ours also names persons behind a party, and may be indexed without them
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
    """Return an address of a canonical message in one line, in the order of an envelope."""
    parts = [address[name] for name in ADDRESS_LINE_FIELDS if name in address]
    lines = [", ".join(map(str, part)) if isinstance(part, list) else str(part) for part in parts]
    return ", ".join(filter(None, lines))


def amount_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return amount and currency of a canonical message; empty where it states none."""
    money = message.get("transferAmount", {})
    return str(money.get("transferAmount", "")), str(money.get("transferCurrency", ""))
