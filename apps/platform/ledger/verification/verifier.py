"""The verifier recomputes chains, proofs and projections from the records; it trusts nothing."""

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
from apps.platform.ledger import written_record_log
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.partitions import pg_catalog, unique_keys
from apps.platform.ledger.records import LedgerRecord, ledger_models
from apps.platform.ledger.table_proofs import PROJECTIONS
from apps.platform.ledger.verification.segment_verification import (
    VerificationReport,
    verify_segment,
)
from apps.platform.ledger.verification.verified_reads import (
    BATCH,
    find_unsealed_fault,
    read_chain_end,
    unsealed_records,
)

__all__ = ["VerificationReport", "verify_ledger"]

# the faults of one damaged table must not bury the others
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
    reordered link, a purged payload without its PurgeEvent, a tail that was cut (against `heads`,
    the exported digests by position), a record that was noted on disk and is not there
    (apps/platform/ledger/written_record_log.py), a missing trigger, and rows of other tables that
    the records do not confirm (PROJECTIONS). Unsealed rows are counted; they are faults when the
    sealer must refuse them. With more `processes` the chain, and projections that can be split, are
    verified in ranges in parallel, with the same findings.
    """
    report, expected = VerificationReport(ledger), dict(heads or {})
    steps = plan_verification(ledger, expected, processes)
    # the steps that cannot be split start first, so that none runs alone at the end
    order = sorted(range(len(steps)), key=lambda place: steps[place].part)
    reports = run_tasks(
        [steps[place].task for place in order], processes=processes, progress=progress
    )
    by_place = dict(zip(order, reports, strict=True))
    # merged in the order of the chain; ranges of a projection may name the same fault twice
    by_projection: dict[int, dict[str, None]] = {}
    for place, step in enumerate(steps):
        if step.projection is not None:
            by_projection.setdefault(step.projection, {}).update(
                dict.fromkeys(by_place[place].faults)
            )
        else:
            report.add(by_place[place])
    report.faults += [
        fault for faults in by_projection.values() for fault in _first_faults(list(faults))
    ]
    return report


def _first_faults(faults: list[str]) -> list[str]:
    if len(faults) <= MOST_OF_A_KIND:
        return faults
    return [*faults[:MOST_OF_A_KIND], "and more of the same kind"]


@dataclass(frozen=True, slots=True)
class VerificationStep:
    """One unit of verification; `projection` is its place in PROJECTIONS, None for a chain.

    `part` tells whether it is one range of several.
    """

    task: Task[VerificationReport]
    projection: int | None = None
    part: bool = False


def plan_verification(
    ledger: str, expected: Mapping[int, Collection[str]], processes: int
) -> list[VerificationStep]:
    """Return the steps of verification: the chain in ranges, then the projections."""
    model = ledger_models()[ledger]
    steps = [
        VerificationStep(task, part=True)
        for task in plan_chain_verification(ledger, expected, processes)
    ]
    steps += [
        VerificationStep(partial(_verify_chain_end, ledger, expected)),
        VerificationStep(partial(_verify_records_and_triggers, model)),
    ]
    for number, comparison in enumerate(PROJECTIONS.get(ledger, ())):
        split = comparison.split if processes > 1 else None
        spans: Sequence[Span | None] = split(processes) if split else [None]
        steps += [
            VerificationStep(
                partial(_verify_projection, ledger, number, span), number, part=len(spans) > 1
            )
            for span in spans
        ]
    return steps


def plan_chain_verification(
    ledger: str, expected: Mapping[int, Collection[str]], processes: int
) -> list[Task[VerificationReport]]:
    """Return the steps of a chain only, range by range."""
    last, _ = read_chain_end(ledger)
    return [
        partial(verify_segment, ledger, span, expected) for span in split_range(last, processes)
    ]


def _verify_chain_end(
    ledger: str, expected: Mapping[int, Collection[str]], progress: Progress
) -> VerificationReport:
    """Verify the end of a chain, and report heads that match none of its positions."""
    report = VerificationReport(ledger)
    seals = Seal.objects.filter(ledger=ledger, position__in=list(expected))
    _check_end(report, set(expected) - set(seals.values_list("position", flat=True)))
    return report


def _verify_records_and_triggers(
    model: type[LedgerRecord], progress: Progress
) -> VerificationReport:
    """Check for copies, unsealed and missing records, and missing triggers."""
    report = VerificationReport(model.LEDGER)
    seals = Seal.objects.filter(ledger=report.ledger).values("content").order_by("content")
    for row in seals.annotate(times=Count("pk")).filter(times__gt=1)[:MOST_OF_A_KIND]:
        copies = Seal.objects.filter(ledger=report.ledger, content=row["content"])
        ids = copies.order_by("position").values_list("record_id", flat=True)
        report.faults.append(f"records {', '.join(map(str, ids))}: copies of the same record")
    _check_unsealed(model, report)
    # records that this host noted on disk, and that are neither sealed nor waiting
    gone: dict[str, str] = {}
    for batch in iter_chunks(written_record_log.read_noted_records(report.ledger), BATCH):
        written = dict(reversed(batch))  # of two notes of one record the first counts
        sealed = _sealed_contents(report.ledger, written)
        gone |= {content: at for content, at in written.items() if content not in sealed}
    if gone:
        # hashes of all unsealed records are read only when a note was not found among the seals
        there = {
            unsealed_record.content_hash()
            for unsealed_record in unsealed_records(model).iterator(BATCH)
        }
        there |= _sealed_contents(report.ledger, gone)  # those sealed in the meantime
        gone = {content: at for content, at in gone.items() if content not in there}
    report.faults += [
        f"a record written at {at} is missing ({content[:12]}…)"
        for content, at in sorted(gone.items(), key=lambda note: (note[1], note[0]))
    ][:MOST_OF_A_KIND]
    tables: tuple[Any, ...] = (model, Seal)
    report.faults += [
        f"trigger missing: {name}" for name in append_only.find_missing_triggers(models=tables)
    ]
    if pg_catalog.is_partitioned(model._meta.db_table):
        report.faults += unique_keys.find_key_faults(model)
    return report


def _verify_projection(
    ledger: str, number: int, span: Span | None, progress: Progress
) -> VerificationReport:
    """Report the first faults of a projection; unreadable records are a fault, too."""
    report = VerificationReport(ledger)
    compare = PROJECTIONS[ledger][number].compare
    faults = compare(progress) if span is None else compare(progress, span=span)
    try:
        report.faults += islice(faults, MOST_OF_A_KIND + 1)
    except (ValueError, TypeError, LookupError, AttributeError, ObjectDoesNotExist) as error:
        report.faults.append(
            f"projection {number + 1} of {ledger}: cannot be computed because records are "
            f"damaged ({error!r})"
        )
    return report


def _check_end(report: VerificationReport, unseen: Collection[int]) -> None:
    """Find a truncated tail: exported heads that were not met, or a bookmark beyond the end."""
    ledger = report.ledger
    for position in sorted(unseen):
        # position 0 is an empty ledger's head, which nothing can contradict
        if position:
            report.faults.append(
                f"position {position}: the exported head is not in the chain (truncated)"
            )
    head = LedgerHead.objects.filter(ledger=ledger).first()
    if head and head.position > read_chain_end(ledger)[0]:
        report.faults.append(
            f"position {head.position}: the sealer reached this position, but its seals are missing"
        )
    highest = Seal.objects.filter(ledger=ledger).aggregate(highest=Max("record_id"))["highest"]
    if head and max(head.watermark, head.candidate) > (highest or 0):
        report.faults.append("the sealer's bookmark is beyond the last seal")


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
                    f"record {record.pk}: not sealed, and its id is below the sealer's starting "
                    "point"
                )
            contents.add(record.content_hash())


def _sealed_contents(ledger: str, contents: Iterable[str]) -> set[str]:
    sealed_contents: set[str] = set()
    for batch in iter_chunks(iter(sorted(contents)), BATCH):
        seals = Seal.objects.filter(ledger=ledger, content__in=batch)
        sealed_contents |= set(seals.values_list("content", flat=True))
    return sealed_contents
