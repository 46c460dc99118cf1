"""Long looks at the database, divided among processes: each reads a stretch by itself."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from django.db import connections
from django.db.models import Q, QuerySet

PIECES = 4  # stretches for each process: who is done early takes the next
SMALLEST = 5000
Progress = Callable[[int], None]
Span = tuple[int | None, int | None]  # above, and until; None is without end
WHOLE: Span = (None, None)
T = TypeVar("T")
Task = Callable[[Progress], T]


def split_range(last: int, processes: int) -> list[Span]:
    """Return the stretches of numbers up to `last` that processes look at; the last has no end."""
    pieces = 1 if processes == 1 else max(1, min(processes * PIECES, last // SMALLEST))
    cuts = [last * one // pieces for one in range(pieces)]
    return list(zip([None, *cuts[1:]], [*cuts[1:], None], strict=True))


def split_at(cuts: Sequence[int]) -> list[Span]:
    """Return the stretches between ids that are sorted; ids themselves belong to the one before."""
    return list(zip([None, *cuts], [*cuts, None], strict=True))


def filter_span(rows: QuerySet[Any, Any], by: str, span: Span) -> QuerySet[Any, Any]:
    """Return the rows whose `by` lies in a stretch."""
    above, until = span
    rows = rows if above is None else rows.filter(**{f"{by}__gt": above})
    return rows if until is None else rows.filter(**{f"{by}__lte": until})


def read_columns(
    rows: QuerySet[Any, Any], by: str, span: Span, names: Sequence[str], at_once: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield columns of rows, so many at once, in the order of `by` (the first of `names`).

    Each piece is a look-up of its own: no cursor holds a whole table. Rows that share a value,
    as only tampering makes them, are told apart by their id (the second of `names`).
    """
    rows = rest = filter_span(rows.order_by(by, "pk"), by, span)
    while found := list(rest.values_list(*names)[:at_once]):
        yield found
        last, pk = found[-1][:2]
        behind = Q(**{f"{by}__gt": last}) | Q(pk__gt=pk)
        rest = rows.filter(behind, **{f"{by}__gte": last})


def run_tasks(tasks: Sequence[Task[T]], *, processes: int, progress: Progress) -> Iterator[T]:
    """Yield what tasks return, in their order; one process runs them here.

    Others are forked, each with a connection of its own: not from inside a transaction, whose rows
    they would not see.
    """
    if processes == 1:
        for task in tasks:
            yield task(progress)
        return
    if any(connection.in_atomic_block for connection in connections.all(initialized_only=True)):
        raise RuntimeError("processes see nothing of a transaction that is open")
    connections.close_all()
    with multiprocessing.get_context("fork").Pool(processes, _prepare_worker) as pool:
        for done, found in enumerate(pool.imap(_run_task, tasks), 1):
            progress(done)
            yield found
        pool.close()
        pool.join()  # each ends by itself; leaving the block ends what an error leaves behind


def _prepare_worker() -> None:
    """Let the parent answer an interrupt, end when it says so, and share no connection of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # a handler of the parent's would take the signal for itself, and the pool wait for ever
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    connections.close_all()


def _run_task(task: Task[T]) -> T:
    try:
        return task(_ignore_progress)
    finally:
        connections.close_all()


def _ignore_progress(done: int) -> None:
    """Tell nobody: the parent counts stretches."""
