"""The bytes that a client has sent, until they are a whole request."""

from collections import deque
from typing import Any

from django.conf import settings
from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.http.message import Request
from gunicorn.http.unreader import Unreader

from apps.core.server.refusals import Refused

MOST_HEAD = 64 * 1024  # bytes of request line and headers
MOST_BODY = 2_621_440  # bytes; what Django takes of a form, ten times what the API takes
# where treasury systems send files of payments: each may have settings.PAYMENT_FILE_MAX
FILES = ("/payments/initiate", "/payments/batch")
_END = b"\r\n\r\n"


class _Held(Unreader):
    """What gunicorn's parser reads from: bytes that are here, never the socket."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.parts = deque([data])

    def chunk(self) -> bytes:
        return self.parts.popleft() if self.parts else b""

    def rest(self) -> bytes:
        """Return all that is not read yet."""
        return self.buf.getvalue() + b"".join(self.parts)


class Inbox:
    """Collects one request at a time; what a client sent ahead begins the next.

    gunicorn's own parser reads the headers once, and its reading decides how long the body is:
    there is no second opinion that a smuggled request could live on.
    """

    def __init__(self, *, cfg: Any, peer: Any) -> None:
        self._cfg, self._peer = cfg, peer
        self._head = bytearray()
        self._looked = 0
        self._held: _Held | None = None
        self._request: Any = None
        self._missing = 0
        self._count = 0
        self.size = 0  # bytes held

    @property
    def started(self) -> bool:
        """Whether the first byte of a request has come."""
        return bool(self._head) or self._request is not None

    @property
    def headed(self) -> bool:
        """Whether its headers are complete."""
        return self._request is not None

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self.size += len(data)
        if self._held is None:
            self._head += data
        else:
            self._held.parts.append(data)
            self._missing -= len(data)

    def take(self) -> Any:
        """Return the request once it is whole, else None.

        Raises Refused or an error of gunicorn's parser when it cannot become one.
        """
        if self._request is None and not self._read_head():
            return None
        return self._request if self._missing <= 0 else None

    def expects(self) -> bool:
        """Tell once whether the client waits for `100 Continue` before it sends its body."""
        if self._request is None or self._missing <= 0:
            return False
        asked = bool(self._request._expected_100_continue)
        self._request._expected_100_continue = False
        return asked

    def done(self) -> None:
        """Forget the request that was answered; its unread body goes with it."""
        while self._request.body.read(65536):
            pass
        assert self._held is not None, "a request was read"
        rest = self._held.rest()
        self.forget()
        self._head += rest
        self.size = len(rest)

    def forget(self) -> None:
        """Let go of all that is held."""
        self._head = bytearray()
        self._held = self._request = None
        self._looked = self._missing = self.size = 0

    def _read_head(self) -> bool:
        end = self._head.find(_END, self._looked)
        if max(end, len(self._head) if end < 0 else 0) > MOST_HEAD:
            raise LimitRequestHeaders("the headers are too long")
        if end < 0:
            self._looked = max(0, len(self._head) - len(_END) + 1)
            self._refuse_early()
            return False
        self._held = _Held(bytes(self._head))
        self._head.clear()
        self._count += 1
        request = Request(self._cfg, self._held, self._peer, self._count)
        self._missing = _length(request) - len(self._held.rest())
        if self._missing <= 0:
            request._expected_100_continue = False
        self._request = request
        return True

    def _refuse_early(self) -> None:
        """A line that ends in a bare line feed is no HTTP, and no end of headers would follow."""
        line = self._head.find(b"\n")
        if line >= 0 and self._head[max(0, line - 1)] != 0x0D:
            raise Refused(400, "bad_request", "Lines of a request end in CR LF.")


def _length(request: Any) -> int:
    """Return how many bytes of body follow the headers; raises Refused."""
    reader = request.body.reader
    if isinstance(reader, ChunkedReader):
        raise Refused(411, "length_required", "Send the body with a Content-Length.")
    length = reader.length if isinstance(reader, LengthReader) else 0
    if length > (settings.PAYMENT_FILE_MAX if request.path.endswith(FILES) else MOST_BODY):
        raise Refused(413, "too_large", "The body is too large.")
    return int(length)
