"""The verifier: recomputes chains, proofs and what was made of the records; it trusts nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, Max

from apps.platform.common.batches import iter_chunks
from apps.platform.db import append_only
from apps.platform.db.parallel_scan import Progress, Span, Task, run_tasks, split_range
from apps.platform.ledger import witness_log
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.partitions import catalog, unique_keys
from apps.platform.ledger.records import LedgerRecord, ledger_models
from apps.platform.ledger.table_proofs import PROJECTIONS
from apps.platform.ledger.verification.hash_chain import (
    BATCH,
    find_unsealed_fault,
    read_chain_end,
    unsealed_records,
)
from apps.platform.ledger.verification.segments import VerificationReport, verify_segment

__all__ = ["VerificationReport", "verify_ledger"]

# one damaged table must not drown what else was found
MOST_OF_A_KIND = 100


def verify_ledger(
    *,
    ledger: str,
    heads: Mapping[int, Collection[str]] | None = None,
    progress: Progress = lambda done: None,
    processes: int = 1,
) -> VerificationReport:
    """Recompute a ledger's chain from its rows, and what is kept beside it from its records.

    Faults: an altered row, a missing row, a copied one, one without a right MAC, a broken or
    reordered link, a purged payload without its PurgeEvent, a tail that was cut (against
    `heads`, the exported digests by position), a record that was noted on disk and is not there
    (apps/platform/ledger/witness_log.py), a missing trigger, and rows of other tables
    that the records do not bear out (PROJECTIONS). Unsealed rows are counted; they are faults when
    the sealer must refuse them. With more `processes` the chain, and projections that can be split,
    are looked at in stretches, several at once; what is found is the same.
    """
    report, expected = VerificationReport(ledger), dict(heads or {})
    looks = plan_verification(ledger, expected, processes)
    # what cannot be divided begins first: nobody is to wait for it alone at the end
    order = sorted(range(len(looks)), key=lambda place: looks[place].part)
    found = run_tasks([looks[one].task for one in order], processes=processes, progress=progress)
    by_place = dict(zip(order, found, strict=True))
    told: dict[int, dict[str, None]] = {}
    for place, look in enumerate(looks):
        if look.projection is not None:
            told.setdefault(look.projection, {}).update(dict.fromkeys(by_place[place].faults))
        else:
            report.add(by_place[place])
    report.faults += [fault for some in told.values() for fault in _first_faults(list(some))]
    return report


def _first_faults(faults: list[str]) -> list[str]:
    if len(faults) <= MOST_OF_A_KIND:
        return faults
    return [*faults[:MOST_OF_A_KIND], "and more of that kind"]


@dataclass(frozen=True, slots=True)
class VerificationStep:
    """A piece of what is to be verified; `projection` is its place in PROJECTIONS, None of a chain.

    `part` tells whether it is one stretch of several.
    """

    task: Task[VerificationReport]
    projection: int | None = None
    part: bool = False


def plan_verification(
    ledger: str, expected: Mapping[int, Collection[str]], processes: int
) -> list[VerificationStep]:
    """Return what is to be looked at: the chain in stretches, then what lies beside it."""
    model = ledger_models()[ledger]
    looks = [
        VerificationStep(one, part=True)
        for one in plan_chain_verification(ledger, expected, processes)
    ]
    looks += [
        VerificationStep(partial(_verify_chain_end, ledger, expected)),
        VerificationStep(partial(_verify_records_and_triggers, model)),
    ]
    for number, comparison in enumerate(PROJECTIONS.get(ledger, ())):
        split = comparison.split if processes > 1 else None
        spans: Sequence[Span | None] = split(processes) if split else [None]
        looks += [
            VerificationStep(
                partial(_verify_projection, ledger, number, span), number, part=len(spans) > 1
            )
            for span in spans
        ]
    return looks


def plan_chain_verification(
    ledger: str, expected: Mapping[int, Collection[str]], processes: int
) -> list[Task[VerificationReport]]:
    """Return the looks at a chain alone, stretch by stretch."""
    last, _ = read_chain_end(ledger)
    return [
        partial(verify_segment, ledger, span, expected) for span in split_range(last, processes)
    ]


def _verify_chain_end(
    ledger: str, expected: Mapping[int, Collection[str]], progress: Progress
) -> VerificationReport:
    """Look at the end of a chain, and for heads that no position of it has."""
    report = VerificationReport(ledger)
    met = Seal.objects.filter(ledger=ledger, position__in=list(expected))
    _check_end(report, set(expected) - set(met.values_list("position", flat=True)))
    return report


def _verify_records_and_triggers(
    model: type[LedgerRecord], progress: Progress
) -> VerificationReport:
    """Look for copies, records that wait or are gone, and triggers that are missing."""
    report = VerificationReport(model.LEDGER)
    seals = Seal.objects.filter(ledger=report.ledger).values("content").order_by("content")
    for row in seals.annotate(times=Count("pk")).filter(times__gt=1)[:MOST_OF_A_KIND]:
        copies = Seal.objects.filter(ledger=report.ledger, content=row["content"])
        ids = copies.order_by("position").values_list("record_id", flat=True)
        report.faults.append(f"records {', '.join(map(str, ids))}: the same one, copied")
    _check_unsealed(model, report)
    gone: dict[str, str] = {}
    for batch in iter_chunks(witness_log.read_noted_records(report.ledger), BATCH):
        written = dict(reversed(batch))  # of two notes of one record the first counts
        sealed = _sealed_contents(report.ledger, written)
        gone |= {content: at for content, at in written.items() if content not in sealed}
    if gone:
        there = {one.content_hash() for one in unsealed_records(model).iterator(BATCH)}
        there |= _sealed_contents(report.ledger, gone)  # those that were sealed meanwhile
        gone = {content: at for content, at in gone.items() if content not in there}
    report.faults += [
        f"a record that was written at {at} is gone ({content[:12]}…)"
        for content, at in sorted(gone.items(), key=lambda one: (one[1], one[0]))
    ][:MOST_OF_A_KIND]
    tables: tuple[Any, ...] = (model, Seal)
    report.faults += [
        f"trigger missing: {name}" for name in append_only.find_missing_triggers(models=tables)
    ]
    if catalog.is_partitioned(model._meta.db_table):
        report.faults += unique_keys.find_key_faults(model)
    return report


def _verify_projection(
    ledger: str, number: int, span: Span | None, progress: Progress
) -> VerificationReport:
    """Find the first faults of a projection; records that cannot be read are one, too."""
    report = VerificationReport(ledger)
    compare = PROJECTIONS[ledger][number].compare
    faults = compare(progress) if span is None else compare(progress, span=span)
    try:
        report.faults += islice(faults, MOST_OF_A_KIND + 1)
    except (ValueError, TypeError, LookupError, AttributeError, ObjectDoesNotExist) as error:
        report.faults.append(
            f"projection {number + 1} of {ledger}: records are damaged so that it cannot be "
            f"computed ({error!r})"
        )
    return report


def _check_end(report: VerificationReport, unseen: Collection[int]) -> None:
    """Find a tail that was cut: exported heads that were not met, or a bookmark beyond the end."""
    ledger = report.ledger
    for position in sorted(unseen):
        if position:
            report.faults.append(
                f"position {position}: the exported head is not in the chain (cut off)"
            )
    head = LedgerHead.objects.filter(ledger=ledger).first()
    if head and head.position > read_chain_end(ledger)[0]:
        report.faults.append(f"position {head.position}: the sealer was here, the seals are gone")
    highest = Seal.objects.filter(ledger=ledger).aggregate(highest=Max("record_id"))["highest"]
    if head and max(head.watermark, head.candidate) > (highest or 0):
        report.faults.append("the sealer's bookmark stands beyond all that is sealed")


def _check_unsealed(model: type[LedgerRecord], report: VerificationReport) -> None:
    head = LedgerHead.objects.filter(ledger=model.LEDGER).first()
    passed = head.watermark if head else 0
    for batch in iter_chunks(unsealed_records(model).iterator(BATCH), BATCH):
        hashes = [record.content_hash() for record in batch]
        sealed = Seal.objects.filter(ledger=report.ledger, content__in=hashes)
        contents = set(sealed.values_list("content", flat=True))
        for record in batch:
            report.unsealed += 1
            oldest = report.oldest_unsealed or record.recorded_at
            report.oldest_unsealed = min(oldest, record.recorded_at)
            if fault := find_unsealed_fault(record, contents):
                report.faults.append(f"record {record.pk}: not sealed, {fault}")
            elif record.pk <= passed:
                report.faults.append(
                    f"record {record.pk}: not sealed, its id is below where the sealer looks"
                )
            contents.add(record.content_hash())


def _sealed_contents(ledger: str, contents: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for batch in iter_chunks(iter(sorted(contents)), BATCH):
        seals = Seal.objects.filter(ledger=ledger, content__in=batch)
        found |= set(seals.values_list("content", flat=True))
    return found
