"""Reads XML that is not well-formed: lists have been seen with their text encoding broken.

Only what cannot be markup is changed: control characters become what they are the rest of (a
quotation mark or dash that lost its high byte) or U+FFFD, and `<` or `&` that begin no known
element or reference become text. A file that is cut off stays an error.
"""

import io
import re
from collections.abc import Iterable
from typing import BinaryIO

LOST = "\ufffd"

# The low bytes of U+2013 to U+201D, all that is left of them where UTF-16 was cut to bytes.
_RESTORED = {code: chr(0x2000 + code) for code in (0x13, 0x14, 0x18, 0x19, 0x1C, 0x1D)}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")


class RepairedXmlStream(io.RawIOBase):
    """A stream of the same file with text that is no markup escaped; reads line by line."""

    def __init__(self, stream: BinaryIO, *, tags: Iterable[str]) -> None:
        """Wrap a stream; `tags` are the only elements that the format has."""
        super().__init__()
        self._stream = stream
        names = "|".join(map(re.escape, sorted(tags, key=len, reverse=True)))
        self._stray = re.compile(rf"<(?!/?(?:{names})(?:[\s/>]|$)|\?xml|!--)")
        self._ready = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` repaired bytes, b"" at the end."""
        while size < 0 or len(self._ready) < size:
            line = self._stream.readline(1 << 20)
            if not line:
                break
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError:
                text = line.decode("latin-1")
            text = _AMPERSAND.sub("&amp;", _FORBIDDEN.sub(LOST, text.translate(_RESTORED)))
            self._ready += self._stray.sub("&lt;", text).encode("utf-8")
        taken = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(taken) :]
        return taken
