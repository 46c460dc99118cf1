"""Streams of outside files that never give more than a limit, however the files are built."""

import io
from typing import IO, Any

LARGEST_RECORD = 4 * 1024 * 1024  # bytes; far above any record of a list or register


class StreamTooLarge(ValueError):
    """The file or one of its records is larger than a file of its kind can be."""


class LimitedStream(io.RawIOBase):
    """Give at most `most` bytes of a stream, and at most `record` bytes between two marks.

    A reader of records marks each one. An endless line, text or attribute is then refused instead
    of being collected in memory. The stream itself is the caller's to close.
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
        # without marks the whole file counts as one record
        if self._since > self._record:
            raise StreamTooLarge(f"it holds a record of more than {self._record} bytes")
        return len(piece)

    def mark(self) -> None:
        """Mark the end of a record."""
        self._since = 0
