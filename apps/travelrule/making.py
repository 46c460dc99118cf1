"""Makes records: rows, keys, parties and first events of several at once."""

import hashlib
import json
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.core.canonical import canonical
from apps.travelrule import parties, sealing
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.travelrule.moving import event_of
from apps.travelrule.parties import Named
from apps.travelrule.rules import VERSION, lifecycle, recording, thresholds
from apps.travelrule.rules.recording import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """A transfer to record. `message` is what is told of it, `raw` the bytes in which it came.

    `counterparty` is the other VASP by name and LEI, as far as it is known, `found_by` the row of
    rules/directory.py that found it. `faults` are rule ids of the strict message that does not
    hold. `executed_at` is when it was settled, where that is known. `named` is what its sender
    calls the payment, `reference` what the institution does that instructed it. `columns` are the
    rest of the record's.
    """

    facts: Facts
    amount: str
    currency: str
    message: dict[str, Any]
    originator: Named
    beneficiary: Named
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
def make(transfers: Sequence[Transfer], *, now: datetime) -> list[TravelRecord]:
    """Record transfers and return their records, in order; the caller claims each beforehand."""
    sides = (side for one in transfers for side in (one.originator, one.beneficiary))
    found = parties.parties_of(side for side in sides if side.names or side.accounts)
    records = [_record(one, found, now) for one in transfers]
    TravelRecord.objects.bulk_create(records)
    keys, rows = [], []
    for record, one in zip(records, transfers, strict=True):
        key, wrapped, under = sealing.new_key(of=str(record.record_id))
        keys.append(RecordKey(record=record, wrapped=wrapped, under=under))
        turn = lifecycle.turn("", record.status)
        rows.append(event_of(record, turn, facts=_facts(one, key)))
    RecordKey.objects.bulk_create(keys)
    TravelEvent.write_each(now=now, rows=rows)
    return records


def _record(one: Transfer, found: dict[Named, int], now: datetime) -> TravelRecord:
    row = recording.judged(one.facts)
    name, lei = one.counterparty
    return TravelRecord(
        record_id=uuid.uuid4(),
        payment_id=one.payment_id,
        owner=one.owner,
        direction=one.facts.direction,
        status=row.status,
        applies=row.applies,
        reason=row.reason,
        rule=row.ref,
        rules=VERSION,
        threshold_usd=thresholds.threshold(one.facts.on).usd,
        amount_usd=one.facts.amount_usd,
        amount=one.amount,
        currency=one.currency,
        originator_id=found.get(one.originator),
        beneficiary_id=found.get(one.beneficiary),
        counterparty=name,
        counterparty_lei=lei,
        created_at=now,
        retain_until=now + thresholds.KEPT,
        **(one.columns or {}),
    )


def _facts(one: Transfer, key: bytes) -> dict[str, Any]:
    """Return what the first event keeps: the message and its bytes encrypted, and its digest.

    The digest is salted, and the salt is encrypted with the message: names cannot be tried
    against it once the key is gone, and whoever is shown the message can hold it against the seal.
    """
    salt = secrets.token_hex(16)
    said = {"reference": one.reference} if one.reference else {}
    text = canonical({"salt": salt, "message": one.message} | said)
    kept: dict[str, Any] = {
        "message": sealing.seal(key, text, what="message"),
        "digest": message_digest(one.message, salt=salt),
        "parties": [parties.token_of(side) for side in (one.originator, one.beneficiary)],
    }
    if one.reference:
        kept["reference"] = reference_digest(one.reference, salt=salt)
    if one.executed_at:
        kept["executedAt"] = int(one.executed_at.timestamp())
    if one.found_by:
        kept["foundBy"] = one.found_by
    if one.raw:
        kept["raw"] = sealing.seal(key, one.raw, what="raw")
    if one.faults:
        kept["faults"] = sealing.seal(key, json.dumps(one.faults).encode(), what="faults")
        # pointers are a sender's own words and may hold names; which rules are broken is not
        kept["breaks"] = sorted({fault["rule"] for fault in one.faults})
    if one.named:
        kept["named"] = sealing.seal(key, one.named.encode(), what="named")
    return kept


def reference_digest(reference: str, *, salt: str) -> str:
    """Return the salted SHA-256 (hex) of an institution's reference in canonical form."""
    return hashlib.sha256(salt.encode() + b":" + canonical(reference)).hexdigest()


def message_digest(message: dict[str, Any], *, salt: str) -> str:
    """Return the salted SHA-256 (hex) of a message in canonical form."""
    return hashlib.sha256(salt.encode() + b":" + canonical(message)).hexdigest()
