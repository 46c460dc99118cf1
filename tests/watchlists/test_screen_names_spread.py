"""screen_names --scheduler: a Dask cluster screens the rows, and a lost worker loses none."""

import csv
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.reference.watchlists import csv_batch, distributed_screening, engine, indexes
from apps.reference.watchlists.bulk_screening import ScreeningOrder
from apps.reference.watchlists.live_list_sets import load_current_set
from tests import sampling
from tests.discovery.mcp_agent import free_port

WORKER = """
import sys, time, django
django.setup()
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
settings.VAR_DIR = Path(sys.argv[2])
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from apps.reference.watchlists import bulk_screening
judge = bulk_screening.RowScreener.__call__
def slowly(self, row):
    time.sleep(0.003)
    return judge(self, row)
bulk_screening.RowScreener.__call__ = slowly
call_command("screen_worker", sys.argv[3])
"""
LONELY = """
import sys, django
django.setup()
from pathlib import Path
from django.conf import settings
from django.core.management import CommandError, call_command
settings.VAR_DIR = Path(sys.argv[2])
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from apps.reference.watchlists import distributed_screening
distributed_screening.CONNECTS = 1.0
try:
    call_command("screen_worker", sys.argv[3])
except CommandError as error:
    print(error)
    sys.exit(3)
"""
PARTIES = ("Lazarus Group", "Kim Jong Un", "Blue Heron Ltd", "", "Müller & Söhne", "x\u200bray")
COUNT = 1200


@pytest.fixture
def lists(transactional_db: Any, own_folder: Path) -> None:
    """The sample, indexed, where other processes see it."""
    call_command("load_sample_lists", verbosity=0)
    indexes.build_set_index(load_current_set())


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A file of many names."""
    path = tmp_path / "in.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("number", "name", "schema"))
        for number in range(COUNT):
            writer.writerow((number, PARTIES[number % len(PARTIES)], ""))
    return path


def begun(*command: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def ended(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate(timeout=30)


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler of Dask."""
    port = free_port()
    process = begun(
        "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port),
        "--no-dashboard",
    )  # fmt: skip
    yield f"tcp://127.0.0.1:{port}"
    ended(process)


@pytest.fixture
def worker(lists: None, scheduler: str, own_folder: Path) -> Iterator[Callable[[], Any]]:
    """Start a worker, and wait until it is one."""
    all_of_them = []

    def start() -> "subprocess.Popen[str]":
        name = str(connection.settings_dict["NAME"])
        process = begun("-c", WORKER, name, str(own_folder), scheduler)
        all_of_them.append(process)
        assert process.stdout
        said = ""
        while " screens for " not in said:
            said = process.stdout.readline()
            assert said, "the worker ended"
        return process

    yield start
    for one in all_of_them:
        ended(one)


