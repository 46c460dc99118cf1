"""The world of the journeys: platform, counterparty, chain and receiver, as the page starts them.

All are processes of their own. The commands are those of docs/journeys/index.md, at ports and in a
folder of this world; the database is that of the test run: SQLite, or a new one of PostgreSQL.
"""

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from config import start_guard
from tests.journeys.pages import ROOT, Page
from tests.test_run import free_port

# the ports that the pages name
PLATFORM, TOOLS, LATER, HERON, RECEIVER, CHAIN = 8000, 8001, 8400, 8200, 8300, 8545
STARTS_WITHIN = 480.0  # on a busy machine
ENDS_WITHIN = 60.0


@dataclass
class World:
    """What runs, and where: `ports` by those that the pages name."""

    folder: Path
    database: str = ""
    ports: dict[int, int] = field(default_factory=dict)

    def page(self, name: str) -> Page:
        """Return a page whose commands run in this world."""
        return Page(name, folder=self.folder, places=self.places(), env=self.env())

    def places(self) -> dict[str, str]:
        """Return what the pages name, and what stands in its place here."""
        ports = {f"127.0.0.1:{shown}": f"127.0.0.1:{real}" for shown, real in self.ports.items()}
        named = {f"PORT={shown}": f"PORT={real}" for shown, real in self.ports.items()}
        of_receiver = {f"receiver {RECEIVER}": f"receiver {self.ports[RECEIVER]}"}
        folder = {"var/": f"{self.folder}/"}
        of_chain = {f"--port {CHAIN}": f"--port {self.ports[CHAIN]}"}
        return ports | named | of_receiver | of_chain | folder

    def env(self) -> dict[str, str]:
        """Return the environment of somebody who works with the platform."""
        environ = dict(os.environ)
        for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DJANGO_ENV", "MCP_PORT", "KEY"):
            environ.pop(name, None)
        environ |= {"VAR_DIR": str(self.folder), "PORT": str(self.ports[PLATFORM])}
        environ |= {"MCP_PORT": str(self.ports[TOOLS])}
        # a busy machine needs longer for some steps than an officer's proof counts
        environ |= {"STEP_UP_MINUTES": "60"}
        return environ | ({"DATABASE_URL": self.database} if self.database else {})

    def url(self, port: int, path: str = "/") -> str:
        """Return an address of what the pages have at a port."""
        return f"http://127.0.0.1:{self.ports[port]}{path}"


@contextmanager
def running(command: str, *, log: Path, env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of a page in the background, and end it after the block."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            ["sh", "-euc", command],
            cwd=ROOT,
            env=env,
            stdout=out,
            stderr=out,
            start_new_session=True,
            # a run that is killed leaves no world behind
            preexec_fn=start_guard.die_with_parent(os.getpid()),
        )
    try:
        yield process
    finally:
        for how in (signal.SIGINT, signal.SIGKILL):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, how)  # as Ctrl-C does
                process.wait(ENDS_WITHIN)
                break


def until_up(url: str, *, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers at an address."""
    ends = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < ends:
        assert process.poll() is None, log.read_text()
        with suppress(OSError):
            if _answers(url):
                return
        time.sleep(0.2)
    raise AssertionError(f"not within {STARTS_WITHIN} s:\n{log.read_text()}")


def _answers(url: str) -> bool:
    """Tell whether a server answers; it is there also where it asks for a key."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status < 500)
    except urllib.error.HTTPError as error:
        return error.code < 500


@contextmanager
def database_of(url: str, name: str) -> Iterator[str]:
    """Make a database on the server of a URL for the time of the block; "" where there is none."""
    if not url.startswith("postgres"):
        yield ""
        return
    mine = urlsplit(url)._replace(path=f"/{name}").geturl()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}"')
        server.execute(f'CREATE DATABASE "{name}"')
    try:
        yield mine
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def started(folder: Path) -> Iterator[World]:
    """Start all that the first page starts, side by side, and wait until it answers."""
    with ExitStack() as stack:
        url = os.environ.get("DATABASE_URL", "")
        name = f"journeys_{os.getpid()}"
        world = World(folder, stack.enter_context(database_of(url, name)))
        for port in (PLATFORM, TOOLS, LATER, HERON, RECEIVER, CHAIN):
            world.ports[port] = free_port()
        page = world.page("index")
        waiting = [
            (port, path, *_begun(stack, page, block, world))
            for block, port, path in (
                ("chain", CHAIN, ""),
                ("receiver", RECEIVER, "/"),
                ("platform", PLATFORM, "/"),
                ("counterparty", HERON, "/integration/travel-rule/export"),
            )
        ]
        for port, path, process, log in waiting:
            until_up(world.url(port, path), process=process, log=log)
            if port == CHAIN:
                page.run("token")
        page.finish()
        yield world


def _begun(
    stack: ExitStack, page: Page, block: str, world: World
) -> tuple[subprocess.Popen[bytes], Path]:
    """Start what a block of the page starts, until the world ends."""
    log = world.folder / f"{block}.log"
    command = page.in_background(block)
    return stack.enter_context(running(command, log=log, env=world.env())), log
