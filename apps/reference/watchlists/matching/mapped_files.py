"""Strings and ragged arrays in files that processes map into memory together."""

import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Numbers = Sequence[int] | NDArray[np.integer[Any]]
_PLACE = 0xFFFFFFFF
_NO_PLACES, _NO_ROWS = np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int32)


def load_mapped_array(path: Path) -> "NDArray[Any]":
    """Return the array of a file, mapped read-only; as a plain array, which is quicker to index."""
    return np.load(path, mmap_mode="r").view(np.ndarray)


class StringWriter:
    """Appends UTF-8 strings to a blob as they come; `close` writes their offsets."""

    def __init__(self, *, directory: Path, name: str) -> None:
        self._offsets_path = directory / f"{name}.offsets.npy"
        self._blob = (directory / f"{name}.blob").open("wb")
        self._offsets = [0]

    def append(self, text: bytes) -> None:
        """Add one string."""
        self._blob.write(text)
        self._offsets.append(self._offsets[-1] + len(text))

    def close(self) -> None:
        """Finish the files; an empty blob gets one byte so that it can be mapped."""
        # mmap refuses an empty file
        if self._offsets[-1] == 0:
            self._blob.write(b"\0")
        self._blob.close()
        np.save(self._offsets_path, np.asarray(self._offsets, dtype=np.int64))


class MappedStrings:
    """The strings of a `StringWriter`, read from the mapped blob."""

    def __init__(self, *, directory: Path, name: str) -> None:
        with (directory / f"{name}.blob").open("rb") as blob:
            self._blob = mmap.mmap(blob.fileno(), 0, access=mmap.ACCESS_READ)
        self._offsets = load_mapped_array(directory / f"{name}.offsets.npy")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, position: int) -> bytes:
        return self._blob[self._offsets[position] : self._offsets[position + 1]]

    def take(self, positions: "NDArray[np.integer[Any]]") -> list[str]:
        """Return several strings at once, decoded."""
        starts = self._offsets[positions].tolist()
        ends = self._offsets[positions + 1].tolist()
        blob = self._blob
        return [blob[start:end].decode() for start, end in zip(starts, ends, strict=True)]


def save_mapped_rows(*, directory: Path, name: str, flat: Numbers, starts: Numbers) -> None:
    """Write rows of different lengths as one flat array and the starts of the rows."""
    np.save(directory / f"{name}.npy", np.asarray(flat, dtype=np.int32))
    np.save(directory / f"{name}.starts.npy", np.asarray(starts, dtype=np.int64))


class MappedRows:
    """The rows of `save_mapped_rows`, mapped."""

    def __init__(self, *, directory: Path, name: str) -> None:
        self.flat = load_mapped_array(directory / f"{name}.npy")
        self.starts = load_mapped_array(directory / f"{name}.starts.npy")

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, position: int) -> Ints:
        return self.flat[self.starts[position] : self.starts[position + 1]]

    def take(self, positions: "NDArray[np.integer[Any]]") -> "tuple[Ints, NDArray[np.int64]]":
        """Return the content of several rows, one after another, and the length of each."""
        starts = self.starts.take(positions)
        lengths = self.starts.take(positions + 1) - starts
        ends = lengths.cumsum()
        within = np.arange(ends[-1] if len(ends) else 0)
        return self.flat.take(within + (starts - ends + lengths).repeat(lengths)), lengths


def save_multimap(*, directory: Path, name: str, keys: Numbers, values: Numbers) -> None:
    """Write a multimap from 32-bit keys to row numbers, sorted by key."""
    # key and value packed into 64 bits: one sort, without a second array of positions
    packed = np.asarray(keys, dtype=np.uint32).astype(np.uint64) << np.uint64(32)
    packed |= np.asarray(values, dtype=np.uint32)
    packed.sort()
    sorted_keys = (packed >> np.uint64(32)).astype(np.uint32)
    distinct, starts = np.unique(sorted_keys, return_index=True)
    np.save(directory / f"{name}.keys.npy", distinct)
    save_mapped_rows(
        directory=directory,
        name=name,
        # the low halves, as signed numbers: a row number never reaches the sign bit
        flat=packed.astype(np.uint32).view(np.int32),
        starts=np.append(starts, len(packed)),
    )


class MappedMultimap:
    """The multimap of `save_multimap`, mapped."""

    def __init__(self, *, directory: Path, name: str) -> None:
        self._keys = load_mapped_array(directory / f"{name}.keys.npy")
        self._rows = MappedRows(directory=directory, name=name)

    def find(self, keys: Sequence[int]) -> "tuple[NDArray[np.intp], Ints]":
        """Return every row filed under a key, with the position of its key among `keys`.

        They come in the order of the keys, not in that of their places.
        """
        if not len(self._keys) or not len(keys):
            return _NO_PLACES, _NO_ROWS
        # in the order of the keys: neighbours are then found in memory that was just read
        packed = np.array(keys, dtype=np.int64)
        packed <<= 32
        packed |= np.arange(len(keys))
        packed.sort()
        sought = (packed >> 32).astype(np.uint32)
        rows = self._keys.searchsorted(sought)
        # a key above all others is found behind the end: `clip` compares it with the last one
        held = self._keys.take(rows, mode="clip") == sought
        places = packed[held] & _PLACE
        if not len(places):
            return _NO_PLACES, _NO_ROWS
        found, lengths = self._rows.take(rows[held])
        return places.repeat(lengths), found

    def get(self, keys: Sequence[int]) -> Ints:
        """Return every row filed under any of the keys, distinct and ascending."""
        return sort_distinct(self.find(keys)[1])


def sort_distinct(values: "NDArray[Any]") -> "NDArray[Any]":
    """Return the distinct values in ascending order; quicker than numpy's for so few."""
    ordered = np.sort(values)
    keep = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


def hash_text(text: str) -> int:
    """Return the 32-bit key of a text, the same in every process and on every machine."""
    return crc32(text.encode("utf-8", "surrogatepass"))
