"""Makes ready what is sent: the message in the counterparty's dialect, once, and its headers."""

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.payments.travelrule import encryption
from apps.payments.travelrule.directory import selectors, shared_secrets
from apps.payments.travelrule.ivms import parse_message, read_message, write_message
from apps.payments.travelrule.ivms.dialects.writer import VERSION_2023
from apps.payments.travelrule.message_headers import (
    PAYMENT_HEADER,
    SIGNATURE_HEADER,
    VERSION_HEADER,
)
from apps.payments.travelrule.models import RecordKey, Transmission, Vasp
from apps.payments.travelrule.selectors.verified_records import (
    decrypt_message,
    is_record_verified,
    load_verified_events,
)
from apps.platform.crypto.encryption import DecryptionFailed

# document 2 section 9: issue 1 of May 2020, the version of all dialects but that of August 2023
VERSION = "1.0"
BODY_PART = "transmission"


class UnsendableMessage(RuntimeError):
    """Nothing can be sent; `word` is a row of rules/transmissions.py."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class PreparedMessage:
    """What one attempt sends, and where."""

    url: str
    content: bytes
    headers: dict[str, str]


def prepare_message(transmission: Transmission, *, now: datetime) -> PreparedMessage:
    """Return the message to send; UnsendableMessage if it must not or cannot be sent.

    Call it in a transaction, which stores the bytes that it adds to the transmission.
    """
    vasp, secret = _load_counterparty(transmission, now)
    content = _load_content(transmission, vasp)
    # the version is that of the stored content, even if the directory has changed
    payload_metadata = json.loads(content).get("payloadMetadata") or {}
    version = VERSION_2023 if payload_metadata.get("payloadVersion") == VERSION_2023 else VERSION
    headers = {
        "Content-Type": "application/json",
        SIGNATURE_HEADER: hmac.new(secret, content, hashlib.sha256).hexdigest(),
        VERSION_HEADER: version,
    }
    if transmission.record.payment_id:
        headers[PAYMENT_HEADER] = str(transmission.record.payment_id)
    return PreparedMessage(vasp.endpoint, content, headers)


def _load_counterparty(transmission: Transmission, now: datetime) -> tuple[Vasp, bytes]:
    # a transmission that names another counterparty than its record was altered, and would send
    # the message to a stranger
    if transmission.lei != transmission.record.counterparty_lei:
        raise UnsendableMessage("unproved")
    vasp, is_ours = selectors.load_entry(transmission.lei)
    if vasp is None or (is_ours and not vasp.live(now.date())):
        raise UnsendableMessage("not_listed")
    if not is_ours:
        raise UnsendableMessage("unproved")
    secrets = shared_secrets.load_live_secrets([vasp])[vasp.lei]
    if not secrets:
        raise UnsendableMessage("no_key")
    # the newest signs; the one before it only verifies theirs
    return vasp, secrets[0]


def _load_content(transmission: Transmission, vasp: Vasp) -> bytes:
    record = transmission.record
    events = load_verified_events([record])[record.pk]
    if not is_record_verified(record, events):
        raise UnsendableMessage("unproved")
    key = RecordKey.objects.filter(record=record).first()
    try:
        message = decrypt_message(record, events[0], key)
    except DecryptionFailed:
        raise UnsendableMessage("unproved") from None
    if message is None or key is None:
        raise UnsendableMessage("erased")
    opener = encryption.unwrap_key(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    # every attempt sends the same bytes, by which a receiver knows a message that it has already:
    # they are made once, even if the directory's dialect changes meanwhile
    if transmission.body:
        return _load_sent_content(transmission, opener)
    content = json.dumps(
        build_outgoing_message(message, vasp), ensure_ascii=False, separators=(",", ":")
    ).encode()
    transmission.body = encryption.encrypt_part(opener, content, what=BODY_PART)
    transmission.sha256 = hashlib.sha256(content).hexdigest()
    return content


def _load_sent_content(transmission: Transmission, opener: bytes) -> bytes:
    """Return the bytes that were sent before; UnsendableMessage if they were altered."""
    try:
        content = encryption.decrypt_part(opener, transmission.body, what=BODY_PART)
    except DecryptionFailed:
        raise UnsendableMessage("unproved") from None
    if hashlib.sha256(content).hexdigest() != transmission.sha256:
        raise UnsendableMessage("unproved")
    return content


def build_outgoing_message(message: dict[str, Any], vasp: Vasp) -> dict[str, Any]:
    """Return a stored message in the counterparty's dialect, naming the counterparty."""
    # the stored message names whom the platform knew then: of a record that was STORED the
    # creditor's agent, or nobody
    canonical = read_message(parse_message(json.dumps(message).encode())).message
    name = {"legalPersonName": vasp.name, "legalPersonNameIdentifierType": "LEGL"}
    lei = {"nationalIdentifier": vasp.lei, "nationalIdentifierType": "LEIX"}
    canonical["beneficiaryVASP"] = {
        "beneficiaryVASP": {
            "legalPerson": {"name": {"nameIdentifier": [name]}, "nationalIdentification": lei}
        }
    }
    return write_message(canonical, vasp.dialect).message
