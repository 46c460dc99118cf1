"""An IVMS 101 message for people: each side's persons, names, identifiers, accounts and VASPs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from apps.lei.models import LeiRecord
from apps.travelrule import messages, sealing
from apps.travelrule.models import RecordKey, TravelRecord
from apps.travelrule.steps import Key
from apps.travelrule.telling import Event, KeyGone, opened

GONE = "erased, or its retention is over"
KEYLESS = "not to be read: its key is gone, and no purge is recorded"
UNREAD = "cannot be read with the keys that are held"
NAME_KINDS = {
    "LEGL": "legal name", "SHRT": "short name", "TRAD": "trading name", "ALIA": "alias",
    "BIRT": "name at birth", "MAID": "maiden name", "MISC": "other name",
}  # fmt: skip
IDENTIFIERS = {
    "ARNU": "Alien registration number", "CCPT": "Passport number",
    "RAID": "Registration authority number", "DRLC": "Driving licence number",
    "FIIN": "Foreign investment number", "TXID": "Tax number", "SOCS": "Social security number",
    "IDCD": "Identity card number", "LEIX": "LEI", "MISC": "Other identifier",
}  # fmt: skip
GROUPS = {"localNameIdentifier": "local script", "phoneticNameIdentifier": "as it sounds"}
SIDES = (("originator", "Originator"), ("beneficiary", "Beneficiary"))
VASPS = (("originating", "Originator’s VASP"), ("beneficiary", "Beneficiary’s VASP"))


@dataclass(frozen=True, slots=True)
class Names:
    """How a record's sides are called; `whole` says whether the message could be read."""

    originator: str
    beneficiary: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a person: `note` is said beside it, `address` leads to what it names."""

    label: str
    value: str
    note: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the transfer: a heading, and the facts of each of its persons."""

    title: str
    persons: list[list[Fact]]


def read(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | Key | None
) -> tuple[dict[str, Any], str]:
    """Return the message of a record, or none and why it cannot be shown."""
    if not events:
        return {}, "not as it was recorded"
    try:
        message = opened(record, events[0], key)
    except KeyGone:
        return {}, KEYLESS
    except sealing.Unreadable:
        return {}, UNREAD
    return (message, "") if message is not None else ({}, GONE)


def names(record: TravelRecord, events: Sequence[Event], key: RecordKey | Key | None) -> Names:
    """Return how the sides of a record are called."""
    message, why = read(record, events, key)
    if why:
        return Names(why, why, whole=False)
    originator, beneficiary = (name_of(message, side) for side, _ in SIDES)
    return Names(originator, beneficiary, whole=True)


def name_of(message: Mapping[str, Any], side: str) -> str:
    """Return how a side of a message is called."""
    return next(iter(messages.side_of(message, side).names), "") or "not named"


