"""A small HTTP load generator on asyncio sockets: cheap enough to share two cores."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What a run saw: seconds of each answered request, the run's length, and other answers."""

    seconds: list[float]
    wall: float
    failed: list[bytes]

    @property
    def per_second(self) -> float:
        return len(self.seconds) / self.wall

    def percentile(self, share: float) -> float:
        """Return a latency in milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def request(*, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a whole POST request as bytes; `headers` are the credentials."""
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{told}"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def drive(*, port: int, requests: Sequence[bytes], clients: int) -> Result:
    """Send all requests over loopback with so many clients at once."""
    return asyncio.run(_drive(port, requests, clients))


async def _drive(port: int, requests: Sequence[bytes], clients: int) -> Result:
    waiting = iter(requests)
    seconds: list[float] = []
    failed: list[bytes] = []

    async def client() -> None:
        for payload in waiting:
            started = time.perf_counter()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(payload)
            answer = await reader.read(-1)
            writer.close()
            if answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 202")):
                seconds.append(time.perf_counter() - started)
            else:
                failed.append(answer)

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return Result(seconds, time.perf_counter() - started, failed)
