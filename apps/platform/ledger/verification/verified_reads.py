"""Reads of the chain for the sealer, the verifier and readers of records."""

import logging
from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef

from apps.platform.db.parallel_scan import Span, split_at, split_range
from apps.platform.ledger.models import PurgeEvent, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, compute_link_digest

BATCH = 1000
Record = TypeVar("Record", bound=LedgerRecord)
logger = logging.getLogger(__name__)


def read_chain_end(ledger: str) -> tuple[int, str]:
    """Return position and digest of the end of a chain; (0, GENESIS) before its first seal."""
    last = Seal.objects.filter(ledger=ledger).order_by("-position").first()
    return (last.position, last.digest) if last else (0, GENESIS)


def split_records(ledger: str, processes: int) -> list[Span]:
    """Return ranges of a ledger's records, by id, for several processes.

    Each range holds the same number of records: ids have gaps, seals do not.
    """
    last, _ = read_chain_end(ledger)
    ends = [until for _, until in split_range(last, processes) if until is not None]
    seals = Seal.objects.filter(ledger=ledger, position__in=ends)
    return split_at(sorted(seals.values_list("record_id", flat=True)))


def find_seal_fault(seal: Seal, record: LedgerRecord) -> str:
    """Return what is wrong between a record and its seal, or an empty text."""
    if not record.purged and record.content_hash() != seal.content:
        return "the payload was altered"
    expected = compute_link_digest(
        ledger=seal.ledger,
        position=seal.position,
        previous=seal.previous,
        record=record,
        content=seal.content,
        sealed_at=seal.sealed_at,
    )
    if expected != seal.digest:
        return "the record or its seal was altered"
    return record.mac_fault(seal.content)


def unsealed_records(model: type[LedgerRecord], above: int = 0) -> Any:
    """Return the unsealed records above an id, by id."""
    sealed = Seal.objects.filter(ledger=model.LEDGER, record_id=OuterRef("pk"))
    return model._default_manager.filter(~Exists(sealed), pk__gt=above).order_by("pk")


def find_unsealed_fault(record: LedgerRecord, contents: set[str]) -> str:
    """Return why a record may not be sealed, or an empty text.

    `contents` are the payload hashes that are in the chain already: a salted payload is never
    written twice, so a repeated hash means a copied record.
    """
    fault = record.mac_fault()
    if not fault and record.content_hash() in contents:
        fault = "it is a copy of another record"
    return fault


def filter_verified_records(records: Iterable[Record]) -> list[Record]:
    """Return the records with a valid MAC; the others are logged and never served.

    Of a record and its copies the oldest is ours: a MAC covers everything but the id. Two more
    queries if payloads were purged: their seals hold the hash that the MAC covers, and a missing
    payload without an authentic purge event was tampered with.
    """
    listed = list(records)
    ids = [record.pk for record in listed if record.purged]
    if not ids:
        contents = {}
    else:
        ledger = listed[0].LEDGER
        stated = PurgeEvent.objects.filter(of_ledger=ledger, record_id__in=ids)
        events = {event.record_id: event for event in stated if not event.mac_fault()}
        seals = Seal.objects.filter(ledger=ledger, record_id__in=list(events))
        contents = {
            seal.record_id: seal.content for seal in seals if events[seal.record_id].is_of(seal)
        }
    # a copied row has the same MAC as the original, which was there before it
    oldest: dict[str | None, int] = {}
    for record in listed:
        oldest[record.mac] = min(record.pk, oldest.get(record.mac, record.pk))
    ours = []
    for record in listed:
        fault = record.mac_fault(contents.get(record.pk))
        if not fault and oldest[record.mac] != record.pk:
            fault = "it is a copy of another record"
        if fault:
            # readers of the process log may not know of the SAR log
            named = "" if record.CONFIDENTIAL else f" {record.LEDGER} {record.pk}"
            logger.error("a ledger record%s is withheld: %s", named, fault)
        else:
            ours.append(record)
    return ours
