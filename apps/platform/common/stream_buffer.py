"""A buffer for an archive that is sent while it is written."""

import io
from dataclasses import dataclass, field
from typing import Any


@dataclass
class StreamBuffer(io.RawIOBase):
    """Collect what the archive writes until it is sent; it cannot seek, so nothing is kept."""

    parts: list[bytes] = field(default_factory=list)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken
