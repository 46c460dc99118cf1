"""Send records that were STORED once an entry of the directory serves their creditor (TR-8)."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.payments.travelrule import cases, message_readers
from apps.payments.travelrule.directory import selectors
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord, Vasp
from apps.payments.travelrule.record_transition import record_transition
from apps.payments.travelrule.rules.directory import RESEND_PERIOD, Creditor
from apps.payments.travelrule.rules.record_status import OUTBOUND
from apps.payments.travelrule.selectors.verified_records import (
    decrypt_message,
    is_record_verified,
    load_verified_events,
)
from apps.payments.travelrule.sending.services import begin_transmissions
from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

logger = logging.getLogger(__name__)
# records in one batch
AT_ONCE = 200


def send_stored_records(key: str, now: datetime) -> None:
    """Send the records that a new entry serves; the job `travelrule.send_later`.

    Records of the last 30 days (rules/directory.py) that were STORED because no endpoint was
    known. `key` is the entry's number and version.
    """
    number, _, version = key.partition("/")
    # an entry that was changed since has another version, and a job of its own
    vasp = Vasp.objects.filter(pk=int(number or 0), version=int(version or 0)).first()
    if vasp is None or not selectors.select_verified_entries([vasp]) or not vasp.live(now.date()):
        return
    travel_records = TravelRecord.objects.filter(
        status="STORED",
        direction=OUTBOUND,
        reason="NO_ENDPOINT",
        created_at__gte=now - RESEND_PERIOD,
    )
    # numbers first: the rows leave the filter as they are sent
    numbers = list(travel_records.order_by("pk").values_list("pk", flat=True))
    for chunk in iter_chunks(iter(numbers), AT_ONCE):
        _send_batch(chunk, vasp, now)


def _send_batch(numbers: Sequence[int], vasp: Vasp, now: datetime) -> None:
    records = list(TravelRecord.objects.filter(pk__in=numbers, status="STORED"))
    events = load_verified_events(records)
    keys = {
        record_key.record_id: record_key
        for record_key in RecordKey.objects.filter(record__in=records)
    }
    proved = [
        travel_record
        for travel_record in records
        if is_record_verified(travel_record, events[travel_record.pk])
    ]
    prepared = [
        (
            travel_record,
            _load_message(travel_record, events[travel_record.pk][0], keys.get(travel_record.pk)),
        )
        for travel_record in proved
    ]
    known = [(travel_record, message) for travel_record, message in prepared if message is not None]
    serving_entries = selectors.find_serving_entries(
        [creditor_of_message(message) for _, message in known], on=now.date()
    )
    for (record, _), serves in zip(known, serving_entries, strict=True):
        if serves and serves[0].pk == vasp.pk:
            _send_record(record, events[record.pk][0], vasp, now)


def _load_message(
    record: TravelRecord, first: TravelEvent, key: RecordKey | None
) -> dict[str, Any] | None:
    """Return the message of a record, None where there is none or it cannot be read."""
    try:
        return decrypt_message(record, first, key)
    except DecryptionFailed as error:
        # one record must not stop the others
        logger.error("travel-rule record %s is not sent: %s", record.record_id, error)
        return None


def _send_record(record: TravelRecord, first: TravelEvent, vasp: Vasp, now: datetime) -> None:
    """Have one record sent; one whose message is incomplete goes to an officer instead."""
    # decided as for a new record with a known endpoint: TR-A5, or TR-A4 if its message has faults
    named = {"counterparty": vasp.name[:100], "counterparty_lei": vasp.lei}
    try:
        with transaction.atomic():
            record_transition(
                record, "SEND_LATER", now=now, columns=named, facts={"entry": vasp.version}
            )
            if "faults" in first.data:
                record_transition(record, "GAVE_UP", now=now, facts={"error": "incomplete"})
                cases.open_incomplete_cases([record], now=now)
            else:
                begin_transmissions([record], now=now)
    except ConcurrentUpdate:
        return  # another run has it


def creditor_of_message(message: dict[str, Any]) -> Creditor:
    """Return by what the creditor of a stored message is looked up."""
    accounts = message_readers.parse_named_side(message, "beneficiary").accounts
    lei = message_readers.lei_of(message, "beneficiary")
    return selectors.build_creditor(wallet=accounts[0] if accounts else "", lei=lei)
