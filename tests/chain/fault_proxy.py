"""A proxy on loopback between us and a node, which does to answers what networks do."""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

LINGER = struct.pack("ii", 1, 0)  # closing then resets the connection


class Refused(Exception):
    """What a lie raises to answer as JSON-RPC refuses a call."""


class FaultProxy:
    """Passes calls on; `mood` says what is done to the answers, `lies` what they are made into."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.mood, self.calls = "", 0
        self.slow = 30.0
        self.lies: Callable[[dict[str, Any], Any], Any] = lambda _, said: said
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one call."""
        self.calls += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(_length(head))
            answer = self._made(json.loads(body), await self._ask(body))
            await self._give(writer, answer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _ask(self, body: bytes) -> Any:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(
            b"POST / HTTP/1.1\r\nHost: node\r\nContent-Type: application/json\r\n"
            b"Connection: close\r\nContent-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        said = await reader.readexactly(_length(head))
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        return json.loads(said)

    def _made(self, asked: dict[str, Any], said: Any) -> bytes:
        if "result" in said:
            try:
                said |= {"result": self.lies(asked, said["result"])}
            except Refused as error:
                del said["result"]
                said |= {"error": {"code": -32000, "message": str(error)}}
        body = json.dumps(said).encode()
        return (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + str(len(body)).encode() + b"\r\nConnection: close\r\n\r\n" + body
        )  # fmt: skip

    async def _give(self, writer: asyncio.StreamWriter, answer: bytes) -> None:
        if self.mood == "delay":
            await asyncio.sleep(self.slow)
        elif self.mood == "reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
            writer.transport.abort()
            return
        elif self.mood == "half-close":
            return
        elif self.mood == "truncate":
            answer = answer[: len(answer) - 10]
        elif self.mood == "duplicate":
            answer += answer
        writer.write(answer)
        await writer.drain()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


@contextmanager
def faulty(target: str) -> Iterator[FaultProxy]:
    """Run a proxy before a node for the block."""
    proxy, ready, ends = FaultProxy(target), threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serving(proxy, ready, ends)), daemon=True)
    thread.start()
    assert ready.wait(20), "the proxy does not listen"
    try:
        yield proxy
    finally:
        ends.set()
        thread.join(20)


async def _serving(proxy: FaultProxy, ready: threading.Event, ends: threading.Event) -> None:
    """Serve until told to end; what is still open is closed with its task."""
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    ready.set()
    while not ends.is_set():
        await asyncio.sleep(0.02)
    server.close()
    mine = asyncio.current_task()
    rest = [task for task in asyncio.all_tasks() if task is not mine]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
