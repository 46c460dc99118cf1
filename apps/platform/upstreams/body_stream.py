"""Stream bodies: decompressed piece by piece, with a limit on both sizes. Pure."""

import zlib
from collections.abc import Callable, Iterator

CHUNK = 1 << 16  # bytes
PLAIN, PACKED = ("", "identity"), ("gzip", "x-gzip")
_GZIP = 16 + zlib.MAX_WBITS  # zlib's sign for the gzip format instead of its own


class BodyTooLarge(Exception):
    """The body is larger than allowed, as sent or as decompressed."""


class BodyUnreadable(Exception):
    """The body does not have the encoding that its header states."""


def iter_body(
    read_piece: Callable[[int], bytes], *, encoding: str, largest: int
) -> Iterator[bytes]:
    """Yield a body in pieces of at most 64 KiB; BodyTooLarge beyond `largest` bytes.

    The limit applies to the bytes as sent and as decompressed. `read_piece(size)` returns what is
    there, empty at the end. Raises BodyUnreadable for an encoding that was not requested, and for a
    compressed body that is damaged or ends early.
    """
    kind = encoding.strip().lower()
    if kind not in PLAIN + PACKED:
        raise BodyUnreadable(f"the body has the encoding {kind[:40]!r}, which was not requested")
    sent = _limit_size(iter(lambda: read_piece(CHUNK), b""), largest)
    yield from sent if kind in PLAIN else _limit_size(_decompress_gzip(sent), largest)


def _limit_size(stream: Iterator[bytes], largest: int) -> Iterator[bytes]:
    size = 0
    for piece in stream:
        size += len(piece)
        if size > largest:
            raise BodyTooLarge
        yield piece


def _decompress_gzip(sent: Iterator[bytes]) -> Iterator[bytes]:
    """Decompress gzip with any number of members, holding only one piece at a time."""
    unpack, begun = zlib.decompressobj(_GZIP), False
    try:
        for left in sent:
            begun = True
            while True:
                # RFC 1952 section 2.2: a file may consist of several members, one after the other
                if unpack.eof:
                    if not left:
                        break
                    unpack = zlib.decompressobj(_GZIP)
                # the second argument limits what comes out: 64 KiB of input may inflate to 64 MiB
                piece = unpack.decompress(left, CHUNK)
                left = unpack.unused_data if unpack.eof else unpack.unconsumed_tail
                if piece:
                    yield piece
                # a full piece may have more behind it, although all input is taken
                if not left and len(piece) < CHUNK:
                    break
    except zlib.error as error:
        raise BodyUnreadable(f"the body cannot be decompressed: {error}") from None
    if begun and not unpack.eof:
        raise BodyUnreadable("the compressed body ends early")
