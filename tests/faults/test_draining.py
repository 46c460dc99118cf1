"""A web server that is told to end: who was connecting is answered, who comes later is refused."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from apps.platform.server import shutdown
from tests.faults.servers import until
from tests.test_run import free_port

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's filters on sockets"),
]
CONFIG = """
bind = "127.0.0.1:{port}"
workers = 2
worker_class = "apps.platform.server.worker.BufferedWorker"
keepalive = 2
graceful_timeout = 10
loglevel = "warning"
"""
APP = """
import time
def app(environ, start):
    time.sleep(0.005)
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]
"""
CLIENTS = 12


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A gunicorn with two of our workers, and its port."""
    port = free_port()
    (tmp_path / "served.py").write_text(APP)
    (tmp_path / "settings.py").write_text(CONFIG.format(port=port))
    words = ["--config", str(tmp_path / "settings.py"), "--pythonpath", str(tmp_path), "served:app"]
    process = subprocess.Popen([sys.executable, "-m", "gunicorn", *words], start_new_session=True)
    until(lambda: get(port) == 200, why="the server answers")
    yield process, port
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)


def get(port: int) -> int:
    """Ask once, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def pressed(port: int, act: Callable[[], object]) -> Counter[str]:
    """Have clients ask without a pause while something is done; count what they were told."""
    told: Counter[str] = Counter()
    ends = threading.Event()

    def ask() -> None:
        while not ends.is_set():
            try:
                told[str(get(port))] += 1
            except ConnectionRefusedError:
                told["refused"] += 1
                time.sleep(0.01)
            except (OSError, http.client.HTTPException) as error:
                told[repr(error)] += 1

    threads = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    act()
    time.sleep(2)
    ends.set()
    for thread in threads:
        thread.join(30)
    return told


def test_a_server_that_ends_breaks_no_connection_under_load(server: tuple) -> None:
    process, port = server
    told = pressed(port, process.terminate)
    assert process.wait(20) == 0
    assert set(told) == {"200", "refused"}, told
    assert told["200"] > 50


def test_a_worker_that_ends_alone_leaves_the_port_open(server: tuple) -> None:
    process, port = server
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    told = pressed(port, lambda: os.kill(int(children[0]), signal.SIGTERM))
    assert set(told) == {"200"}, told
    assert process.poll() is None


def test_new_connections_are_ignored_and_those_that_wait_are_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        with socket.create_connection(address, timeout=5) as early:
            assert shutdown.ignore_new_connections(listener)
            assert shutdown.has_waiting_clients([listener])
            with pytest.raises(TimeoutError), socket.create_connection(address, timeout=0.3):
                pass
            taken, _ = listener.accept()
            with taken:
                early.sendall(b"still here")
                assert taken.recv(100) == b"still here"
        assert not shutdown.has_waiting_clients([listener])


def test_who_else_has_a_listener_is_known() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert shutdown.is_held_by_process(os.getpid(), listener)
        assert shutdown.is_held_by_process(2**22 + 1, listener), (
            "of a process that is gone nothing is known"
        )
        child = subprocess.Popen(["sleep", "30"])
        try:
            assert not shutdown.is_held_by_process(child.pid, listener)
        finally:
            child.kill()
            child.wait()


def test_a_server_that_takes_over_the_port_goes_on_serving(
    server: tuple[subprocess.Popen[bytes], int], tmp_path: Path
) -> None:
    process, port = server
    process.send_signal(signal.SIGUSR2)
    until(lambda: len(servers_after(process.pid)) == 1, why="the next server is there")
    time.sleep(1.0)  # its workers begin
    process.send_signal(signal.SIGTERM)
    process.wait(20)
    assert [get(port) for _ in range(4)] == [200] * 4


def servers_after(process: int) -> list[str]:
    """Return the programs that were started to take a server's place."""
    mark = f"GUNICORN_PID={process}".encode()
    found = []
    for one in Path("/proc").iterdir():
        with suppress(OSError):
            told = (one / "environ").read_bytes().split(b"\0") if one.name.isdecimal() else []
            parent = (one / "stat").read_text().rpartition(")")[2].split()[1] if told else ""
            if mark in told and parent == str(process):
                found.append(one.name)
    return found


@pytest.mark.parametrize(
    ("environment", "server", "shared"),
    [
        ({}, os.getpid(), False),  # a worker of the same server
        ({"GUNICORN_PID": str(os.getpid())}, os.getpid(), True),  # the server that follows
        ({}, os.getppid(), True),  # another's
    ],
    # numbers of processes in the names of tests would differ between those that run them
    ids=["a worker of the same server", "the server that follows", "another's"],
)
def test_who_else_has_the_listener(environment: dict[str, str], server: int, shared: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert not shutdown.is_listener_shared(listener, server=os.getpid())
        words = [sys.executable, "-c", "print(flush=True); input()"]
        with subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        ) as other:
            assert other.stdout and other.stdout.readline()
            assert shutdown.is_listener_shared(listener, server=server) is shared
            other.communicate(b"\n")
