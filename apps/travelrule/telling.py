"""Tells records as the API has them: proved, decrypted, with their steps."""

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.travelrule import sealing
from apps.travelrule.models import RecordKey, RecordRow, TravelEvent, TravelRecord
from apps.travelrule.rules import lifecycle, recording, sending, thresholds
from apps.travelrule.steps import Key, Step, keys_of, steps_of

logger = logging.getLogger(__name__)
Event = TravelEvent | Step
Record = TravelRecord | RecordRow
# the one number of a message, and it may have more digits than the reader in C keeps
SEQUENCE = b'"sequence":'
GONE = "What the message said was erased, or its retention is over."


class KeyGone(sealing.Unreadable):
    """A record lost its key, and no purge of ours took it."""


class RecordUnproved(Unavailable):
    """The record is not as it was recorded: it is not served before somebody has looked."""

    code, title = "record_unproved", "The record is not proved"


def told(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return records as RecordOut has them, without those that are not proved; two queries.

    Neither is one whose message cannot be opened, though it was not purged.
    """
    events, keys = shown_of(records), keys_of([one.pk for one in records])
    found = []
    for one in records:
        steps = events.get(one.pk, ())
        if not is_proved(one, steps):
            continue
        try:
            found.append(told_one(one, steps, keys.get(one.pk)))
        except sealing.Unreadable as error:
            logger.error("travel-rule record %s is not told: %s", one.record_id, error)
    return found


def shown_of(records: Sequence[Record]) -> Mapping[int, Sequence[Event]]:
    """Return the proved events of records as lists show them; one query.

    Where one does not hold, or was purged, all are read anew and looked at one by one.
    """
    found = steps_of([one.pk for one in records])
    return events_of(records) if found is None else found


def events_of(records: Sequence[Record]) -> dict[int, list[TravelEvent]]:
    """Return the proved events of records by number, in order; one query."""
    rows = TravelEvent.objects.filter(record__in=[one.pk for one in records])
    found: dict[int, list[TravelEvent]] = defaultdict(list)
    for event in proven(rows.order_by("record_id", "number")):
        found[event.record_id].append(event)
    return found


def is_proved(record: Record, events: Sequence[Event]) -> bool:
    """Tell whether a record has all its events, and is as the last one has it."""
    if [one.number for one in events] != list(range(1, record.steps + 1)):
        return False
    if not events or events[-1].status != record.status:
        return False
    last = events[-1]
    return last.purged or record.stands_as(last.data["stands"])


def told_one(
    record: Record, events: Sequence[Event], key: RecordKey | Key | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it."""
    return told_with(record, events, opened_text(record, events[0], key))


def told_with(
    record: Record, events: Sequence[Event], text: dict[str, Any] | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it, with what `opened_text` gave."""
    message = text and text["message"]
    found = {
        "id": str(record.record_id),
        "direction": record.direction,
        "applies": record.applies,
        "threshold_usd": int(record.threshold_usd),
        "status": record.status,
        "created_at": record.created_at,
        "retain_until": record.retain_until,
        "regulation": thresholds.REGULATION,
        "retention_requirement": thresholds.RETENTION,
        "reason": record.reason,
        "rule": record.rule,
        "rules": record.rules,
        "amount": record.amount,
        "currency": record.currency,
        "steps": [_step(one) for one in events],
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
    found |= {name: one for name, one in optional.items() if one}
    if moment := executed_at(events[0]):
        found["executed_at"] = moment
    if message is not None:  # one of which nothing could be read is empty, and is told all the same
        found["ivms101"] = message
    return found | {"notes": notes(record, events, gone=message is None)}


def executed_at(first: Event) -> datetime | None:
    """Return when a transfer was settled, as its first event has it; None where it has nothing."""
    kept = None if first.purged else first.data.get("executedAt")
    return datetime.fromtimestamp(kept, UTC) if kept else None


def notes(record: Record, events: Sequence[Event], *, gone: bool) -> str:
    """Return in words why the record is what it is, and what happened since."""
    said = [recording.row_of(record.reason).says]
    said += [f"{_TURNS[one.turn].says}{_because(one)}." for one in events[1:]]
    said += [f"Its message breaks {', '.join(one)}." for one in [_breaks(record, events)] if one]
    return " ".join([*said, GONE] if gone else said)


_TURNS = {one.code: one for one in lifecycle.TURNS}


def _breaks(record: Record, events: Sequence[Event]) -> list[str]:
    """Return which rules for messages one breaks to which the travel rule applies."""
    first = events[0]
    return list(first.data.get("breaks", ())) if record.applies and not first.purged else []


def _because(event: Event) -> str:
    """Return in words why a message was not delivered, as its event keeps it."""
    found = None if event.purged else sending.BY_WORD.get(event.data.get("error", ""))
    return f": {found.says[0].lower()}{found.says[1:]}" if found else ""


def _step(event: Event) -> dict[str, Any]:
    return {
        "status": event.status,
        "event": event.event,
        "rule": event.turn,
        "at": event.recorded_at,
    }


def opened(
    record: TravelRecord, first: Event, key: RecordKey | Key | None
) -> dict[str, Any] | None:
    """Return the message of a record; None once it was purged.

    Unreadable for a key that we lack; KeyGone where its own is gone without a purge of ours.
    """
    text = opened_text(record, first, key)
    return text and text["message"]


def opened_text(record: Record, first: Event, key: RecordKey | Key | None) -> dict[str, Any] | None:
    """Return the `message` of a record with its `salt`, as `opened`.

    `reference` is what the institution calls the payment, `named` what the sender of a message
    does, each where there is one.
    """
    if first.purged:
        return None
    if key is None:
        raise KeyGone("Its key is gone, and no purge is recorded.")
    opener = sealing.unwrapped(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    raw = sealing.unseal(opener, first.data["message"], what="message")
    text: dict[str, Any] = (json if SEQUENCE in raw else orjson).loads(raw)
    if named := first.data.get("named"):
        text["named"] = sealing.unseal(opener, named, what="named").decode()
    return text
