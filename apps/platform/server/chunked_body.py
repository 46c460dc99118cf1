"""A body in chunks (RFC 9112 section 7.1), read as it comes.

It is the one reader of these bytes: what it takes for the body and for its end is what the
application is given and where the next request begins, so no second opinion can be smuggled in.
"""

import re
from enum import Enum, auto

from apps.platform.server.refusals import RequestRefused

MOST_CHUNKS = 65_536  # of one body: each takes time, however short it is
MOST_LINE = 4096  # bytes of the size of a chunk with its extensions
MOST_TRAILERS = 8192  # bytes behind the last chunk
_END = b"\r\n"
# extensions say nothing here; none may hold an end of line that another reader would see
_SIZE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n\x00]*)?")


class _Part(Enum):
    """What the next bytes are."""

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
        """Whether its end has come."""
        return self._next is _Part.NOTHING

    @property
    def size(self) -> int:
        """Bytes held."""
        return len(self.content) + len(self._raw)

    @property
    def rest(self) -> bytes:
        """What came behind its end: the beginning of the next request."""
        return bytes(self._raw)

    def feed(self, data: bytes) -> None:
        """Take bytes as they came; RequestRefused for what is no chunk, and for a body too
        large.
        """
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
                if self._raw[at : at + len(_END)] != _END:
                    raise _bad_request("A chunk is longer than it says.")
                at += len(_END)
                self._next = _Part.SIZE
            else:
                end = self._raw.find(_END, at)
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
        del self._raw[:at]

    def _begin(self, line: bytes) -> None:
        found = _SIZE.fullmatch(line)
        if found is None:
            raise _bad_request("The size of a chunk is not valid.")
        self._left = int(found[1], 16)
        self._chunks += 1
        if len(self.content) + self._left > self._most:
            raise RequestRefused(413, "too_large", "The body is too large.")
        if self._chunks > MOST_CHUNKS:
            raise RequestRefused(413, "too_large", "The body comes in too many chunks.")
        self._next = _Part.DATA if self._left else _Part.TRAILER

    def _pass_over(self, line: bytes) -> None:
        """Pass over a trailer: nothing here may come behind a body."""
        self._trailers += len(line)
        if b"\r" in line or b"\n" in line or self._trailers > MOST_TRAILERS:
            raise _bad_request("What follows the last chunk is not valid.")
        if not line:
            self._next = _Part.NOTHING


def _bad_request(detail: str) -> RequestRefused:
    return RequestRefused(400, "bad_request", detail)
