"""A stretch of a ledger's chain, recomputed from its rows: what the verifier is made of.

Rows are read as they stand and held against their seals in bulk. Where a batch does not hold as a
whole, it is looked at anew record by record, and that look says what is wrong.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.platform.crypto import macs
from apps.platform.db.parallel_scan import Progress, Span, read_columns
from apps.platform.ledger.envelopes import encode_link_input, encode_mac_input, envelope_encoder
from apps.platform.ledger.models import PurgeEvent, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, ledger_models
from apps.platform.ledger.verification.hash_chain import find_seal_fault

BATCH = 2000
SEAL = ("position", "pk", "record_id", "previous", "content", "digest", "sealed_at")
Row = tuple[Any, ...]


@dataclass
class VerificationReport:
    """What verification found in one ledger; `faults` is empty when nothing was touched."""

    ledger: str
    sealed: int = 0
    purged: int = 0
    unsealed: int = 0
    oldest_unsealed: datetime | None = None
    head: str = GENESIS
    faults: list[str] = field(default_factory=list)

    def add(self, other: "VerificationReport") -> None:
        """Take what was found further on: its end of the chain is the end, if it saw one."""
        if other.sealed:
            self.sealed, self.head = other.sealed, other.head
        self.purged += other.purged
        self.unsealed += other.unsealed
        self.oldest_unsealed = self.oldest_unsealed or other.oldest_unsealed
        self.faults += other.faults


def verify_segment(
    ledger: str, span: Span, expected: Mapping[int, Collection[str]], progress: Progress
) -> VerificationReport:
    """Recompute the seals of a ledger whose positions are in `(above, until]`.

    It begins where the seal before it ends, which another stretch holds against its record; what
    is missing in between shows. `sealed` and `head` are the last position and its digest, or 0 and
    GENESIS of a stretch without seals. `expected` are exported digests by position.
    """
    above, _ = span
    report, links = VerificationReport(ledger), Seal.objects.filter(ledger=ledger)
    if above is not None and (before := _last_link(links.filter(position__lte=above))):
        report.sealed, report.head = before.position, before.digest
    begun = report.sealed
    model = ledger_models()[ledger]
    for seals in read_columns(links, "position", span, SEAL, BATCH):
        at, purged = len(report.faults), report.purged
        if not _verify_batch(model, seals, report):
            del report.faults[at:]
            report.purged = purged
            _verify_one_by_one(model, seals, report)
        for position, _, _, _, _, digest, _ in seals:
            if position in expected and set(expected[position]) != {digest}:
                report.faults.append(f"position {position}: not the exported head")
        progress(report.sealed)
    if report.sealed == begun:
        report.sealed, report.head = 0, GENESIS
    return report


def _last_link(links: QuerySet[Seal]) -> Seal | None:
    return links.order_by("-position", "-pk").first()


def fetch_record_columns(
    model: type[LedgerRecord], ids: Sequence[int], names: Sequence[str]
) -> list[Row]:
    """Return columns of records by their ids; of neighbours by where they begin and end."""
    low, high = min(ids), max(ids)
    rows = model._default_manager.all()
    near = high - low < 2 * len(ids)
    rows = rows.filter(pk__gte=low, pk__lte=high) if near else rows.filter(pk__in=ids)
    return list(rows.order_by().values_list(*names))


def _verify_batch(
    model: type[LedgerRecord], seals: Sequence[Row], report: VerificationReport
) -> bool:
    """Tell whether every record of a batch is as its seal has it, and follow the chain through it.

    False leaves the report where it was, but for `faults` and `purged`.
    """
    shape = envelope_encoder(model, model.PURGEABLE)
    names = (*shape.names, "pk", "payload", "salt", "mac_key", "mac")
    ids = [seal[2] for seal in seals]
    held = {row[-5]: row for row in fetch_record_columns(model, ids, names)}
    keys, ledger = macs.ledger_keys(), report.ledger
    position, head, purged = report.sealed, report.head, []
    for place, _, pk, previous, content, digest, sealed_at in seals:
        row = held.get(pk)
        if row is None or place != position + 1 or previous != head:
            return False
        *values, _, payload, salt, key, mac = row
        if payload or salt:
            if hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest() != content:
                return False
        else:
            purged.append(pk)
        bare, full = shape.texts(values)
        said = encode_mac_input(ledger=ledger, content=content, record=bare)
        if key not in keys or macs.compute_mac(keys[key], said) != mac:
            return False
        told = encode_link_input(
            ledger=ledger, position=place, previous=previous, record=full, content=content,
            sealed_at=sealed_at,
        )  # fmt: skip
        position, head = place, hashlib.sha256(told.encode()).hexdigest()
        if head != digest:
            return False
    if purged:
        _check_purged_records(model, purged, report)
    report.sealed, report.head = position, head
    return True


def _check_purged_records(
    model: type[LedgerRecord], ids: Sequence[int], report: VerificationReport
) -> None:
    report.purged += len(ids)
    seals = Seal.objects.filter(ledger=report.ledger, record_id__in=ids)
    _check_purge_events(list(seals), model._default_manager.in_bulk(ids), report)


def _verify_one_by_one(
    model: type[LedgerRecord], rows: Sequence[Row], report: VerificationReport
) -> None:
    """Look at a batch record by record, and say what is wrong."""
    seals = [Seal(ledger=report.ledger, **dict(zip(SEAL, row, strict=True))) for row in rows]
    records = model._default_manager.in_bulk([seal.record_id for seal in seals])
    for seal in seals:
        _check_seal(seal, records.get(seal.record_id), report)
    _check_purge_events(seals, records, report)


def _check_seal(seal: Seal, record: LedgerRecord | None, report: VerificationReport) -> None:
    where = f"position {seal.position}, record {seal.record_id}"
    if seal.position != report.sealed + 1 or seal.previous != report.head:
        report.faults.append(f"{where}: the chain is broken or reordered before it")
    report.sealed, report.head = seal.position, seal.digest
    if record is None:
        report.faults.append(f"{where}: the record is missing")
        return
    report.purged += record.purged
    if fault := find_seal_fault(seal, record):
        report.faults.append(f"{where}: {fault}")


def _check_purge_events(
    seals: list[Seal], records: Mapping[int, LedgerRecord], report: VerificationReport
) -> None:
    """Hold every blanked payload against its PurgeEvent: ours, and about this very record."""
    seal_of = {s.record_id: s for s in seals}
    ids = sorted(pk for pk, record in records.items() if record.purged)
    events = PurgeEvent.objects.filter(of_ledger=report.ledger, record_id__in=ids)
    stated = {event.record_id: event for event in events}
    for pk in ids:
        event, one = stated.get(pk), seal_of[pk]
        if event is None:
            fault = "no purge is recorded"
        elif event.mac_fault():
            fault = f"the purge that is recorded was forged: {event.mac_fault()}"
        elif not event.is_of(one):
            fault = "the purge that is recorded is of something else"
        else:
            continue
        report.faults.append(f"record {pk}: the payload is gone and {fault}")
