"""Tells records as the API has them: proved, decrypted, with their steps."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.travelrule import sealing
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.travelrule.rules import lifecycle, recording, thresholds
from apps.travelrule.steps import Key, Step, keys_of, steps_of

Event = TravelEvent | Step
GONE = "What the message said was erased, or its retention is over."


class RecordUnproved(Unavailable):
    """The record is not as it was recorded: it is not served before somebody has looked."""

    code, title = "record_unproved", "The record is not proved"


def told(records: Sequence[TravelRecord]) -> list[dict[str, Any]]:
    """Return records as RecordOut has them, without those that are not proved; two queries."""
    ids = [one.pk for one in records]
    events, keys = shown_of(records), keys_of(ids)
    return [
        told_one(one, events.get(one.pk, ()), keys.get(one.pk))
        for one in records
        if is_proved(one, events.get(one.pk, ()))
    ]


def shown_of(records: Sequence[TravelRecord]) -> Mapping[int, Sequence[Event]]:
    """Return the proved events of records as lists show them; one query.

    Where one does not hold, or was purged, all are read anew and looked at one by one.
    """
    found = steps_of([one.pk for one in records])
    return events_of(records) if found is None else found


def events_of(records: Sequence[TravelRecord]) -> dict[int, list[TravelEvent]]:
    """Return the proved events of records by number, in order; one query."""
    rows = TravelEvent.objects.filter(record__in=[one.pk for one in records])
    found: dict[int, list[TravelEvent]] = defaultdict(list)
    for event in proven(rows.order_by("record_id", "number")):
        found[event.record_id].append(event)
    return found


def is_proved(record: TravelRecord, events: Sequence[Event]) -> bool:
    """Tell whether a record has all its events, and is as the last one has it."""
    if [one.number for one in events] != list(range(1, record.steps + 1)):
        return False
    last = events[-1]
    return last.purged or bool(last.data["stands"] == record.stands)


def told_one(
    record: TravelRecord, events: Sequence[Event], key: RecordKey | Key | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it."""
    return told_with(record, events, opened(record, events[0], key))


def told_with(
    record: TravelRecord, events: Sequence[Event], message: dict[str, Any] | None
) -> dict[str, Any]:
    """Return one record as RecordOut has it, with a message that was opened already."""
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
        "amount_usd": f"{record.amount_usd:f}" if record.amount_usd is not None else "",
        "exchange_rate": record.rate,
        "rate_on": record.rate_on.isoformat() if record.rate_on else "",
        "network": record.network,
        "tx_hash": record.tx_hash,
        "dialect": record.dialect,
        "ivms101": message,
    }
    found |= {name: one for name, one in optional.items() if one}
    return found | {"notes": notes(record, events, gone=message is None)}


def notes(record: TravelRecord, events: Sequence[Event], *, gone: bool) -> str:
    """Return in words why the record is what it is, and what happened since."""
    said = [recording.row_of(record.reason).says]
    said += [f"{_TURNS[one.turn].says}." for one in events[1:]]
    return " ".join([*said, GONE] if gone else said)


_TURNS = {one.code: one for one in lifecycle.TURNS}


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
    """Return the message of a record; None once it was purged. Unreadable for a key we lack."""
    text = opened_text(record, first, key)
    return text and text["message"]


def opened_text(
    record: TravelRecord, first: Event, key: RecordKey | Key | None
) -> dict[str, Any] | None:
    """Return the `message` of a record with the `salt` of its digest, as `opened`."""
    if key is None or first.purged:
        return None
    opener = sealing.unwrapped(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    text: dict[str, Any] = json.loads(sealing.unseal(opener, first.data["message"], what="message"))
    return text
