"""A PostgreSQL and a Redis of their own, which may be stopped, killed and filled."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from config import start_guard
from tests.test_run import free_port

WITHIN = 60.0  # seconds, on a busy machine


def until(done: Callable[[], object], seconds: float = WITHIN, why: str = "it") -> None:
    """Wait until something holds; what raises meanwhile counts as not yet."""
    ends, last = time.monotonic() + seconds, None
    while time.monotonic() < ends:
        try:
            if done():
                return
        except (OSError, AssertionError, psycopg.Error, redis.RedisError, LookupError) as error:
            last = error
        time.sleep(0.2)
    raise AssertionError(f"{why}: not within {seconds:.0f} s ({last!r})")


def binaries() -> Path | None:
    """Return where the newest installed PostgreSQL server's programs are."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: one.parts[4])
    beside = shutil.which("initdb")
    return found[-1].parent if found else Path(beside).parent if beside else None


class Postgres:
    """A cluster in a folder of its own. It runs as `postgres` where we are root, as it insists."""

    def __init__(self, bin_folder: Path) -> None:
        self.bin, self.port = bin_folder, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="oracle-faults-pg-"))
        self.data = self.folder / "data"
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "--auth=trust", "--username=postgres", f"--pgdata={self.data}")

    def url(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        given = f"-p {self.port} -c listen_addresses=127.0.0.1 -c max_connections=200"
        given += f" -c unix_socket_directories={self.folder} -c log_min_messages=error"
        log = f"--log={self.folder / 'log'}"
        self._run("pg_ctl", f"--pgdata={self.data}", "--wait", log, f"--options={given}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` rolls back what runs, `immediate` is as a crash."""
        self._run("pg_ctl", f"--pgdata={self.data}", "--wait", f"--mode={mode}", "stop")

    def create(self, name: str) -> str:
        """Make an empty database; return its address."""
        self.sql(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def copy(self, source: str, name: str) -> str:
        """Make a database that is as another one; nobody may be connected to that."""
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{source}"')
        return self.url(name)

    def sql(self, text: str, name: str = "postgres") -> list[tuple]:
        """Do something as its superuser."""
        with psycopg.connect(self.url(name), autocommit=True) as server:
            done = server.execute(text)
            return done.fetchall() if done.description else []

    def remove(self) -> None:
        """Stop it and leave nothing."""
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        us = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        # its output goes nowhere: the server would keep a pipe open
        subprocess.run(
            [*us, str(self.bin / program), *words],
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=WITHIN * 2,
        )


class Redis:
    """A redis-server of its own, without a disk, as compose.yaml runs it."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly"]
        self.process = subprocess.Popen(
            ["redis-server", *words, "no"],
            stdout=subprocess.DEVNULL,
            preexec_fn=start_guard.die_with_parent(os.getpid()),
        )
        with redis.Redis.from_url(self.url) as client:
            until(client.ping, why="redis-server answers")

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)

    def freeze(self) -> None:
        """Have it accept connections and say nothing."""
        if self.process is not None:
            self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Have it answer again."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
