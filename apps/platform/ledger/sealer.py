"""The sealer chains new records; verification/verifier.py verifies them and trusts nothing."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, compute_link_digest, ledger_models
from apps.platform.ledger.verification.verified_reads import (
    BATCH,
    find_unsealed_fault,
    read_chain_end,
    unsealed_records,
)

logger = logging.getLogger(__name__)
# Longer than any transaction runs: an id that was allocated so long ago has either committed or
# never will.
SETTLED_AFTER = timedelta(minutes=10)


class SealingRefused(RuntimeError):
    """A chain does not end where the sealer left it, or some records are not ours.

    The `sealed` records were chained nevertheless.
    """

    def __init__(self, message: str, *, sealed: int = 0) -> None:
        super().__init__(message)
        self.sealed = sealed


def seal_ledger(
    *,
    ledger: str,
    now: datetime,
    limit: int = BATCH,
    whole: bool = False,
    refused: list[str] | None = None,
) -> int:
    """Chain up to `limit` unsealed records of a ledger; returns how many.

    Safe to run from several processes: the head row is the lock. `whole` checks all records, not
    only those above the bookmark. A record without a valid MAC is skipped and named in `refused`.
    Raises SealingRefused when seals were tampered with.
    """
    LedgerHead.objects.get_or_create(ledger=ledger, defaults={"digest": GENESIS})
    with transaction.atomic():
        head = LedgerHead.objects.select_for_update().get(ledger=ledger)
        # sealing on top of a chain that somebody cut or replaced would confirm it
        if (head.position, head.digest) != read_chain_end(ledger):
            raise SealingRefused(
                f"ledger {ledger}: run verify_ledger: its seals do not end at the bookmark"
            )
        if whole:  # a check of all records resets the bookmark
            head.watermark, head.candidate, head.candidate_at = 0, 0, None
        elif _is_bookmark_ahead(head):
            raise SealingRefused(
                f"ledger {ledger}: run verify_ledger: its bookmark was not written by this platform"
            )
        # chain what is authentic, and remember how far everything is sealed
        sealable = _collect_sealable(ledger_models()[ledger], 0 if whole else head.watermark, limit)
        records, faults, more, first_refused = sealable
        seals = [_build_next_seal(head, record, now) for record in records]
        Seal.objects.bulk_create(seals)
        if not more:
            _advance_bookmark(head, now, first_refused)
        if seals or head.candidate_at == now:
            # also when nothing was sealed: the time of the candidate has begun
            head.save()
    if refused is not None:
        refused += faults
    return len(seals)


def _collect_sealable(
    model: type[LedgerRecord], above: int, limit: int
) -> tuple[list[LedgerRecord], list[str], bool, int | None]:
    """Return up to `limit` records to seal, and the faults found among them.

    The result also says whether more records wait, and the id of the first refused record.
    """
    ready: list[LedgerRecord] = []
    faults: list[str] = []
    refused: int | None = None
    while len(ready) < limit:
        batch = list(unsealed_records(model, above)[:limit])
        # of this batch only: a copy has the content of a record that may be anywhere in the chain
        seals = Seal.objects.filter(
            ledger=model.LEDGER,
            content__in=[unsealed_record.content_hash() for unsealed_record in batch],
        )
        contents = set(seals.values_list("content", flat=True))
        for record in batch:
            if fault := find_unsealed_fault(record, contents):
                faults.append(f"ledger {model.LEDGER}, record {record.pk}: not sealed, {fault}")
                refused = refused or record.pk
            elif len(ready) < limit:
                ready.append(record)
                contents.add(record.content_hash())
        if len(batch) < limit:
            return ready, faults, len(ready) == limit, refused
        above = batch[-1].pk
    return ready, faults, True, refused


def _build_next_seal(head: LedgerHead, record: LedgerRecord, now: datetime) -> Seal:
    """Return the seal of a record and advance the head to it."""
    content = record.content_hash()
    previous, head.position = head.digest, head.position + 1
    head.digest = compute_link_digest(
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


def _is_bookmark_ahead(head: LedgerHead) -> bool:
    """Tell whether the bookmark is ahead of the sealer: records below it would wait for ever."""
    highest = Seal.objects.filter(ledger=head.ledger).aggregate(highest=Max("record_id"))["highest"]
    return max(head.watermark, head.candidate) > (highest or 0)


def _advance_bookmark(head: LedgerHead, now: datetime, refused: int | None) -> None:
    """Advance the bookmark to the last candidate once that has settled, and note a new one.

    `refused` is the id of the first record that may not be sealed.
    """
    # a candidate in the future was noted by a clock that has since been set back: its settling time
    # starts again now
    if head.candidate_at is not None and head.candidate_at > now:
        head.candidate_at = now
    if head.candidate_at is not None and now - head.candidate_at < SETTLED_AFTER:
        return
    newest_seal = Seal.objects.filter(ledger=head.ledger).aggregate(highest=Max("record_id"))
    # never past a refused record: every run finds that one again, and fails until it is resolved
    highest, most = newest_seal["highest"] or 0, refused - 1 if refused else None
    head.watermark = head.candidate if most is None else min(head.candidate, most)
    head.candidate, head.candidate_at = highest if most is None else min(highest, most), now


def seal_all_ledgers(*, now: datetime, whole: bool = False) -> int:
    """Chain all unsealed records, ledger by ledger; returns how many.

    One ledger's fault does not stop the others: SealingRefused is raised after all ledgers, and
    names no confidential ledger, because a job's error is shown to operators.
    """
    total, faults = 0, []
    for ledger, model in sorted(ledger_models().items()):
        found_faults: list[str] = []
        try:
            # a transaction for each batch: a long one would
            # hold the head row, and on SQLite every writer
            while done := seal_ledger(ledger=ledger, now=now, whole=whole, refused=found_faults):
                total += done
        except SealingRefused as error:
            found_faults.append(str(error))
        if found_faults and model.CONFIDENTIAL:
            found_faults = ["a ledger has faults: run verify_ledger"]
        faults += sorted(set(found_faults))
    if faults:
        logger.error("sealing: %s", "; ".join(faults))
        raise SealingRefused("; ".join(faults), sealed=total)
    return total
