"""The sealer, which chains new records; the verifier, which trusts nothing, is in
verification/verifier.py.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, compute_link_digest, ledger_models
from apps.platform.ledger.verification.hash_chain import (
    BATCH,
    find_unsealed_fault,
    read_chain_end,
    unsealed_records,
)

logger = logging.getLogger(__name__)
# Longer than any transaction runs: an id that was allocated so long ago has committed or
# never will.
SETTLED_AFTER = timedelta(minutes=10)


class SealingRefused(RuntimeError):
    """A chain does not end where the sealer left it, or records are not ours.

    `sealed` records were chained all the same.
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

    Safe to run from several processes: the head row is the lock. `whole` looks at all
    records, not only above the bookmark. A record without a right MAC is left out and named
    in `refused`. SealingRefused when seals were tampered with.
    """
    LedgerHead.objects.get_or_create(ledger=ledger, defaults={"digest": GENESIS})
    with transaction.atomic():
        head = LedgerHead.objects.select_for_update().get(ledger=ledger)
        if (head.position, head.digest) != read_chain_end(ledger):
            raise SealingRefused(f"ledger {ledger}: run verify_ledger, its seals do not end here")
        if whole:  # a look at everything sets the bookmark anew
            head.watermark, head.candidate, head.candidate_at = 0, 0, None
        elif _is_bookmark_ahead(head):
            raise SealingRefused(f"ledger {ledger}: run verify_ledger, its bookmark is not ours")
        sealable = _collect_sealable(ledger_models()[ledger], 0 if whole else head.watermark, limit)
        records, faults, more, first_refused = sealable
        seals = [_build_next_seal(head, record, now) for record in records]
        Seal.objects.bulk_create(seals)
        if not more:
            _advance_bookmark(head, now, first_refused)
        if seals or head.candidate_at == now:
            head.save()
    if refused is not None:
        refused += faults
    return len(seals)


def _collect_sealable(
    model: type[LedgerRecord], above: int, limit: int
) -> tuple[list[LedgerRecord], list[str], bool, int | None]:
    """Return up to `limit` records to seal, and the faults of those met.

    Then whether more wait, and the id of the first record that was refused.
    """
    ready: list[LedgerRecord] = []
    faults: list[str] = []
    refused: int | None = None
    while len(ready) < limit:
        batch = list(unsealed_records(model, above)[:limit])
        contents = _known_contents(model.LEDGER, [one.content_hash() for one in batch])
        for one in batch:
            if fault := find_unsealed_fault(one, contents):
                faults.append(f"ledger {model.LEDGER}, record {one.pk}: not sealed, {fault}")
                refused = refused or one.pk
            elif len(ready) < limit:
                ready.append(one)
                contents.add(one.content_hash())
        if len(batch) < limit:
            return ready, faults, len(ready) == limit, refused
        above = batch[-1].pk
    return ready, faults, True, refused


def _known_contents(ledger: str, contents: Sequence[str]) -> set[str]:
    seals = Seal.objects.filter(ledger=ledger, content__in=contents)
    return set(seals.values_list("content", flat=True))


def _build_next_seal(head: LedgerHead, record: LedgerRecord, now: datetime) -> Seal:
    """Return the seal of a record and move the head to it."""
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
    """Tell whether the bookmark stands where the sealer never was: records would wait for ever."""
    highest = Seal.objects.filter(ledger=head.ledger).aggregate(highest=Max("record_id"))["highest"]
    return max(head.watermark, head.candidate) > (highest or 0)


def _advance_bookmark(head: LedgerHead, now: datetime, refused: int | None) -> None:
    """Move the bookmark to the last candidate once that has settled, and note a new one.

    It never passes a record that was refused (`refused`, the first one's id): every run meets
    that one again and fails, until somebody has dealt with it. A candidate of the future was noted
    by a clock that has been set back: the time in which it settles begins now.
    """
    if head.candidate_at is not None and head.candidate_at > now:
        head.candidate_at = now
    if head.candidate_at is not None and now - head.candidate_at < SETTLED_AFTER:
        return
    found = Seal.objects.filter(ledger=head.ledger).aggregate(highest=Max("record_id"))
    highest, most = found["highest"] or 0, refused - 1 if refused else None
    head.watermark = head.candidate if most is None else min(head.candidate, most)
    head.candidate, head.candidate_at = highest if most is None else min(highest, most), now


def seal_all_ledgers(*, now: datetime, whole: bool = False) -> int:
    """Chain everything that waits, ledger by ledger; returns how many records.

    One ledger's fault stops no other: SealingRefused comes when all have been looked at, and
    names no confidential ledger, because a job's error is shown to operators.
    """
    total, faults = 0, []
    for ledger, model in sorted(ledger_models().items()):
        found: list[str] = []
        try:
            while done := seal_ledger(ledger=ledger, now=now, whole=whole, refused=found):
                total += done
        except SealingRefused as error:
            found.append(str(error))
        if found and model.CONFIDENTIAL:
            found = ["a ledger has faults: run verify_ledger"]
        faults += sorted(set(found))
    if faults:
        logger.error("sealing: %s", "; ".join(faults))
        raise SealingRefused("; ".join(faults), sealed=total)
    return total
