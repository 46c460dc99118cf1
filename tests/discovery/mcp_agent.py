"""The MCP server as a process of its own, and an agent that calls it with the SDK's client."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import requests
from django.conf import settings
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

ROOT = Path(settings.BASE_DIR)
NO_DATABASE = "postgres://nobody@127.0.0.1:1/x"  # the process must need none
STARTS = 90.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """A running MCP server; `log` is all that it wrote."""

    def __init__(self, folder: Path, workers: str, **given: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self._log = folder / "mcp.log"
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self._given = kept | {
            "VAR_DIR": str(folder),
            "SECRET_KEY": settings.SECRET_KEY,
            "DATABASE_URL": NO_DATABASE,
            "MCP_PORT": str(self.port),
            "MCP_API_URL": workers,
            "PORT": workers.rpartition(":")[2],
        }
        self._given |= given
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "apps.entry.discovery.tools"],
                cwd=ROOT, env=self._given, stdout=log, stderr=log,
            )  # fmt: skip
        deadline = time.monotonic() + STARTS
        while not self.answers():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.2)

    def answers(self) -> bool:
        with suppress(requests.RequestException):
            return requests.get(f"{self.url}/health", timeout=2).status_code == 200
        return False

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def stop(self) -> int:
        """Ask it to end; return its status."""
        self.process.terminate()
        return self.process.wait(20)


@contextmanager
def running(folder: Path, workers: str, **given: str) -> Iterator[Running]:
    """Run an MCP server before some web workers."""
    found = Running(folder, workers, **given)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.wait(10)


def alone(work: Any, *given: Any) -> Any:
    """Run a coroutine in a thread of its own: that of the tests may hold the loop of a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, work, *given).result()


class Agent:
    """An agent: `headers` are those of its connection, `mode` the era of the protocol."""

    def __init__(self, url: str, mode: str = "auto", **headers: str) -> None:
        self.url, self.mode = url, mode
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    async def _with(self, work: Any) -> Any:
        async with httpx2.AsyncClient(headers=self.headers, timeout=60, trust_env=False) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=self.mode) as client:
                return await work(client)

    def do(self, work: Any) -> Any:
        """Run what takes a connected client."""
        return alone(self._with, work)

    def tools(self) -> dict[str, Any]:
        """Return the tools that are told, by name."""

        async def work(client: Client) -> Any:
            return await client.list_tools()

        return {tool.name: tool for tool in self.do(work).tools}

    def call(
        self, name: str, arguments: Any = None, meta: Mapping[str, Any] | None = None
    ) -> CallToolResult:
        """Call a tool; what is told is held against its schema by the client."""

        async def work(client: Client) -> CallToolResult:
            return await client.call_tool(name, dict(arguments or {}), meta=meta)  # type: ignore[arg-type]

        found: CallToolResult = self.do(work)
        return found

    def good(self, name: str, arguments: Any = None, meta: Any = None) -> dict[str, Any]:
        """Call a tool that is to answer, and return what it gives."""
        found = self.call(name, arguments, meta)
        assert not found.is_error, found.structured_content
        return dict(found.structured_content)

    def bad(self, name: str, arguments: Any = None, meta: Any = None) -> dict[str, Any]:
        """Call a tool that is to refuse, and return the problem."""
        found = self.call(name, arguments, meta)
        assert found.is_error, found.structured_content
        return dict(found.structured_content)
