"""Streams of files from outside that give no more than a bound, however they are made."""

import io
from typing import IO, Any

LARGEST_RECORD = 4 * 1024 * 1024  # bytes; no record of any list or register comes near


class StreamTooLarge(ValueError):
    """The file holds more, at once or in all, than a file of its kind does."""


class LimitedStream(io.RawIOBase):
    """Gives at most `most` bytes of a stream, and at most `record` bytes between two marks.

    Who reads records marks each one. So a line, a text or an attribute without an end is
    refused instead of being gathered in memory. The stream itself is the caller's to close.
    """

    def __init__(
        self, stream: IO[bytes], *, most: int | None = None, record: int = LARGEST_RECORD
    ) -> None:
        self._stream = stream
        self._most = most
        self._record = record
        self.total = 0
        self._since = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, or raise StreamTooLarge."""
        piece = self._stream.read(len(buffer))
        buffer[: len(piece)] = piece
        self.total += len(piece)
        self._since += len(piece)
        if self._most is not None and self.total > self._most:
            raise StreamTooLarge(f"it holds more than {self._most} bytes")
        if self._since > self._record:
            raise StreamTooLarge(f"it holds a record of more than {self._record} bytes")
        return len(piece)

    def mark(self) -> None:
        """Say that a record has ended."""
        self._since = 0
