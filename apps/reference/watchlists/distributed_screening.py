"""Many names screened by the workers of a Dask cluster, in the order of their file.

Dask hands out the work, and hands it out again where a worker is lost. Each worker is a process of
this project (`manage.py screen_worker`) on a host that has the lists: names go to it, the index
does not. A client that reaches the scheduler can run code on its workers, and read the names: see
`require_guarded_address`.
"""

import asyncio
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import close_old_connections

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.reference.watchlists import csv_batch, engine
from apps.reference.watchlists.bulk_screening import RowScreener, ScreeningOrder

CHUNK = 500  # rows that go to a worker at once: about a quarter of a second of its work
AHEAD = 4  # chunks in flight for each worker: one that ends finds the next at its door
CONNECTS = 10.0  # seconds until a scheduler that does not answer is given up
PATIENCE = 300.0  # seconds for a chunk, with the workers that were lost under it
LOOPBACK = ("localhost", "127.0.0.1", "::1")
INSTALL = "pip install --require-hashes --requirement requirements-dask.lock"


class ClusterRefused(DomainError):
    """The cluster cannot be used: it is not there, not guarded, or has other lists."""

    code, title = "spread_refused", "The cluster cannot be used"


def require_guarded_address(address: str) -> None:
    """Refuse an invalid address, and in production any connection that is neither TLS nor local.

    Dask takes its certificates from its own settings (DASK_DISTRIBUTED__COMM__TLS__…), with which
    both sides authenticate.
    """
    if find_spec("distributed") is None:
        raise ClusterRefused(f"Dask is not installed: {INSTALL}.")
    place = _parse_address(address)
    if place is None:
        raise ClusterRefused(
            f"{address} is not the address of a scheduler, such as tls://10.0.0.5:8786."
        )
    if settings.PRODUCTION and place.scheme != "tls" and place.hostname not in LOOPBACK:
        raise ClusterRefused(
            "Names are sent this way, and anyone who reaches a scheduler runs code on its workers: "
            "give a tls:// address, with certificates (docs/operations.md)."
        )


def _parse_address(address: str) -> SplitResult | None:
    """Return the parts of an address that says how, where and at which port; None for another."""
    place = urlsplit(address)
    try:
        whole = place.scheme in ("tcp", "tls") and place.hostname and place.port
    except ValueError:  # the port is none
        return None
    return place if whole else None


@lru_cache(maxsize=4)
def _open_screener(order: ScreeningOrder) -> RowScreener:
    """Open the lists of an order once per worker, even if other versions go live."""
    # a worker lives for days, and the connection of its last order may be gone
    close_old_connections()
    opened = engine.load_current_engine(now(), need=(order.topic,))
    if opened.list_set.id != order.list_set:
        raise ClusterRefused(
            f"This worker has the lists {opened.list_set.id}, and the run those of "
            f"{order.list_set}: wait until its index has them, and run again."
        )
    return RowScreener(order, opened)


def screen_rows(order: ScreeningOrder, rows: Sequence[csv_batch.Row]) -> list[tuple[str, ...]]:
    """Return what each of these rows gets. This is what runs on a worker."""
    judge = _open_screener(order)
    return [tuple(judge(row)) for row in rows]


def _build_chunk_task() -> Callable[..., Any]:
    """Return a call of `screen_rows` on a worker, as a function that is serialized whole.

    A scheduler deserializes what it hands out, and is not a process of this project: it could not
    import this module, nor `ScreeningOrder`.
    """

    # a function of a module would be serialized by its name, a nested one is by its code
    def call(order, rows):  # type: ignore[no-untyped-def]
        from apps.reference.watchlists import bulk_screening, distributed_screening

        return distributed_screening.screen_rows(bulk_screening.ScreeningOrder(*order), rows)

    return call


@contextmanager
def screen_on_cluster(
    address: str, order: ScreeningOrder, *, waits: float
) -> Iterator[csv_batch.Judges]:
    """Give what has rows judged by the workers at a scheduler; the first may take `waits` seconds.

    Raises ClusterRefused where the scheduler does not answer, no worker comes, or lists differ.
    """
    require_guarded_address(address)
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECTS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterRefused(f"No scheduler answers at {address}: {error}") from error
    try:
        try:
            client.wait_for_workers(1, timeout=waits)
        except TimeoutError as error:
            raise ClusterRefused(f"No worker connected to {address} within {waits:g} s.") from error
        yield lambda rows: _iter_ordered_results(client, order, rows)
    finally:
        client.close(timeout=CONNECTS)


def _iter_ordered_results(
    client: Any, order: ScreeningOrder, rows: Iterable[csv_batch.Row]
) -> Iterator[Sequence[str]]:
    """Have chunks judged side by side, and give what came of their rows one after the other."""
    flying: deque[Any] = deque()
    call, chunk_settings = _build_chunk_task(), (order.topic, order.cutoff, order.list_set)
    for chunk in _iter_chunks(rows):
        # not pure: Dask would otherwise take chunks with the same rows for one and the same task
        flying.append(client.submit(call, chunk_settings, chunk, pure=False))
        # workers come and go: how many chunks are ahead follows how many there are
        while len(flying) >= AHEAD * max(1, len(client.nthreads())):
            yield from _wait_for_result(flying.popleft())
    while flying:
        yield from _wait_for_result(flying.popleft())


def _iter_chunks(rows: Iterable[csv_batch.Row]) -> Iterator[list[csv_batch.Row]]:
    left = iter(rows)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def _wait_for_result(future: Any) -> Sequence[Sequence[str]]:
    """Wait for a chunk; a worker that is lost under it is made good by another."""
    from distributed import KilledWorker

    try:
        return future.result(timeout=PATIENCE)
    except TimeoutError as error:
        raise ClusterRefused(f"No worker finished {CHUNK} rows within {PATIENCE:g} s.") from error
    except KilledWorker as error:
        raise ClusterRefused("Workers were lost repeatedly on the same rows.") from error


def run_worker(address: str, *, folder: Path, ready: Callable[[str], None]) -> None:
    """Run a worker until the scheduler ends or this process gets SIGTERM; finish current rows.

    It takes one row at a time, so a host runs a worker for each core. `ready` is called with the
    worker's own address.
    """
    require_guarded_address(address)
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_run_worker_loop(address, folder, ready))


async def _run_worker_loop(address: str, folder: Path, ready: Callable[[str], None]) -> None:
    import dask
    from distributed import Worker

    # the profiler would sample the interpreter a hundred times a second for an unused profile
    with dask.config.set({"distributed.worker.profile.enabled": False}):
        worker = Worker(
            address,
            # screening a name is bound by the interpreter: further threads would only wait for it
            nthreads=1,
            local_directory=str(folder),
            dashboard=False,
            death_timeout=CONNECTS,
        )
    # the loop refers to its tasks weakly: `ends` keeps the closing one alive until it is done
    loop, ends = asyncio.get_running_loop(), []
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(
            number, lambda: ends.append(loop.create_task(worker.close_gracefully()))
        )
    try:
        await worker
    except (OSError, TimeoutError) as error:
        raise ClusterRefused(f"No scheduler answers at {address}: {error}") from error
    ready(worker.address)
    await worker.finished()
