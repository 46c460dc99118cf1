"""An IVMS 101 message for people: each side's persons, names, identifiers, accounts and VASPs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from apps.payments.travelrule import encryption, message_readers
from apps.payments.travelrule.models import RecordKey, TravelRecord
from apps.payments.travelrule.selectors.event_rows import KeyRow
from apps.payments.travelrule.selectors.verified_records import (
    Event,
    RecordKeyMissing,
    decrypt_message,
)
from apps.platform.crypto.encryption import DecryptionFailed
from apps.reference.lei.models import LeiRecord

ERASED_REASON = "erased, or its retention has ended"
KEYLESS_REASON = "unreadable: its key is missing and no purge is recorded"
UNREADABLE_REASON = "cannot be read with the available keys"
NAME_KIND_LABELS = {
    "LEGL": "legal name", "SHRT": "short name", "TRAD": "trading name", "ALIA": "alias",
    "BIRT": "name at birth", "MAID": "maiden name", "MISC": "other name",
}  # fmt: skip
IDENTIFIER_LABELS = {
    "ARNU": "Alien registration number", "CCPT": "Passport number",
    "RAID": "Registration authority number", "DRLC": "Driving licence number",
    "FIIN": "Foreign investment number", "TXID": "Tax number", "SOCS": "Social security number",
    "IDCD": "Identity card number", "LEIX": "LEI", "MISC": "Other identifier",
}  # fmt: skip
NAME_GROUP_LABELS = {
    "localNameIdentifier": "local script",
    "phoneticNameIdentifier": "phonetic",
}
SIDE_TITLES = (("originator", "Originator"), ("beneficiary", "Beneficiary"))
VASP_TITLES = (("originating", "Originator’s VASP"), ("beneficiary", "Beneficiary’s VASP"))


@dataclass(frozen=True, slots=True)
class SideNames:
    """How a record's sides are called; `whole` says whether the message could be read."""

    originator: str
    beneficiary: str
    whole: bool


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """One line about a person: `note` is shown next to it, `address` is the page of its subject."""

    label: str
    value: str
    note: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class MessageSide:
    """A side of the transfer: a heading, and the facts of each of its persons."""

    title: str
    persons: list[list[LabelledFact]]


def read_stored_message(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | KeyRow | None
) -> tuple[dict[str, Any], str]:
    """Return the message of a record, or none and why it cannot be shown."""
    if not events:
        return {}, "integrity check failed"
    try:
        message = decrypt_message(record, events[0], key)
    except RecordKeyMissing:
        return {}, KEYLESS_REASON
    except DecryptionFailed:
        return {}, UNREADABLE_REASON
    return (message, "") if message is not None else ({}, ERASED_REASON)


def load_side_names(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | KeyRow | None
) -> SideNames:
    """Return how the sides of a record are called."""
    message, why = read_stored_message(record, events, key)
    if why:
        return SideNames(why, why, whole=False)
    originator, beneficiary = (side_name_of(message, side) for side, _ in SIDE_TITLES)
    return SideNames(originator, beneficiary, whole=True)


def side_name_of(message: Mapping[str, Any], side: str) -> str:
    """Return the first name of a side of a message."""
    return next(iter(message_readers.parse_named_side(message, side).names), "") or "not named"


