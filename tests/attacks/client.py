"""Calls of the attacks that go by HTTP, with nothing but the standard library."""

import contextlib
import json
import os
import socket
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 30


@dataclass(frozen=True)
class Answer:
    """What came back to bytes that were sent: status 0 where nothing did, headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Target:
    """The installation that is attacked: its address, and the demo keys of its sandbox."""

    url: str
    keys: dict[str, str]

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        """Send a body as JSON; return status and document."""
        request = urllib.request.Request(
            f"{self.url}{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"} | headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def send(self, data: bytes, *, half: bool = False) -> Answer:
        """Send bytes as they are, and read until the server closes; `half` ends the sending."""
        place = urlsplit(self.url)
        received = b""
        with (
            contextlib.closing(
                socket.create_connection((place.hostname, place.port or 80), timeout=TIMEOUT)
            ) as client,
            contextlib.suppress(OSError),  # it may close before all was sent
        ):
            client.sendall(data)
            if half:
                client.shutdown(socket.SHUT_WR)
            while part := client.recv(65536):
                received += part
        return parse(received)


def parse(received: bytes) -> Answer:
    """Return the first answer of what was received."""
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) < 2 or not words[0].startswith("HTTP/") or not words[1].isdecimal():
        return Answer(0, {}, received)
    pairs = (line.partition(":") for line in lines)
    return Answer(int(words[1]), {name.lower(): value.strip() for name, _, value in pairs}, body)


def target() -> Target:
    """Return the sandbox that PORT and VAR_DIR name, as `./run` has started it."""
    folder = Path(os.environ.get("VAR_DIR", "var"))
    keys = json.loads((folder / "keys.json").read_text())
    return Target(f"http://127.0.0.1:{os.environ.get('PORT', '8000')}", keys)
