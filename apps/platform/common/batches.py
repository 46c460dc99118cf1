"""Process long iterables in chunks."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def iter_chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most `size` items, without reading ahead further than one list."""
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
