"""Long tables in memory-mapped files that processes share and read on demand."""

import mmap
from collections.abc import Iterable
from pathlib import Path


class SortedLines:
    """A file of lines `key`, or `key<TAB>value`, in the order of their keys in UTF-8."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            # the mapping stays when the file is closed
            self._lines = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def get(self, key: str) -> str | None:
        """Return the value of a key, empty where its line has none; None for no line."""
        wanted = key.encode("utf-8", "replace")
        low, high = 0, len(self._lines)
        while low < high:
            middle = (low + high) // 2
            # `rfind` gives -1 without a line break in between: then the line begins at `low`
            start = self._lines.rfind(b"\n", low, middle) + 1 or low
            end = self._lines.find(b"\n", middle)
            found, _, value = self._lines[start:end].partition(b"\t")
            if found == wanted:
                return value.decode()
            low, high = (end + 1, high) if found < wanted else (low, start)
        return None

    @staticmethod
    def write(path: Path, rows: Iterable[tuple[str, str]]) -> None:
        """Write a file of keys and values."""
        # sorted as bytes, in the order in which `get` compares
        ordered = sorted((key.encode(), value.encode()) for key, value in rows)
        lines = (b"\t".join(filter(None, row)) + b"\n" for row in ordered)
        path.write_bytes(b"".join(lines))
