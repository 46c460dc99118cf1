"""Which records a seed draws. Pure, and anybody can compute it again with a pocket of tools.

Each record is placed by the SHA-256 (hex) of `seed:id`, the id in small letters with its hyphens;
those whose digests come first in the order of their letters are drawn.
"""

import hashlib
import heapq
from collections.abc import Iterable

METHOD = "sha256-1"
MOST_DRAWN = 500
MOST_LOOKED_AT = 500_000


class TooMany(ValueError):
    """More records than are looked through for one sample."""


def place(*, seed: str, record_id: str) -> str:
    """Return where a record stands for a seed."""
    return hashlib.sha256(f"{seed}:{record_id}".encode()).hexdigest()


def draw(
    *, seed: str, of: Iterable[tuple[int, str]], wanted: int, most: int = MOST_LOOKED_AT
) -> tuple[list[int], int]:
    """Return the numbers of the records that are drawn, in order, and out of how many.

    `of` are number and id of each record, in any order. TooMany for more than `most`.
    """
    seen = 0

    def placed() -> Iterable[tuple[str, int]]:
        nonlocal seen
        for number, record_id in of:
            seen += 1
            if seen > most:
                raise TooMany(f"There are more than {most:,} records.")
            yield place(seed=seed, record_id=record_id), number

    drawn = heapq.nsmallest(wanted, placed())
    return [number for _, number in drawn], seen
