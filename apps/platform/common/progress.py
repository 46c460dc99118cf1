"""Progress of long commands, on standard error: one line that counts, at most twice a second."""

import time
from typing import Protocol

EVERY = 0.5  # seconds


class ProgressOutput(Protocol):
    """The output of progress: a command's stderr, or a stream."""

    def write(self, text: str, /) -> object:
        """Write text."""


class ProgressCounter:
    """A counter of progress: call it with the count so far."""

    def __init__(self, out: ProgressOutput, what: str, total: int = 0) -> None:
        """Count `what`, of `total` if that is known."""
        self._out, self._what, self._total = out, what, total
        self._last = time.monotonic()
        self._count = 0

    def __call__(self, count: int) -> None:
        """Print the count, unless that was done a moment ago."""
        self._count = count
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            self.close()

    def close(self) -> None:
        """Print the final count."""
        of = f" of {self._total}" if self._total else ""
        self._out.write(f"{self._count}{of} {self._what}")
