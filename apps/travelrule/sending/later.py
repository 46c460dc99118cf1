"""Sends what was STORED once an entry of the directory serves its creditor (TR-8)."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.core.batches import chunks
from apps.travelrule import messages, sealing
from apps.travelrule.directory import looking
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord, Vasp
from apps.travelrule.moving import Moved, move
from apps.travelrule.rules.directory import REACHES_BACK, Creditor
from apps.travelrule.rules.recording import OUTBOUND
from apps.travelrule.sending import cases
from apps.travelrule.sending.beginning import begin
from apps.travelrule.telling import events_of, is_proved, opened

logger = logging.getLogger(__name__)
AT_ONCE = 200


def send_later(key: str, now: datetime) -> None:
    """Send what an entry that holds from now on serves; the job `travelrule.send_later`.

    Records of the last 30 days (rules/directory.py) that were STORED because no endpoint was
    known. `key` is the entry's number and version: one that was changed since has a job of its own.
    """
    number, _, version = key.partition("/")
    vasp = Vasp.objects.filter(pk=int(number or 0), version=int(version or 0)).first()
    if vasp is None or not looking.proved([vasp]) or not vasp.live(now.date()):
        return
    stored = TravelRecord.objects.filter(
        status="STORED",
        direction=OUTBOUND,
        reason="NO_ENDPOINT",
        created_at__gte=now - REACHES_BACK,
    )
    numbers = list(stored.order_by("pk").values_list("pk", flat=True))
    for some in chunks(iter(numbers), AT_ONCE):
        _some(some, vasp, now)


def _some(numbers: Sequence[int], vasp: Vasp, now: datetime) -> None:
    records = list(TravelRecord.objects.filter(pk__in=numbers, status="STORED"))
    events = events_of(records)
    keys = {one.record_id: one for one in RecordKey.objects.filter(record__in=records)}
    proved = [one for one in records if is_proved(one, events[one.pk])]
    told = [(one, _message(one, events[one.pk][0], keys.get(one.pk))) for one in proved]
    known = [(one, message) for one, message in told if message is not None]
    found = looking.serving([creditor_of(message) for _, message in known], on=now.date())
    for (record, _), serves in zip(known, found, strict=True):
        if serves and serves[0].pk == vasp.pk:
            _send(record, events[record.pk][0], vasp, now)


def _message(
    record: TravelRecord, first: TravelEvent, key: RecordKey | None
) -> dict[str, Any] | None:
    """Return the message of a record, None where there is none: one record stops no other."""
    try:
        return opened(record, first, key)
    except sealing.Unreadable as error:
        logger.error("travel-rule record %s is not sent: %s", record.record_id, error)
        return None


def _send(record: TravelRecord, first: TravelEvent, vasp: Vasp, now: datetime) -> None:
    """Have one record sent; one whose message is incomplete goes to an officer instead."""
    named = {"counterparty": vasp.name[:100], "counterparty_lei": vasp.lei}
    try:
        with transaction.atomic():
            move(record, "SEND_LATER", now=now, columns=named, facts={"entry": vasp.version})
            if "faults" in first.data:
                move(record, "GAVE_UP", now=now, facts={"error": "incomplete"})
                cases.incomplete([record], now=now)
            else:
                begin([record], now=now)
    except Moved:
        return  # another run has it


def creditor_of(message: dict[str, Any]) -> Creditor:
    """Return by what the creditor of a stored message is looked up."""
    accounts = messages.side_of(message, "beneficiary").accounts
    lei = messages.lei_of(message, "beneficiary")
    return looking.creditor_of(wallet=accounts[0] if accounts else "", lei=lei)
