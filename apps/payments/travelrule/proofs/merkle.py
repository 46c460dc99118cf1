"""Merkle trees as RFC 9162 section 2.1 has them, over whatever gives the nodes. Pure.

A node is `(level, index)`: the hash of the 2**level leaves from index * 2**level on. Every function
asks `node` for complete subtrees only, O(log n) of them.
"""

import hashlib
from collections.abc import Callable, Iterable

ReadNode = Callable[[int, int], bytes]
EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf (section 2.1.1)."""
    # the prefixes of leaves and nodes differ, so that no node can pass for a leaf
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees (section 2.1.1)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def compute_root(node: ReadNode, size: int) -> bytes:
    """Return the root of the first `size` leaves."""
    return _hash_range(node, 0, size) if size else EMPTY_ROOT


def inclusion_path(node: ReadNode, index: int, size: int) -> list[bytes]:
    """Return the inclusion path of a leaf, the lowest first; ValueError for a leaf beyond."""
    if not 0 <= index < size:
        raise ValueError("the tree has no such leaf")
    path: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split_point(high - low)
        if index < middle:
            path.append(_hash_range(node, middle, high))
            high = middle
        else:
            path.append(_hash_range(node, low, middle))
            low = middle
    return path[::-1]


def consistency_path(node: ReadNode, first: int, second: int) -> list[bytes]:
    """Return the proof that the tree of `second` leaves begins with that of `first`.

    Section 2.1.4.1; empty for the same size. ValueError where first is not in 1..second.
    """
    if not 1 <= first <= second:
        raise ValueError("no earlier tree has this size")
    path: list[bytes] = []
    low, high, whole = 0, second, True
    # descend towards the end of the earlier tree. `whole`: the subtree that is reached would be the
    # earlier tree itself, whose root the verifier has already.
    while first < high:
        middle = low + _split_point(high - low)
        if first <= middle:
            path.append(_hash_range(node, middle, high))
            high = middle
        else:
            path.append(_hash_range(node, low, middle))
            low, whole = middle, False
    if not whole:
        path.append(_hash_range(node, low, high))
    return path[::-1]


def _split_point(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _hash_range(node: ReadNode, low: int, high: int) -> bytes:
    """Return the hash over leaves; `low` is where a subtree begins, as splitting makes them."""
    size = high - low
    if size & (size - 1) == 0:
        return node(size.bit_length() - 1, low // size)
    middle = low + _split_point(size)
    return node_hash(_hash_range(node, low, middle), _hash_range(node, middle, high))


class Frontier:
    """A tree that only grows: O(log n) memory, its root at any size that it has had."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Append a leaf by its hash."""
        self.size += 1
        # like adding one in binary: each trailing zero of the size completes a subtree
        carried, full = leaf, self.size
        while full & 1 == 0:
            carried, full = node_hash(self._peaks.pop(), carried), full >> 1
        self._peaks.append(carried)

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Append leaves by their hashes."""
        for leaf in leaves:
            self.add(leaf)

    @property
    def top(self) -> bytes:
        """The last complete subtree."""
        return self._peaks[-1]

    def root(self) -> bytes:
        """Return the root of what was added."""
        if not self._peaks:
            return EMPTY_ROOT
        *rest, last_peak = self._peaks
        for peak in reversed(rest):
            last_peak = node_hash(peak, last_peak)
        return last_peak
