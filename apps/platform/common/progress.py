"""Progress of long commands, on standard error: one line that counts, at most twice a second."""

import time
from typing import Protocol

EVERY = 0.5


class ProgressOutput(Protocol):
    """Where progress goes: a command's stderr, or a stream."""

    def write(self, text: str, /) -> object:
        """Write text."""


class ProgressCounter:
    """Call it with the count so far."""

    def __init__(self, out: ProgressOutput, what: str, total: int = 0) -> None:
        """Count `what`, of `total` where that is known."""
        self._out, self._what, self._total = out, what, total
        self._last = time.monotonic()
        self._count = 0

    def __call__(self, count: int) -> None:
        """Say how far it is, unless that was said just now."""
        self._count = count
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            self.close()

    def close(self) -> None:
        """Say how far it came."""
        of = f" of {self._total}" if self._total else ""
        self._out.write(f"{self._count}{of} {self._what}")
