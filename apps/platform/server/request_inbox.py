"""Buffer the bytes that a client has sent until they are a whole request."""

from collections import deque
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from gunicorn.http.body import Body, ChunkedReader, LengthReader
from gunicorn.http.errors import LimitRequestHeaders, UnsupportedTransferCoding
from gunicorn.http.message import Request
from gunicorn.http.unreader import Unreader

from apps.platform.server.chunked_body import ChunkedBody
from apps.platform.server.refusals import RequestRefused

MOST_HEAD = 64 * 1024  # bytes of request line and headers
MOST_BODY = 2_621_440  # bytes; Django's limit for a form, ten times that of the API
# where treasury systems send files of payments: each may have settings.PAYMENT_FILE_MAX
FILE_UPLOAD_PATHS = ("/payments/initiate", "/payments/batch")
_END = b"\r\n\r\n"


class _BufferedUnreader(Unreader):
    """The source of gunicorn's parser: bytes that have arrived, never the socket."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.parts = deque([data])

    def chunk(self) -> bytes:
        return self.parts.popleft() if self.parts else b""

    def rest(self) -> bytes:
        """Return all unread bytes."""
        return self.buf.getvalue() + b"".join(self.parts)


class RequestInbox:
    """Collect one request at a time; bytes that a client sent ahead begin the next.

    gunicorn's own parser reads the headers once, and its result determines the length of the body:
    there is no second parser that could disagree and let a request be smuggled. A chunked body is
    assembled here, and the application sees one with a Content-Length.
    """

    def __init__(self, *, cfg: Any, peer: Any) -> None:
        self._cfg, self._peer = cfg, peer
        self._head = bytearray()
        self._looked = 0
        self._held: _BufferedUnreader | None = None
        self._request: Any = None
        self._chunked: ChunkedBody | None = None
        self._missing = 0  # bytes; the length of a chunked body is not known
        self._count = 0
        self.size = 0  # bytes held

    @property
    def started(self) -> bool:
        """Whether the first byte of a request has arrived."""
        return bool(self._head) or self._request is not None

    @property
    def headed(self) -> bool:
        """Whether its headers are complete."""
        return self._request is not None

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrive."""
        if self._chunked is not None:
            self._read_chunks(self._chunked, data)
            return
        self.size += len(data)
        if self._held is None:
            self._head += data
        else:
            self._held.parts.append(data)
            self._missing -= len(data)

    def take(self) -> Any:
        """Return the request once it is complete, else None.

        Raises RequestRefused or an error of gunicorn's parser when it cannot become one.
        """
        if self._request is None and not self._read_head():
            return None
        return self._request if self._missing <= 0 else None

    def expects(self) -> bool:
        """Tell once whether the client waits for `100 Continue` before it sends its body."""
        if self._request is None or self._missing <= 0:
            return False
        is_expected = bool(self._request._expected_100_continue)
        self._request._expected_100_continue = False
        return is_expected

    def done(self) -> None:
        """Forget the answered request, with its unread body."""
        # what the application left of the body must not be read as the next request
        while self._request.body.read(65536):
            pass
        assert self._held is not None, "a request was read"
        rest = self._held.rest()
        self.forget()
        self._head += rest
        self.size = len(rest)

    def forget(self) -> None:
        """Discard all bytes held."""
        self._head = bytearray()
        self._held = self._request = self._chunked = None
        self._looked = self._missing = self.size = 0

    def _read_head(self) -> bool:
        end = self._head.find(_END, self._looked)
        if max(end, len(self._head) if end < 0 else 0) > MOST_HEAD:
            raise LimitRequestHeaders("the headers are too long")
        if end < 0:
            # do not search the same bytes again, but three of the four may be here already
            self._looked = max(0, len(self._head) - len(_END) + 1)
            # a header block with other line ends would never be found complete
            line = self._head.find(b"\n")
            if line >= 0 and self._head[max(0, line - 1)] != 0x0D:
                raise RequestRefused(400, "bad_request", "Lines of a request end in CR LF.")
            return False
        self._held = _BufferedUnreader(bytes(self._head))
        self._head.clear()
        self._count += 1
        request = Request(self._cfg, self._held, self._peer, self._count)
        self._request = request
        if isinstance(request.body.reader, ChunkedReader):
            transfer_coding = (
                ",".join(v for n, v in request.headers if n == "TRANSFER-ENCODING").strip().lower()
            )
            # gunicorn also passes `gzip, chunked`, whose
            # content would reach the application still packed
            if transfer_coding != "chunked":
                raise UnsupportedTransferCoding("chunks of another coding")
            # at least the last chunk is awaited
            self._missing = 1
            self._chunked = ChunkedBody(most=_body_limit(request))
            self._read_chunks(self._chunked, self._held.rest())
        else:
            reader = request.body.reader
            length = reader.length if isinstance(reader, LengthReader) else 0
            if length > _body_limit(request):
                raise RequestRefused(
                    413, "too_large", "The body is too large.", page=_form_page_path(request)
                )
            self._missing = int(length) - len(self._held.rest())
        # RFC 9110 section 10.1.1: not needed when the body came along with the headers
        if self._missing <= 0:
            request._expected_100_continue = False
        return True

    def _read_chunks(self, body: ChunkedBody, data: bytes) -> None:
        """Read on in a chunked body; once it is complete, it is one of known length."""
        body.feed(data)
        self.size = body.size
        if not body.whole:
            return
        length = len(body.content)
        self._held = _BufferedUnreader(bytes(body.content) + body.rest)
        # RFC 9112 section 7.1.3: what is decoded is passed on with a length and without the coding
        self._request.body = Body(LengthReader(self._held, length))
        headers = [header for header in self._request.headers if header[0] != "TRANSFER-ENCODING"]
        self._request.headers = [*headers, ("CONTENT-LENGTH", str(length))]
        self._chunked, self._missing = None, 0


def _form_page_path(request: Any) -> str:
    """Return the desk page from which a browser sends a form; empty for other requests."""
    # a server that takes over another's port imports this module while gunicorn's own `http`
    # shadows the library's, which django.urls needs
    from django.urls import reverse

    heads, index = dict(request.headers), reverse("admin:index")
    if not (request.path.startswith(index) and "text/html" in heads.get("ACCEPT", "")):
        return ""
    came = urlsplit(heads.get("REFERER", ""))
    ours = came.netloc == heads.get("HOST") and came.path.startswith(index)
    return came.path if ours else str(request.path)


def _body_limit(request: Any) -> int:
    """Return the greatest size of a request's body in bytes."""
    return int(settings.PAYMENT_FILE_MAX) if request.path.endswith(FILE_UPLOAD_PATHS) else MOST_BODY
