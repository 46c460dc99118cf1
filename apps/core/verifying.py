"""The verifier: recomputes chains, proofs and what was made of the records; it trusts nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import Count, Max
from django.utils.module_loading import import_string

from apps.core import appendonly, witness
from apps.core.batches import chunks
from apps.core.chain import BATCH, last_seal, sealed_fault, unsealed, waiting_fault
from apps.core.ledger import GENESIS, LedgerRecord, ledgers
from apps.core.models import LedgerHead, PurgeEvent, Seal
from config.ledgers import PROJECTIONS

Progress = Callable[[int], None]
# one damaged table must not drown what else was found
MOST_OF_A_KIND = 100


@dataclass
class Report:
    """What verification found in one ledger; `faults` is empty when nothing was touched."""

    ledger: str
    sealed: int = 0
    purged: int = 0
    unsealed: int = 0
    oldest_unsealed: datetime | None = None
    head: str = GENESIS
    faults: list[str] = field(default_factory=list)


def verify(
    *,
    ledger: str,
    heads: Mapping[int, Collection[str]] | None = None,
    progress: Progress = lambda done: None,
) -> Report:
    """Recompute a ledger's chain from its rows, and what is kept beside it from its records.

    Faults: an altered row, a missing row, a copied one, one without a right MAC, a broken or
    reordered link, a purged payload without its PurgeEvent, a tail that was cut (against
    `heads`, the exported digests by position), a record that was noted on disk and is not there
    (apps/core/witness.py), a missing trigger, and rows of other tables
    that the records do not bear out (config/ledgers.py). Unsealed rows are counted; they are
    faults when the sealer must refuse them.
    """
    model = ledgers()[ledger]
    report = Report(ledger)
    expected = dict(heads or {})
    for seals in chunks(_seals(ledger), BATCH):
        records = model._default_manager.in_bulk([s.record_id for s in seals])
        for one in seals:
            _check(one, records.get(one.record_id), report)
            stated = expected.pop(one.position, (one.digest,))
            if set(stated) != {one.digest}:
                report.faults.append(f"position {one.position}: not the exported head")
        _check_purges(seals, records, report)
        progress(report.sealed)
    _check_end(ledger, expected, report)
    _check_copies(report)
    _check_unsealed(model, report)
    _check_noted(model, report)
    _check_triggers(model, report)
    for path in PROJECTIONS.get(ledger, ()):
        report.faults += _projected(path, progress)
    return report


def _projected(path: str, progress: Progress) -> list[str]:
    """Return the first faults of a projection; records that cannot be read are one, too."""
    found: list[str] = []
    faults: Iterable[str] = import_string(path)(progress)
    try:
        found += islice(faults, MOST_OF_A_KIND + 1)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        found.append(f"{path}: records are damaged so that it cannot be computed ({error!r})")
    if len(found) > MOST_OF_A_KIND:
        found[MOST_OF_A_KIND:] = ["and more of that kind"]
    return found


def _seals(ledger: str) -> Iterator[Seal]:
    return Seal.objects.filter(ledger=ledger).order_by("position").iterator(BATCH)


def _check(one: Seal, record: LedgerRecord | None, report: Report) -> None:
    report.sealed += 1
    where = f"position {one.position}, record {one.record_id}"
    if one.position != report.sealed or one.previous != report.head:
        report.faults.append(f"{where}: the chain is broken or reordered before it")
        report.sealed = one.position
    report.head = one.digest
    if record is None:
        report.faults.append(f"{where}: the record is missing")
        return
    report.purged += record.purged
    if fault := sealed_fault(one, record):
        report.faults.append(f"{where}: {fault}")


def _check_end(ledger: str, unseen: Mapping[int, Collection[str]], report: Report) -> None:
    """Find a tail that was cut: exported heads that were not met, or a bookmark beyond the end."""
    for position in sorted(unseen):
        if position:
            report.faults.append(
                f"position {position}: the exported head is not in the chain (cut off)"
            )
    head = LedgerHead.objects.filter(ledger=ledger).first()
    if head and head.position > max(report.sealed, last_seal(ledger)[0]):
        report.faults.append(f"position {head.position}: the sealer was here, the seals are gone")
    highest = Seal.objects.filter(ledger=ledger).aggregate(highest=Max("record_id"))["highest"]
    if head and max(head.watermark, head.candidate) > (highest or 0):
        report.faults.append("the sealer's bookmark stands beyond all that is sealed")


def _check_purges(seals: list[Seal], records: Mapping[int, LedgerRecord], report: Report) -> None:
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


def _check_copies(report: Report) -> None:
    """Find records that were copied: a salted payload has one hash in all of its ledger."""
    seals = Seal.objects.filter(ledger=report.ledger).values("content").order_by("content")
    for row in seals.annotate(times=Count("pk")).filter(times__gt=1)[:MOST_OF_A_KIND]:
        copies = Seal.objects.filter(ledger=report.ledger, content=row["content"])
        ids = copies.order_by("position").values_list("record_id", flat=True)
        report.faults.append(f"records {', '.join(map(str, ids))}: the same one, copied")


def _check_unsealed(model: type[LedgerRecord], report: Report) -> None:
    for batch in chunks(unsealed(model).iterator(BATCH), BATCH):
        hashes = [record.content_hash() for record in batch]
        sealed = Seal.objects.filter(ledger=report.ledger, content__in=hashes)
        contents = set(sealed.values_list("content", flat=True))
        for record in batch:
            report.unsealed += 1
            oldest = report.oldest_unsealed or record.recorded_at
            report.oldest_unsealed = min(oldest, record.recorded_at)
            if fault := waiting_fault(record, contents):
                report.faults.append(f"record {record.pk}: not sealed, {fault}")
            contents.add(record.content_hash())


def _check_noted(model: type[LedgerRecord], report: Report) -> None:
    """Find records that this host wrote and that were cut off before they were sealed."""
    notes = witness.noted(report.ledger)
    gone = set(notes) - _sealed(report.ledger, notes)
    if gone:
        gone -= {one.content_hash() for one in unsealed(model).iterator(BATCH)}
        gone -= _sealed(report.ledger, gone)  # those that were sealed meanwhile
    report.faults += [
        f"a record that was written at {notes[content]} is gone ({content[:12]}…)"
        for content in sorted(gone, key=lambda content: (notes[content], content))
    ][:MOST_OF_A_KIND]


def _sealed(ledger: str, contents: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for batch in chunks(iter(sorted(contents)), BATCH):
        seals = Seal.objects.filter(ledger=ledger, content__in=batch)
        found |= set(seals.values_list("content", flat=True))
    return found


def _check_triggers(model: type[LedgerRecord], report: Report) -> None:
    tables: tuple[Any, ...] = (model, Seal)
    report.faults += [f"trigger missing: {name}" for name in appendonly.missing(models=tables)]
