"""Read a chunked body (RFC 9112 section 7.1) as it arrives.

Only this code reads these bytes: it determines the body for the application and the start of the
next request, so that no second parser can disagree and let a request be smuggled.
"""

import re
from enum import Enum, auto

from apps.platform.server.refusals import RequestRefused

# each chunk takes time, however short it is: a body in chunks of a byte must not occupy the worker
MOST_CHUNKS = 65_536
MOST_LINE = 4096  # bytes of a chunk's size line with its extensions
MOST_TRAILERS = 8192  # bytes after the last chunk
_END = b"\r\n"
# extensions are ignored; none may hold a line break that another parser would see
# eight hexadecimal digits: enough for any body within the limit, and int() stays cheap
_SIZE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n\x00]*)?")


class _Part(Enum):
    """The part of the body that the next bytes belong to."""

    SIZE = auto()
    DATA = auto()
    AFTER = auto()
    TRAILER = auto()
    NOTHING = auto()


class ChunkedBody:
    """Collects the body of one request, of at most `most` bytes."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._raw = bytearray()
        self._next = _Part.SIZE
        self._left = self._chunks = self._trailers = 0
        self.content = bytearray()

    @property
    def whole(self) -> bool:
        """Tell whether the body is complete."""
        return self._next is _Part.NOTHING

    @property
    def size(self) -> int:
        """The number of bytes held."""
        return len(self.content) + len(self._raw)

    @property
    def rest(self) -> bytes:
        """The bytes after the body: the beginning of the next request."""
        return bytes(self._raw)

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrive; RequestRefused for a malformed chunk or a body too large."""
        self._raw += data
        at = 0
        while self._next is not _Part.NOTHING:
            if self._next is _Part.DATA:
                taken = min(self._left, len(self._raw) - at)
                self.content += self._raw[at : at + taken]
                at += taken
                self._left -= taken
                if self._left:
                    break
                self._next = _Part.AFTER
            elif self._next is _Part.AFTER:
                if len(self._raw) - at < len(_END):
                    break
                # RFC 9112 section 7.1: CR LF ends the data;
                # guessing another end is what smuggling lives on
                if self._raw[at : at + len(_END)] != _END:
                    raise _bad_request("A chunk is longer than it says.")
                at += len(_END)
                self._next = _Part.SIZE
            else:
                end = self._raw.find(_END, at)
                # checked before the line is complete, or one
                # without an end would be kept up to the body limit
                if (len(self._raw) if end < 0 else end) - at > MOST_LINE:
                    raise _bad_request("A line between chunks is too long.")
                if end < 0:
                    break
                line = bytes(self._raw[at:end])
                at = end + len(_END)
                if self._next is _Part.SIZE:
                    self._begin(line)
                else:
                    self._pass_over(line)
        # once per read and not per chunk: deleting from the front moves all the bytes behind it
        del self._raw[:at]

    def _begin(self, line: bytes) -> None:
        match = _SIZE.fullmatch(line)
        if match is None:
            raise _bad_request("The size of a chunk is not valid.")
        self._left = int(match[1], 16)
        self._chunks += 1
        # refused by its announced size, before any of it is kept
        if len(self.content) + self._left > self._most:
            raise RequestRefused(413, "too_large", "The body is too large.")
        if self._chunks > MOST_CHUNKS:
            raise RequestRefused(413, "too_large", "The body comes in too many chunks.")
        self._next = _Part.DATA if self._left else _Part.TRAILER

    def _pass_over(self, line: bytes) -> None:
        """Skip trailers: nothing here may follow a body."""
        self._trailers += len(line)
        # a bare CR or LF would be the end of a line to a more lenient parser
        if b"\r" in line or b"\n" in line or self._trailers > MOST_TRAILERS:
            raise _bad_request("What follows the last chunk is not valid.")
        if not line:
            self._next = _Part.NOTHING


def _bad_request(detail: str) -> RequestRefused:
    return RequestRefused(400, "bad_request", detail)
