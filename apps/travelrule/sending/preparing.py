"""Makes ready what is sent: the message in the counterparty's dialect, once, and its headers."""

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.travelrule import sealing
from apps.travelrule.directory import keys, looking
from apps.travelrule.headers import PAYMENT, SIGNATURE
from apps.travelrule.headers import VERSION as VERSION_HEADER
from apps.travelrule.ivms import parse, read, write
from apps.travelrule.models import RecordKey, Transmission, Vasp
from apps.travelrule.telling import events_of, is_proved, opened

# document 2 section 9: issue 1 of May 2020, the version of all dialects but that of August 2023
VERSION, VERSION_2023 = "1.0", "101.2023"
BODY = "transmission"


class Unsendable(RuntimeError):
    """Nothing can be sent; `word` is a row of rules/sending.py."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Ready:
    """What one attempt sends, and where."""

    url: str
    content: bytes
    headers: dict[str, str]


def ready(transmission: Transmission, *, now: datetime) -> Ready:
    """Return what an attempt sends; Unsendable where nothing may or can be sent.

    Call it in a transaction: the bytes are kept before they are sent, so that each attempt sends
    the same ones, whatever the directory says meanwhile of dialects.
    """
    vasp, secret = _counterparty(transmission, now)
    content = _bytes(transmission, vasp)
    headers = {
        "Content-Type": "application/json",
        SIGNATURE: hmac.new(secret, content, hashlib.sha256).hexdigest(),
        VERSION_HEADER: _version(content),
    }
    if transmission.record.payment_id:
        headers[PAYMENT] = str(transmission.record.payment_id)
    return Ready(vasp.endpoint, content, headers)


def _version(content: bytes) -> str:
    """Return the version of the bytes that are sent, whatever the directory says meanwhile."""
    said = json.loads(content).get("payloadMetadata") or {}
    return VERSION_2023 if said.get("payloadVersion") == VERSION_2023 else VERSION


def _counterparty(transmission: Transmission, now: datetime) -> tuple[Vasp, bytes]:
    if transmission.lei != transmission.record.counterparty_lei:
        raise Unsendable("unproved")
    vasp, is_ours = looking.entry(transmission.lei)
    if vasp is None or (is_ours and not vasp.live(now.date())):
        raise Unsendable("not_listed")
    if not is_ours:
        raise Unsendable("unproved")
    secrets = keys.live([vasp])[vasp.lei]
    if not secrets:
        raise Unsendable("no_key")
    return vasp, secrets[0]


def _bytes(transmission: Transmission, vasp: Vasp) -> bytes:
    record = transmission.record
    events = events_of([record])[record.pk]
    if not is_proved(record, events):
        raise Unsendable("unproved")
    key = RecordKey.objects.filter(record=record).first()
    try:
        message = opened(record, events[0], key)
    except sealing.Unreadable:
        raise Unsendable("unproved") from None
    if message is None or key is None:
        raise Unsendable("erased")
    opener = sealing.unwrapped(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    if transmission.body:
        return _same(transmission, opener)
    content = json.dumps(
        outgoing(message, vasp), ensure_ascii=False, separators=(",", ":")
    ).encode()
    transmission.body = sealing.seal(opener, content, what=BODY)
    transmission.sha256 = hashlib.sha256(content).hexdigest()
    return content


def _same(transmission: Transmission, opener: bytes) -> bytes:
    """Return the bytes that were sent before; Unsendable where they are not those."""
    try:
        content = sealing.unseal(opener, transmission.body, what=BODY)
    except sealing.Unreadable:
        raise Unsendable("unproved") from None
    if hashlib.sha256(content).hexdigest() != transmission.sha256:
        raise Unsendable("unproved")
    return content


def outgoing(message: dict[str, Any], vasp: Vasp) -> dict[str, Any]:
    """Return a stored message as a counterparty reads it: in its dialect, itself named in it."""
    canonical = read(parse(json.dumps(message).encode())).message
    canonical["beneficiaryVASP"] = {"beneficiaryVASP": {"legalPerson": _named(vasp)}}
    return write(canonical, vasp.dialect).message


def _named(vasp: Vasp) -> dict[str, Any]:
    name = {"legalPersonName": vasp.name, "legalPersonNameIdentifierType": "LEGL"}
    lei = {"nationalIdentifier": vasp.lei, "nationalIdentifierType": "LEIX"}
    return {"name": {"nameIdentifier": [name]}, "nationalIdentification": lei}