def load_encrypted_part(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | KeyRow | None, part: str
) -> bytes:
    """Return a part of the first event that is kept encrypted (`raw`, `faults`); b"" for none."""
    if key is None or not events or events[0].purged or part not in events[0].data:
        return b""
    opener = encryption.unwrap_key(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    return encryption.decrypt_part(opener, events[0].data[part], what=part)


def load_message_faults(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | KeyRow | None
) -> list[dict[str, str]]:
    """Return the rules that a message breaks, with the place of each."""
    faults_json = load_encrypted_part(record, events, key, "faults")
    return list(json.loads(faults_json)) if faults_json else []


def build_message_sides(message: Mapping[str, Any], *, links: bool) -> list[MessageSide]:
    """Return a message side by side; one query, for what GLEIF says of its LEIs.

    `links`: whether the reader may open records of GLEIF.
    """
    gleif_facts = _load_gleif_facts(message, links=links)
    sides = [_build_party_side(message, side, title, gleif_facts) for side, title in SIDE_TITLES]
    for role, title in VASP_TITLES:
        person = message.get(f"{role}VASP", {}).get(f"{role}VASP", {})
        if person:
            sides.append(MessageSide(title, [list(_list_person_facts(person, gleif_facts))]))
    steps = message.get("transferPath", {}).get("transferPath", [])
    for step in steps:
        title = f"Intermediary VASP {step.get('sequence', '')}".strip()
        sides.append(
            MessageSide(
                title, [list(_list_person_facts(step.get("intermediaryVASP", {}), gleif_facts))]
            )
        )
    return [party_side for party_side in sides if any(party_side.persons)]


def _build_party_side(
    message: Mapping[str, Any], side: str, title: str, labelled_facts: dict[str, LabelledFact]
) -> MessageSide:
    side_fields = message.get(side, {})
    persons = [
        list(_list_person_facts(person, labelled_facts))
        for person in side_fields.get(f"{side}Persons", [])
    ]
    accounts = [
        LabelledFact("Account", account) for account in side_fields.get("accountNumber", [])
    ]
    return MessageSide(title, [*persons, accounts] if accounts else persons)


def _list_person_facts(
    person: Mapping[str, Any], labelled_facts: dict[str, LabelledFact]
) -> Iterator[LabelledFact]:
    for kind, called in (("legalPerson", "Organisation"), ("naturalPerson", "Person")):
        body = person.get(kind)
        if body:
            yield from _list_name_facts(body.get("name", {}), called)
            yield from _list_body_facts(body, labelled_facts)
    for account in person.get("accountNumber", []):
        yield LabelledFact("Account", account)


def _list_name_facts(name: Mapping[str, Any], called: str) -> Iterator[LabelledFact]:
    label = called
    for group in message_readers.NAME_GROUPS:
        for name_row in name.get(group, []):
            parts = (name_row.get("secondaryIdentifier"), name_row.get("primaryIdentifier"))
            text = name_row.get("legalPersonName") or " ".join(filter(None, parts))
            kind = (
                name_row.get("legalPersonNameIdentifierType")
                or name_row.get("nameIdentifierType")
                or ""
            )
            notes = (NAME_KIND_LABELS.get(kind, kind), NAME_GROUP_LABELS.get(group, ""))
            yield LabelledFact(label, text, ", ".join(filter(None, notes)))
            label = "Also"


def _list_body_facts(
    body: Mapping[str, Any], labelled_facts: dict[str, LabelledFact]
) -> Iterator[LabelledFact]:
    for address in body.get("geographicAddress", []):
        yield LabelledFact(
            "Address", message_readers.format_address(address), address.get("addressType", "")
        )
    national = body.get("nationalIdentification", {})
    number = str(national.get("nationalIdentifier", ""))
    if number:
        kind = national.get("nationalIdentifierType", "")
        issued = (national.get("countryOfIssue"), national.get("registrationAuthority"))
        known = labelled_facts.get(number) if kind == "LEIX" else None
        note = known.note if known else ", ".join(filter(None, issued))
        label = IDENTIFIER_LABELS.get(kind, kind or "Identifier")
        yield LabelledFact(label, number, note, known.address if known else "")
    born = body.get("dateAndPlaceOfBirth", {})
    for label, value in (
        ("Customer number", body.get("customerIdentification")),
        ("Born on", born.get("dateOfBirth")),
        ("Born in", born.get("placeOfBirth")),
        ("Resides in", body.get("countryOfResidence")),
        ("Registered in", body.get("countryOfRegistration")),
    ):
        if value:
            yield LabelledFact(label, str(value))


def _load_gleif_facts(message: Mapping[str, Any], *, links: bool) -> dict[str, LabelledFact]:
    """Return what GLEIF says of each LEI in a message, as far as its records are held."""
    leis = set(_find_leis(message))
    if not leis:
        return {}
    held_records = LeiRecord.objects.held(leis)
    numbers: dict[str, int] = {}
    if links:
        rows = LeiRecord.objects.filter(lei__in=held_records).order_by("pk")
        numbers = dict(rows.values_list("lei", "pk"))
    return {
        lei: LabelledFact(
            "LEI", lei, _describe_gleif_record(entity), _gleif_page_url(numbers.get(lei))
        )
        for lei, entity in held_records.items()
    }


def _describe_gleif_record(gleif_record: Any) -> str:
    entity = gleif_record.entity
    status = entity.registration_status.lower()
    return f"GLEIF: {entity.legal_name}, {status}, as of {gleif_record.as_of:%d %b %Y}"


def _gleif_page_url(number: int | None) -> str:
    return reverse("admin:lei_leirecord_change", args=[number]) if number else ""


def _find_leis(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        if part.get("nationalIdentifierType") == "LEIX":
            # also of messages that were refused, where it may have any length
            yield str(part.get("nationalIdentifier", ""))[:20]
        for value in part.values():
            yield from _find_leis(value)
    elif isinstance(part, list):
        for value in part:
            yield from _find_leis(value)
