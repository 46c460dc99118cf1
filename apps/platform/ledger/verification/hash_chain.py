"""Reads of the chain that sealer, verifier and readers of records share."""

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
    """Return the stretches of a ledger's records, by id, that processes look at.

    They hold as many records each: ids have gaps, seals do not.
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
    """Return the records above an id that wait for their seal, by id."""
    sealed = Seal.objects.filter(ledger=model.LEDGER, record_id=OuterRef("pk"))
    return model._default_manager.filter(~Exists(sealed), pk__gt=above).order_by("pk")


def find_unsealed_fault(record: LedgerRecord, contents: set[str]) -> str:
    """Return why a record may not be sealed, or an empty text.

    `contents` are the hashes of payloads that are in the chain: a salted payload is never
    written twice, so the same hash again is a copy of a record.
    """
    fault = record.mac_fault()
    if not fault and record.content_hash() in contents:
        fault = "it is a copy of another record"
    return fault


def _purged_contents(found: list[Any]) -> dict[int, str]:
    """Return the hash of the payload of those that this platform purged, by id."""
    ids = [one.pk for one in found if one.purged]
    if not ids:
        return {}
    ledger = found[0].LEDGER
    stated = PurgeEvent.objects.filter(of_ledger=ledger, record_id__in=ids)
    events = {event.record_id: event for event in stated if not event.mac_fault()}
    seals = Seal.objects.filter(ledger=ledger, record_id__in=list(events))
    return {seal.record_id: seal.content for seal in seals if events[seal.record_id].is_of(seal)}


def filter_verified_records(records: Iterable[Record]) -> list[Record]:
    """Return the records whose MAC holds; the others are logged and never served.

    Of a record and its copies the oldest is ours: a MAC is over all but the id.
    Two queries more when payloads were purged: their seals hold what the MAC was made over,
    and a payload that is gone without a purge of ours was blanked by somebody.
    """
    found = list(records)
    contents = _purged_contents(found)
    oldest: dict[str | None, int] = {}
    for one in found:
        oldest[one.mac] = min(one.pk, oldest.get(one.mac, one.pk))
    ours = []
    for one in found:
        fault = one.mac_fault(contents.get(one.pk))
        if not fault and oldest[one.mac] != one.pk:
            fault = "it is a copy of another record"
        if fault:
            named = "" if one.CONFIDENTIAL else f" {one.LEDGER} {one.pk}"
            logger.error("a ledger record%s is not served: %s", named, fault)
        else:
            ours.append(one)
    return ours