def kept(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | Key | None, part: str
) -> bytes:
    """Return a part of the first event that is kept encrypted (`raw`, `faults`); b"" for none."""
    if key is None or not events or events[0].purged or part not in events[0].data:
        return b""
    opener = sealing.unwrapped(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    return sealing.unseal(opener, events[0].data[part], what=part)


def faults_of(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | Key | None
) -> list[dict[str, str]]:
    """Return the rules that a message breaks, with the place of each."""
    found = kept(record, events, key, "faults")
    return list(json.loads(found)) if found else []


def sides(message: Mapping[str, Any], *, links: bool) -> list[Side]:
    """Return a message side by side; one query, for what GLEIF says of its LEIs.

    `links`: whether the reader may open records of GLEIF.
    """
    held = _gleif(message, links=links)
    found = [_party(message, side, title, held) for side, title in SIDES]
    for role, title in VASPS:
        person = message.get(f"{role}VASP", {}).get(f"{role}VASP", {})
        if person:
            found.append(Side(title, [list(_person(person, held))]))
    steps = message.get("transferPath", {}).get("transferPath", [])
    for one in steps:
        title = f"Intermediary VASP {one.get('sequence', '')}".strip()
        found.append(Side(title, [list(_person(one.get("intermediaryVASP", {}), held))]))
    return [one for one in found if any(one.persons)]


def _party(message: Mapping[str, Any], side: str, title: str, held: dict[str, Fact]) -> Side:
    said = message.get(side, {})
    persons = [list(_person(one, held)) for one in said.get(f"{side}Persons", [])]
    accounts = [Fact("Account", one) for one in said.get("accountNumber", [])]
    return Side(title, [*persons, accounts] if accounts else persons)


def _person(person: Mapping[str, Any], held: dict[str, Fact]) -> Iterator[Fact]:
    for kind, called in (("legalPerson", "Organisation"), ("naturalPerson", "Person")):
        body = person.get(kind)
        if body:
            yield from _names(body.get("name", {}), called)
            yield from _facts(body, held)
    for one in person.get("accountNumber", []):
        yield Fact("Account", one)


def _names(name: Mapping[str, Any], called: str) -> Iterator[Fact]:
    label = called
    for group in messages.NAMES:
        for one in name.get(group, []):
            parts = (one.get("secondaryIdentifier"), one.get("primaryIdentifier"))
            text = one.get("legalPersonName") or " ".join(filter(None, parts))
            kind = one.get("legalPersonNameIdentifierType") or one.get("nameIdentifierType") or ""
            notes = (NAME_KINDS.get(kind, kind), GROUPS.get(group, ""))
            yield Fact(label, text, ", ".join(filter(None, notes)))
            label = "Also"


def _facts(body: Mapping[str, Any], held: dict[str, Fact]) -> Iterator[Fact]:
    for one in body.get("geographicAddress", []):
        yield Fact("Address", messages.written(one), one.get("addressType", ""))
    national = body.get("nationalIdentification", {})
    number = str(national.get("nationalIdentifier", ""))
    if number:
        kind = national.get("nationalIdentifierType", "")
        issued = (national.get("countryOfIssue"), national.get("registrationAuthority"))
        known = held.get(number) if kind == "LEIX" else None
        note = known.note if known else ", ".join(filter(None, issued))
        label = IDENTIFIERS.get(kind, kind or "Identifier")
        yield Fact(label, number, note, known.address if known else "")
    born = body.get("dateAndPlaceOfBirth", {})
    for label, value in (
        ("Customer number", body.get("customerIdentification")),
        ("Born on", born.get("dateOfBirth")),
        ("Born in", born.get("placeOfBirth")),
        ("Resides in", body.get("countryOfResidence")),
        ("Registered in", body.get("countryOfRegistration")),
    ):
        if value:
            yield Fact(label, str(value))


def _gleif(message: Mapping[str, Any], *, links: bool) -> dict[str, Fact]:
    """Return what GLEIF says of each LEI in a message, as far as its records are held."""
    wanted = set(_leis(message))
    if not wanted:
        return {}
    found = LeiRecord.objects.held(wanted)
    numbers: dict[str, int] = {}
    if links:
        rows = LeiRecord.objects.filter(lei__in=found).order_by("pk")
        numbers = dict(rows.values_list("lei", "pk"))
    return {
        lei: Fact("LEI", lei, _said(one), _address(numbers.get(lei))) for lei, one in found.items()
    }


def _said(held: Any) -> str:
    one = held.entity
    status = one.registration_status.lower()
    return f"GLEIF: {one.legal_name}, {status}, as of {held.as_of:%d %b %Y}"


def _address(number: int | None) -> str:
    return reverse("admin:lei_leirecord_change", args=[number]) if number else ""


def _leis(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        if part.get("nationalIdentifierType") == "LEIX":
            yield str(part.get("nationalIdentifier", ""))[:20]
        for one in part.values():
            yield from _leis(one)
    elif isinstance(part, list):
        for one in part:
            yield from _leis(one)
