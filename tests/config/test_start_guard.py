"""A start makes way for itself, ends only its own, and says who holds the port."""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import free_port, start_guard

SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(120)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('up', flush=True); time.sleep(120)",
]

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc"),
]


class Children:
    """Processes that a test starts, each with a mark, and ends."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[bytes]] = []

    def start(
        self, mark: str, command: list[str] = SLEEP, passed: tuple[int, ...] = ()
    ) -> "subprocess.Popen[bytes]":
        env = os.environ | {start_guard.MARK: mark}
        child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, pass_fds=passed)
        assert child.stdout
        child.stdout.readline()
        self.started.append(child)
        return child

    def end(self) -> None:
        for child in self.started:
            child.kill()
            child.wait()
            assert child.stdout
            child.stdout.close()


@pytest.fixture
def children() -> Iterator[Children]:
    found = Children()
    yield found
    found.end()


def left(folder: Path, mark: str, port: int | None = 8000) -> Path:
    """The record of a start whose supervisor is dead."""
    path = folder / f"{mark}.json"
    with path.open("w") as record:
        json.dump({"pid": 1, "port": port, "file": start_guard.file_identity(record)}, record)
    return path


def test_what_a_dead_start_left_is_ended_and_nothing_else(
    tmp_path: Path, children: Children
) -> None:
    mine, other = children.start("aaaa"), children.start("aaaab")
    record = left(tmp_path, "aaaa")
    assert start_guard.end_stale_processes(tmp_path, port=8000) == 1
    assert mine.wait(10) != 0
    assert other.poll() is None
    assert not record.exists()


def test_one_that_does_not_listen_is_ended_too(
    tmp_path: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_guard, "GRACE_SECONDS", 0.5)
    deaf = children.start("bbbb", DEAF)
    left(tmp_path, "bbbb")
    assert start_guard.end_stale_processes(tmp_path, port=8000) == 1
    assert deaf.wait(10) == -9


def test_a_living_start_keeps_its_processes_and_its_port(
    tmp_path: Path, children: Children
) -> None:
    with start_guard.record_start(tmp_path, port=8000) as mark:
        child = children.start(mark)
        with pytest.raises(free_port.PortTaken, match=f"process {os.getpid()}, which runs this"):
            start_guard.end_stale_processes(tmp_path, port=8000)
        assert start_guard.end_stale_processes(tmp_path, port=8001) == 0
        assert start_guard.end_stale_processes(tmp_path, port=None) == 0
        assert child.poll() is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("alive", [True, False])
def test_a_copy_of_the_folder_ends_nothing_of_the_original(
    tmp_path: Path, children: Children, alive: bool
) -> None:
    """Not even of a start that has died: its own folder ends that."""
    original, copy = tmp_path / "starts", tmp_path / "copy"
    with start_guard.record_start(original, port=8000) as mark:
        child = children.start(mark)
        if not alive:
            (original / f"{mark}.json").unlink()
            left(original, mark)
        shutil.copytree(original, copy)
        assert start_guard.end_stale_processes(copy, port=8001) == 0
        assert child.poll() is None and list(copy.iterdir()) == []
        assert [one.stem for one in original.iterdir()] == [mark]


def test_a_folder_that_was_moved_is_the_original(tmp_path: Path, children: Children) -> None:
    child = children.start("dddd")
    (tmp_path / "starts").mkdir()
    left(tmp_path / "starts", "dddd")
    (tmp_path / "starts").rename(tmp_path / "moved")
    assert (
        start_guard.end_stale_processes(tmp_path / "moved", port=8000) == 1 and child.wait(10) != 0
    )


def test_a_record_that_is_damaged_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cccc.json"
    path.write_text("")
    with path.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert start_guard.end_stale_processes(tmp_path, port=8000) == 0
    assert start_guard.end_stale_processes(tmp_path, port=8000) == 0
    assert not path.exists()


def test_a_taken_port_is_told_with_its_process(children: Children) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        child = children.start("dddd", SLEEP, (server.fileno(),))
    said = rf"Port {port} is in use by process {child.pid} \(.*\)\. .*set PORT"
    with pytest.raises(free_port.PortTaken, match=said):
        free_port.require_free_port("127.0.0.1", port)
    child.kill()
    free_port.require_free_port("127.0.0.1", port)


def test_a_port_that_is_held_for_a_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as passing:
        passing.bind(("127.0.0.1", 0))
        port = passing.getsockname()[1]
        timer = threading.Timer(0.5, passing.close)
        timer.start()
        free_port.require_free_port("127.0.0.1", port)
        timer.join()
    with socket.socket() as staying:
        staying.bind(("127.0.0.1", 0))
        monkeypatch.setattr(free_port, "PASSING_SECONDS", 0.3)
        with pytest.raises(free_port.PortTaken, match="another process"):
            free_port.require_free_port("127.0.0.1", staying.getsockname()[1])


def test_a_server_that_is_ending_is_waited_for(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its memory goes before its sockets: it has no command any more, and still listens."""
    monkeypatch.setattr(free_port, "read_command_line", lambda process: "")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        child = children.start("eeee", SLEEP, (server.fileno(),))
    timer = threading.Timer(0.5, child.kill)
    timer.start()
    free_port.require_free_port("127.0.0.1", port)
    timer.join()


def test_a_child_is_told_when_its_parent_dies(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux tells")
    code = (
        "import os, subprocess, sys; from config.start_guard import die_with_parent; "
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(120)'], "
        "preexec_fn=die_with_parent(os.getpid())); print(child.pid, flush=True); "
        "os.kill(os.getpid(), 9)"
    )
    root = Path(__file__).resolve().parents[2]
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, timeout=60
    )
    child = int(process.stdout)
    for _ in range(100):
        if not _runs(child):
            return
        try:
            os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError("the child runs on")


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