def killing(process: "subprocess.Popen[str]", target: Path, number: int) -> threading.Thread:
    """Send a signal to a worker as soon as some rows are written."""

    def watch() -> None:
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            with suppress(OSError):
                if target.stat().st_size > 2000:
                    process.send_signal(number)
                    return
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_lost_half_way_loses_no_row_and_doubles_none(
    worker: Any, scheduler: str, names: Path, tmp_path: Path, number: int, monkeypatch: Any
) -> None:
    monkeypatch.setattr(distributed_screening, "CHUNK", 25)
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    call_command("screen_names", str(names), str(here))
    lost, _ = worker(), worker()
    watching = killing(lost, there, number)
    call_command("screen_names", str(names), str(there), scheduler=scheduler)
    watching.join()
    assert lost.wait(30) in (0, -signal.SIGKILL)
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.processes
def test_a_worker_with_other_lists_ends_the_run_and_what_was_written_stays(
    worker: Any, scheduler: str, names: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    worker()
    monkeypatch.setattr(
        "apps.reference.watchlists.management.commands.screen_names.ScreeningOrder",
        lambda topic, cutoff, list_set: ScreeningOrder(topic, cutoff, "others"),
    )
    with pytest.raises(CommandError, match=r"This worker has the lists .*, and the run those of"):
        call_command("screen_names", str(names), str(tmp_path / "out.csv"), scheduler=scheduler)
    text = (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    assert text.startswith('"number","name","schema","score"')


@pytest.mark.processes
def test_a_cluster_without_a_worker_is_told(
    lists: None, scheduler: str, names: Path, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=r"No worker connected to .* within 0\.2 s"):
        call_command(
            "screen_names", str(names), str(tmp_path / "o.csv"), scheduler=scheduler, wait=0.2
        )


def test_a_scheduler_that_is_not_there_is_told(
    lists: None, names: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(distributed_screening, "CONNECTS", 1.0)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(CommandError, match="No scheduler answers at"):
        call_command("screen_names", str(names), str(tmp_path / "out.csv"), scheduler=address)


@pytest.mark.processes
def test_a_worker_whose_scheduler_is_not_there_tells_so_and_ends(
    lists: None, own_folder: Path
) -> None:
    # a process of its own: it is the whole of a worker, with its loop and its signals
    name, address = str(connection.settings_dict["NAME"]), f"tcp://127.0.0.1:{free_port()}"
    process = begun("-c", LONELY, name, str(own_folder), address)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, "No scheduler answers at" in said) == (3, True), said


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8786",
        "http://127.0.0.1:8786",
        "tcp://",
        "x",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:x",
        "tcp://127.0.0.1:99999",
    ],
)
def test_what_is_no_address_of_a_scheduler_is_refused(
    lists: None, names: Path, tmp_path: Path, address: str
) -> None:
    with pytest.raises(CommandError, match="is not the address of a scheduler"):
        call_command("screen_names", str(names), str(tmp_path / "o.csv"), scheduler=address)
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("tcp://10.0.0.5:8786", True),
        ("tls://10.0.0.5:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
    ],
)
def test_in_production_names_leave_this_host_by_tls_alone(
    settings: Any, address: str, refused: bool
) -> None:
    sampling.in_production(settings)
    if refused:
        with pytest.raises(distributed_screening.ClusterRefused, match="give a tls:// address"):
            distributed_screening.require_guarded_address(address)
    else:
        distributed_screening.require_guarded_address(address)


def test_without_dask_it_is_said_how_to_install_it(monkeypatch: Any) -> None:
    monkeypatch.setattr(distributed_screening, "find_spec", lambda name: None)
    with pytest.raises(distributed_screening.ClusterRefused, match="requirements-dask"):
        distributed_screening.require_guarded_address("tcp://127.0.0.1:8786")


class Gone:
    """A client whose chunks never end."""

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def submit(self, *given: Any, **named: Any) -> "Gone":
        return self

    def result(self, timeout: float) -> Any:
        raise TimeoutError


def test_a_chunk_that_never_ends_ends_the_run() -> None:
    order = ScreeningOrder("sanction", 0.45, "x")
    rows: list[csv_batch.Row] = [{"name": "Lazarus", "schema": ""}]
    with pytest.raises(distributed_screening.ClusterRefused, match="No worker finished"):
        list(distributed_screening._iter_ordered_results(Gone(), order, rows))


def test_a_worker_opens_its_lists_once_and_keeps_them_while_others_go_live(
    lists: None, monkeypatch: Any
) -> None:
    distributed_screening._open_screener.cache_clear()
    order = ScreeningOrder("sanction", 0.45, load_current_set().id)
    row = {"name": "Lazarus Group", "schema": ""}
    first = distributed_screening.screen_rows(order, [row])
    monkeypatch.setattr(engine, "load_current_engine", lambda *given, **named: 1 / 0)
    assert distributed_screening.screen_rows(order, [row]) == first
    distributed_screening._open_screener.cache_clear()
    assert first[0][1] == "sample-lazarus-group"
