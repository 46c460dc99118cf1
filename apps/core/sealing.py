"""The sealer, which chains new records, and the verifier, which trusts nothing."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, OuterRef

from apps.core.batches import chunks
from apps.core.ledger import GENESIS, LedgerRecord, ledgers, link
from apps.core.models import LedgerHead, PurgeEvent, Seal

BATCH = 1000
# Longer than any transaction runs: an id that was allocated so long ago has committed or
# never will.
SETTLED_AFTER = timedelta(minutes=10)


class SealingRefused(RuntimeError):
    """The chain does not end where the sealer left it: seals were removed or added by hand."""


def last_seal(ledger: str) -> tuple[int, str]:
    """Return position and digest of the end of a chain; (0, GENESIS) before its first seal."""
    last = Seal.objects.filter(ledger=ledger).order_by("-position").first()
    return (last.position, last.digest) if last else (0, GENESIS)


def seal(*, ledger: str, now: datetime, limit: int = BATCH, whole: bool = False) -> int:
    """Chain up to `limit` unsealed records of a ledger; returns how many.

    Safe to run from several processes: the head row is the lock. `whole` looks at all
    records, not only above the bookmark. SealingRefused when seals were tampered with.
    """
    LedgerHead.objects.get_or_create(ledger=ledger, defaults={"digest": GENESIS})
    with transaction.atomic():
        head = LedgerHead.objects.select_for_update().get(ledger=ledger)
        if (head.position, head.digest) != last_seal(ledger):
            raise SealingRefused(f"ledger {ledger}: run verify_ledger, its seals do not end here")
        records = list(_unsealed(ledgers()[ledger], 0 if whole else head.watermark)[:limit])
        seals = [_next(head, record, now) for record in records]
        Seal.objects.bulk_create(seals)
        if len(records) < limit:  # nothing is left in sight
            _bookmark(head, now)
        if seals or head.candidate_at == now:
            head.save()
    return len(seals)


def _next(head: LedgerHead, record: LedgerRecord, now: datetime) -> Seal:
    """Return the seal of a record and move the head to it."""
    content = record.content_hash()
    previous, head.position = head.digest, head.position + 1
    head.digest = link(
        ledger=head.ledger,
        position=head.position,
        previous=previous,
        record=record,
        content=content,
        sealed_at=now,
    )
    return Seal(
        ledger=head.ledger,
        position=head.position,
        record_id=record.pk,
        previous=previous,
        content=content,
        digest=head.digest,
        sealed_at=now,
    )


def _bookmark(head: LedgerHead, now: datetime) -> None:
    """Move the bookmark to the last candidate once that has settled, and note a new one."""
    if head.candidate_at is not None and now - head.candidate_at < SETTLED_AFTER:
        return
    head.watermark = head.candidate
    highest = Seal.objects.filter(ledger=head.ledger).aggregate(highest=Max("record_id"))
    head.candidate, head.candidate_at = highest["highest"] or 0, now


def seal_all(*, now: datetime, whole: bool = False) -> int:
    """Chain everything that waits, ledger by ledger; returns how many records."""
    total = 0
    for ledger in sorted(ledgers()):
        while done := seal(ledger=ledger, now=now, whole=whole):
            total += done
    return total


def _unsealed(model: type[LedgerRecord], watermark: int = 0) -> Any:
    sealed = Seal.objects.filter(ledger=model.LEDGER, record_id=OuterRef("pk"))
    return model._default_manager.filter(~Exists(sealed), pk__gt=watermark).order_by("pk")


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
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Recompute a ledger's chain from its rows.

    Faults: an altered row, a missing row, a broken or reordered link, a purged payload
    without its PurgeEvent, a tail that was cut (against `heads`, the exported digests by
    position). Unsealed rows are counted, not faults.
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
        _check_purges(ledger, [r for r in records.values() if r.purged], report)
        progress(report.sealed)
    _check_end(ledger, expected, report)
    _count_unsealed(model, report)
    return report


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
    if record.purged:
        report.purged += 1
    elif record.content_hash() != one.content:
        report.faults.append(f"{where}: the payload was altered")
        return
    expected = link(
        ledger=one.ledger,
        position=one.position,
        previous=one.previous,
        record=record,
        content=one.content,
        sealed_at=one.sealed_at,
    )
    if expected != one.digest:
        report.faults.append(f"{where}: the record or its seal was altered")


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


def _check_purges(ledger: str, purged: list[LedgerRecord], report: Report) -> None:
    ids = {record.pk for record in purged}
    stated = PurgeEvent.objects.filter(of_ledger=ledger, record_id__in=ids)
    for record_id in sorted(ids - set(stated.values_list("record_id", flat=True))):
        report.faults.append(f"record {record_id}: the payload is gone and no purge is recorded")


def _count_unsealed(model: type[LedgerRecord], report: Report) -> None:
    waiting = _unsealed(model)
    report.unsealed = waiting.count()
    first = waiting.order_by("recorded_at").first()
    report.oldest_unsealed = first.recorded_at if first else None
