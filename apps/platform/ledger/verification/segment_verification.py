"""Verify a range of a ledger's chain by recomputing it from its rows; the verifier uses it.

Rows are compared with their seals in bulk. If a batch does not verify as a whole, it is checked
again record by record to find what is wrong.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from apps.platform.crypto import macs
from apps.platform.db.parallel_scan import Progress, Span, read_columns
from apps.platform.ledger.envelope_encoding import (
    encode_link_input,
    encode_mac_input,
    envelope_encoder,
)
from apps.platform.ledger.models import PurgeEvent, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, ledger_models
from apps.platform.ledger.verification.verified_reads import find_seal_fault

BATCH = 2000
SEAL = ("position", "pk", "record_id", "previous", "content", "digest", "sealed_at")
Row = tuple[Any, ...]


@dataclass
class VerificationReport:
    """The findings of verification in one ledger; `faults` is empty if nothing was altered."""

    ledger: str
    sealed: int = 0
    purged: int = 0
    unsealed: int = 0
    oldest_unsealed: datetime | None = None
    head: str = GENESIS
    faults: list[str] = field(default_factory=list)

    def add(self, other: "VerificationReport") -> None:
        """Merge the findings of a later range: its end of the chain is the end, if it found one."""
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

    It starts from the digest of the seal before, which another range verifies against its record,
    so that a gap between them shows. `sealed` and `head` are the last position and its digest, or 0
    and GENESIS for a range without seals. `expected` are exported digests by position.
    """
    above, _ = span
    report, links = VerificationReport(ledger), Seal.objects.filter(ledger=ledger)
    if above is not None and (
        before := links.filter(position__lte=above).order_by("-position", "-pk").first()
    ):
        report.sealed, report.head = before.position, before.digest
    begun = report.sealed
    model = ledger_models()[ledger]
    for seals in read_columns(links, "position", span, SEAL, BATCH):
        at, purged = len(report.faults), report.purged
        # one by one only where something is wrong: the fast path just says that there is something
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


def fetch_record_columns(
    model: type[LedgerRecord], ids: Sequence[int], names: Sequence[str]
) -> list[Row]:
    """Fetch columns of records by their ids; consecutive ids by their first and last."""
    low, high = min(ids), max(ids)
    rows = model._default_manager.all()
    # a range is one comparison for the database, a list of 2,000 ids is parsed one by one
    near = high - low < 2 * len(ids)
    rows = rows.filter(pk__gte=low, pk__lte=high) if near else rows.filter(pk__in=ids)
    return list(rows.order_by().values_list(*names))


def _verify_batch(
    model: type[LedgerRecord], seals: Sequence[Row], report: VerificationReport
) -> bool:
    """Tell whether every record of a batch matches its seal, and follow the chain through it.

    If not, the report is unchanged except for `faults` and `purged`.
    """
    # one query for all records of the batch, by column and without model instances
    shape = envelope_encoder(model, model.PURGEABLE)
    names = (*shape.names, "pk", "payload", "salt", "mac_key", "mac")
    ids = [seal[2] for seal in seals]
    columns_by_id = {row[-5]: row for row in fetch_record_columns(model, ids, names)}
    keys, ledger = macs.ledger_keys(), report.ledger
    position, head, purged = report.sealed, report.head, []
    for place, _, pk, previous, content, digest, sealed_at in seals:
        row = columns_by_id.get(pk)
        # a gap in the positions is a missing link, even where the digests match
        if row is None or place != position + 1 or previous != head:
            return False
        *values, _, payload, salt, key, mac = row
        if payload or salt:
            if hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest() != content:
                return False
        else:
            purged.append(pk)
        # the MAC covers the record without its id, the link covers it with
        bare, full = shape.texts(values)
        mac_input = encode_mac_input(ledger=ledger, content=content, record=bare)
        # no constant-time comparison: whoever runs this has the keys
        if key not in keys or macs.compute_mac(keys[key], mac_input) != mac:
            return False
        link_input = encode_link_input(
            ledger=ledger, position=place, previous=previous, record=full, content=content,
            sealed_at=sealed_at,
        )  # fmt: skip
        position, head = place, hashlib.sha256(link_input.encode()).hexdigest()
        if head != digest:
            return False
    if purged:
        report.purged += len(purged)
        purged_seals = Seal.objects.filter(ledger=report.ledger, record_id__in=purged)
        _check_purge_events(list(purged_seals), model._default_manager.in_bulk(purged), report)
    report.sealed, report.head = position, head
    return True


def _verify_one_by_one(
    model: type[LedgerRecord], rows: Sequence[Row], report: VerificationReport
) -> None:
    """Check a batch record by record, and report what is wrong."""
    seals = [Seal(ledger=report.ledger, **dict(zip(SEAL, row, strict=True))) for row in rows]
    records = model._default_manager.in_bulk([seal.record_id for seal in seals])
    for seal in seals:
        record = records.get(seal.record_id)
        where = f"position {seal.position}, record {seal.record_id}"
        if seal.position != report.sealed + 1 or seal.previous != report.head:
            report.faults.append(f"{where}: the chain is broken or reordered before it")
        report.sealed, report.head = seal.position, seal.digest
        if record is None:
            report.faults.append(f"{where}: the record is missing")
            continue
        report.purged += record.purged
        if fault := find_seal_fault(seal, record):
            report.faults.append(f"{where}: {fault}")
    _check_purge_events(seals, records, report)


def _check_purge_events(
    seals: list[Seal], records: Mapping[int, LedgerRecord], report: VerificationReport
) -> None:
    """Check that every blanked payload has its own PurgeEvent, written by us."""
    seal_of = {s.record_id: s for s in seals}
    ids = sorted(pk for pk, record in records.items() if record.purged)
    events = PurgeEvent.objects.filter(of_ledger=report.ledger, record_id__in=ids)
    stated = {event.record_id: event for event in events}
    for pk in ids:
        event, seal = stated.get(pk), seal_of[pk]
        if event is None:
            fault = "no purge is recorded"
        elif event.mac_fault():
            fault = f"the recorded purge is forged: {event.mac_fault()}"
        elif not event.is_of(seal):
            fault = "the recorded purge is of another record"
        else:
            continue
        report.faults.append(f"record {pk}: the payload is missing and {fault}")
