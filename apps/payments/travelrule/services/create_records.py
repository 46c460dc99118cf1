"""Create records: rows, keys, parties and first events of several at once."""

import hashlib
import json
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.payments.travelrule import encryption, party_index
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.party_index import NamedSide
from apps.payments.travelrule.record_transition import build_event
from apps.payments.travelrule.rules import VERSION, record_status, transitions, us_threshold
from apps.payments.travelrule.rules.record_status import TransferFacts
from apps.platform.crypto.canonical import canonical_json


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferInputs:
    """A transfer to record. `message` is its IVMS 101 message, `raw` the received bytes.

    `counterparty` is the other VASP by name and LEI, as far as it is known, `found_by` the row of
    rules/directory.py that found it. `faults` are rule ids of the strict message that does not
    hold. `executed_at` is when it was settled, where that is known. `named` is what its sender
    calls the payment, `reference` what the institution does that instructed it. `columns` are the
    rest of the record's.
    """

    facts: TransferFacts
    amount: str
    currency: str
    message: dict[str, Any]
    originator: NamedSide
    beneficiary: NamedSide
    owner: str = ""
    payment_id: uuid.UUID | None = None
    raw: bytes = b""
    faults: tuple[dict[str, str], ...] = ()
    counterparty: tuple[str, str] = ("", "")
    found_by: str = ""
    executed_at: datetime | None = None
    named: str = ""
    reference: str = ""
    columns: dict[str, Any] | None = None


@transaction.atomic
def create_records(transfers: Sequence[TransferInputs], *, now: datetime) -> list[TravelRecord]:
    """Record transfers and return their records, in order.

    The caller makes sure that none is recorded twice: it claims a hand-over, or a unique column
    refuses a repeated message.
    """
    # parties first: records refer to them
    sides = (side for transfer in transfers for side in (transfer.originator, transfer.beneficiary))
    party_ids = party_index.get_or_create_parties(
        side for side in sides if side.names or side.accounts
    )
    records = [_build_record(transfer, party_ids, now) for transfer in transfers]
    TravelRecord.objects.bulk_create(records)
    keys, rows = [], []
    # each record's message is encrypted under a key of its own, whose deletion erases it
    for record, transfer_inputs in zip(records, transfers, strict=True):
        key, wrapped, under = encryption.create_record_key(of=str(record.record_id))
        keys.append(RecordKey(record=record, wrapped=wrapped, under=under))
        turn = transitions.find_transition("", record.status)
        rows.append(build_event(record, turn, facts=_build_event_facts(transfer_inputs, key)))
    RecordKey.objects.bulk_create(keys)
    TravelEvent.write_each(now=now, rows=rows)
    return records


def _build_record(
    transfer_inputs: TransferInputs, party_ids: dict[NamedSide, int], now: datetime
) -> TravelRecord:
    row = record_status.judge_transfer(transfer_inputs.facts)
    name, lei = transfer_inputs.counterparty
    return TravelRecord(
        record_id=uuid.uuid4(),
        payment_id=transfer_inputs.payment_id,
        owner=transfer_inputs.owner,
        direction=transfer_inputs.facts.direction,
        status=row.status,
        applies=row.applies,
        reason=row.reason,
        rule=row.ref,
        rules=VERSION,
        threshold_usd=us_threshold.threshold_on(transfer_inputs.facts.on).usd,
        amount_usd=transfer_inputs.facts.amount_usd,
        amount=transfer_inputs.amount,
        currency=transfer_inputs.currency,
        originator_id=party_ids.get(transfer_inputs.originator),
        beneficiary_id=party_ids.get(transfer_inputs.beneficiary),
        counterparty=name,
        counterparty_lei=lei,
        created_at=now,
        retain_until=now + us_threshold.RETENTION_PERIOD,
        **(transfer_inputs.columns or {}),
    )


def _build_event_facts(transfer_inputs: TransferInputs, key: bytes) -> dict[str, Any]:
    """Return what the first event keeps: the message and its bytes encrypted, and its digest."""
    # The salt is encrypted with the message: who reads the message can compare it with the sealed
    # digest, and once the key is deleted nobody can try names against it.
    salt = secrets.token_hex(16)
    reference_fields = {"reference": transfer_inputs.reference} if transfer_inputs.reference else {}
    text = canonical_json({"salt": salt, "message": transfer_inputs.message} | reference_fields)
    event_facts: dict[str, Any] = {
        "message": encryption.encrypt_part(key, text, what="message"),
        "digest": salted_digest(transfer_inputs.message, salt=salt),
        "parties": [
            party_index.party_token(side)
            for side in (transfer_inputs.originator, transfer_inputs.beneficiary)
        ],
    }
    if transfer_inputs.reference:
        event_facts["reference"] = salted_digest(transfer_inputs.reference, salt=salt)
    if transfer_inputs.executed_at:
        event_facts["executedAt"] = int(transfer_inputs.executed_at.timestamp())
    if transfer_inputs.found_by:
        event_facts["foundBy"] = transfer_inputs.found_by
    if transfer_inputs.raw:
        event_facts["raw"] = encryption.encrypt_part(key, transfer_inputs.raw, what="raw")
    if transfer_inputs.faults:
        event_facts["faults"] = encryption.encrypt_part(
            key, json.dumps(transfer_inputs.faults).encode(), what="faults"
        )
        # in clear: pointers are a sender's own words and may hold names, ids of rules cannot
        event_facts["breaks"] = sorted({fault["rule"] for fault in transfer_inputs.faults})
    if transfer_inputs.named:
        event_facts["named"] = encryption.encrypt_part(
            key, transfer_inputs.named.encode(), what="named"
        )
    return event_facts


def salted_digest(value: Any, *, salt: str) -> str:
    """Return the salted SHA-256 (hex) of a message, or of a reference, in canonical form."""
    return hashlib.sha256(salt.encode() + b":" + canonical_json(value)).hexdigest()
