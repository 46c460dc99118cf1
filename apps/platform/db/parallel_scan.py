"""Long scans of the database, divided among processes: each reads its own range."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from django.db import connections
from django.db.models import Q, QuerySet

PIECES = 4  # ranges for each process: a process that finishes early takes the next one
SMALLEST = 5000  # positions of a range, at least
Progress = Callable[[int], None]
# exclusive lower and inclusive upper bound; None means unbounded
Span = tuple[int | None, int | None]
WHOLE: Span = (None, None)
T = TypeVar("T")
Task = Callable[[Progress], T]
_stopped: Any = None  # in a worker: set when the parent has gone on without it


class Stopped(Exception):
    """The parent failed, was interrupted or has enough results: the range is abandoned."""


def split_range(last: int, processes: int) -> list[Span]:
    """Return ranges of numbers up to `last` for several processes; the last one is open-ended."""
    pieces = 1 if processes == 1 else max(1, min(processes * PIECES, last // SMALLEST))
    cuts = [last * index // pieces for index in range(pieces)]
    return list(zip([None, *cuts[1:]], [*cuts[1:], None], strict=True))


def split_at(cuts: Sequence[int]) -> list[Span]:
    """Return the ranges between sorted ids; each id belongs to the range that it ends."""
    return list(zip([None, *cuts], [*cuts, None], strict=True))


def filter_span(rows: QuerySet[Any, Any], by: str, span: Span) -> QuerySet[Any, Any]:
    """Return the rows whose `by` lies in a range."""
    above, until = span
    rows = rows if above is None else rows.filter(**{f"{by}__gt": above})
    return rows if until is None else rows.filter(**{f"{by}__lte": until})


def read_columns(
    rows: QuerySet[Any, Any], by: str, span: Span, names: Sequence[str], at_once: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield columns of rows, a number at once, in the order of `by` (the first of `names`).

    Each batch is a query of its own: no cursor holds a whole table. Rows that share a value, which
    only tampering produces, are distinguished by their id (the second of `names`).
    """
    rows = rest = filter_span(rows.order_by(by, "pk"), by, span)
    while batch_rows := list(rest.values_list(*names)[:at_once]):
        yield batch_rows
        last, pk = batch_rows[-1][:2]
        behind = Q(**{f"{by}__gt": last}) | Q(pk__gt=pk)
        rest = rows.filter(behind, **{f"{by}__gte": last})


def run_tasks(tasks: Sequence[Task[T]], *, processes: int, progress: Progress) -> Iterator[T]:
    """Yield the results of tasks in order; with one process they run here.

    Several processes are forked, each with its own connection, so call it outside a transaction,
    whose rows they would not see. When a task fails, or the caller stops iterating, the others end
    the next time they report progress. Raises BrokenProcessPool when a worker is killed.
    """
    if processes == 1:
        for task in tasks:
            yield task(progress)
        return
    if any(connection.in_atomic_block for connection in connections.all(initialized_only=True)):
        raise RuntimeError("processes see nothing of a transaction that is open")
    # a connection that is used from both sides of a fork is broken for both
    connections.close_all()
    # spawned processes would have to load Django and the registries again
    context = multiprocessing.get_context("fork")
    # read by each worker between batches; a lock would stay taken if its holder were killed
    stopped = context.RawValue("b", False)
    with ProcessPoolExecutor(processes, context, _prepare_worker, (stopped,)) as pool:
        try:
            # map keeps the order of the tasks, whichever ends first
            for done, task_result in enumerate(pool.map(_run_task, tasks), 1):
                progress(done)
                yield task_result
        finally:
            stopped.value = True
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare_worker(stopped: Any) -> None:
    """Leave interrupts to the parent, end when it says so, and drop its database connections."""
    global _stopped
    _stopped = stopped
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # a signal handler of the parent's would not end it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    connections.close_all()


def _run_task(task: Task[T]) -> T:
    try:
        return task(_stop_with_parent)
    finally:
        connections.close_all()


def _stop_with_parent(done: int) -> None:
    """Abandon a range whose result is no longer needed; the parent counts the ranges."""
    if _stopped is not None and _stopped.value:
        raise Stopped
