"""Bodies as they come: unpacked piece by piece, never more than a bound of either form. Pure."""

import zlib
from collections.abc import Callable, Iterator

CHUNK = 1 << 16
PLAIN, PACKED = ("", "identity"), ("gzip", "x-gzip")
_GZIP = 16 + zlib.MAX_WBITS


class BodyTooLarge(Exception):
    """More came, or would have been unpacked, than was allowed for."""


class BodyUnreadable(Exception):
    """The body is not what its header says that it is."""


def iter_body(read: Callable[[int], bytes], *, encoding: str, largest: int) -> Iterator[bytes]:
    """Yield a body in pieces of at most 64 KiB; BodyTooLarge past `largest` bytes sent or unpacked.

    `read(size)` gives what is there, empty at the end. Unreadable for an encoding that was not
    asked for, and for a packed body that is damaged or ends early.
    """
    kind = encoding.strip().lower()
    if kind not in PLAIN + PACKED:
        raise BodyUnreadable(f"the body comes as {kind[:40]!r}, which was not asked for")
    sent = _limit_size(iter(lambda: read(CHUNK), b""), largest)
    yield from sent if kind in PLAIN else _limit_size(_decompress_gzip(sent), largest)


def _limit_size(stream: Iterator[bytes], largest: int) -> Iterator[bytes]:
    size = 0
    for piece in stream:
        size += len(piece)
        if size > largest:
            raise BodyTooLarge
        yield piece


def _decompress_gzip(sent: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack gzip, members behind one another, without ever holding more than a piece."""
    unpack, begun = zlib.decompressobj(_GZIP), False
    try:
        for left in sent:
            begun = True
            while left or begun:
                if unpack.eof:
                    if not left:
                        break
                    unpack = zlib.decompressobj(_GZIP)
                piece = unpack.decompress(left, CHUNK)
                left = unpack.unused_data if unpack.eof else unpack.unconsumed_tail
                if piece:
                    yield piece
                if not left and len(piece) < CHUNK:
                    break
    except zlib.error as error:
        raise BodyUnreadable(f"the body cannot be unpacked: {error}") from None
    if begun and not unpack.eof:
        raise BodyUnreadable("the packed body ends early")
