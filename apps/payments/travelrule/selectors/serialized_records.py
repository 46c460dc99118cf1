"""How the API shows travel-rule records."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from apps.payments.travelrule.ivms.rules.table import BY_ID
from apps.payments.travelrule.models import RecordKey
from apps.payments.travelrule.rules import record_status, transitions, transmissions, us_threshold
from apps.payments.travelrule.selectors.event_rows import KeyRow, load_key_rows
from apps.payments.travelrule.selectors.verified_records import (
    Event,
    Record,
    decrypt_record_text,
    is_record_verified,
    load_list_events,
)
from apps.platform.crypto.encryption import DecryptionFailed

logger = logging.getLogger(__name__)


ERASED_NOTE = "The content of the message was erased, or its retention period is over."


def serialize_records(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return records as RecordOut has them; two queries.

    Records that fail their integrity check are left out, and those that cannot be decrypted.
    """
    events, keys = load_list_events(records), load_key_rows([record.pk for record in records])
    payloads = []
    for record in records:
        steps = events.get(record.pk, ())
        if not is_record_verified(record, steps):
            continue
        try:
            payloads.append(serialize_record(record, steps, keys.get(record.pk)))
        except DecryptionFailed as error:
            logger.error("travel-rule record %s is withheld: %s", record.record_id, error)
    return payloads


def serialize_record(
    record: Record, events: Sequence[Event], key: RecordKey | KeyRow | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it."""
    return serialize_opened_record(record, events, decrypt_record_text(record, events[0], key))


def serialize_opened_record(
    record: Record, events: Sequence[Event], text: dict[str, Any] | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it, with what `decrypt_record_text` gave."""
    message = text and text["message"]
    payload = {
        "id": str(record.record_id),
        "direction": record.direction,
        "applies": record.applies,
        "threshold_usd": int(record.threshold_usd),
        "status": record.status,
        "created_at": record.created_at,
        "retain_until": record.retain_until,
        "regulation": us_threshold.REGULATION,
        "retention_requirement": us_threshold.RETENTION,
        "reason": record.reason,
        "rule": record.rule,
        "rules": record.rules,
        "amount": record.amount,
        "currency": record.currency,
        "steps": [
            {
                "status": event.status,
                "event": event.event,
                "rule": event.turn,
                "at": event.recorded_at,
            }
            for event in events
        ],
    }
    optional = {
        "payment_id": str(record.payment_id) if record.payment_id else "",
        "tms_reference": text.get("reference", "") if text else "",
        "sender_payment_id": text.get("named", "") if text else "",
        "amount_usd": f"{record.amount_usd:f}" if record.amount_usd is not None else "",
        "exchange_rate": record.rate,
        "rate_on": record.rate_on.isoformat() if record.rate_on else "",
        "network": record.network,
        "tx_hash": record.tx_hash,
        "dialect": record.dialect,
    }
    payload |= {name: value for name, value in optional.items() if value}
    if moment := executed_at_of(events[0]):
        payload["executed_at"] = moment
    # a received body that was no message is an empty one; None: it was erased
    if message is not None:
        payload["ivms101"] = message
    return payload | {"notes": describe_record(record, events, gone=message is None)}


def executed_at_of(first: Event) -> datetime | None:
    """Return when a transfer was settled, as its first event has it; None where it has nothing."""
    executed_at = None if first.purged else first.data.get("executedAt")
    return datetime.fromtimestamp(executed_at, UTC) if executed_at else None


def describe_record(record: Record, events: Sequence[Event], *, gone: bool) -> str:
    """Return in words why the record is what it is, and what happened since."""
    sentences = [record_status.rule_of_reason(record.reason).says]
    sentences += [
        f"{_TRANSITIONS_BY_CODE[event.turn].says}{_describe_failure(event)}."
        for event in events[1:]
    ]
    first = events[0]
    # below the threshold nothing requires a complete message
    broken_rules = list(first.data.get("breaks", ())) if record.applies and not first.purged else []
    broken = [
        f"{broken_rule} ({BY_ID[broken_rule].sentence.rstrip('.')})" for broken_rule in broken_rules
    ]
    sentences += [f"Its message breaks {', '.join(broken)}."] if broken else []
    return " ".join([*sentences, ERASED_NOTE] if gone else sentences)


_TRANSITIONS_BY_CODE = {transition.code: transition for transition in transitions.TRANSITIONS}


def _describe_failure(event: Event) -> str:
    """Return in words why a message was not delivered, as its event keeps it."""
    send_failure = (
        None if event.purged else transmissions.FAILURES_BY_WORD.get(event.data.get("error", ""))
    )
    return f": {send_failure.says[0].lower()}{send_failure.says[1:]}" if send_failure else ""
