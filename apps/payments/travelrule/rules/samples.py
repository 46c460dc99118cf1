"""Which records a seed draws. Pure, and anybody can compute it again with `sha256sum`.

Each record is placed by the SHA-256 (hex) of `seed:id`, the id in small letters with its hyphens;
those whose digests come first in the order of their letters are drawn.
"""

import hashlib
import heapq
from collections.abc import Iterable

METHOD = "sha256-1"
MAX_DRAWN = 500  # records of one sample
MAX_POPULATION = 500_000  # records from which one sample is drawn


class TooManyRecords(ValueError):
    """More records match than one sample may be drawn from."""


def sample_sort_key(*, seed: str, record_id: str) -> str:
    """Return the position of a record under a seed."""
    return hashlib.sha256(f"{seed}:{record_id}".encode()).hexdigest()


def draw_record_numbers(
    *, seed: str, of: Iterable[tuple[int, str]], wanted: int, most: int = MAX_POPULATION
) -> tuple[list[int], int]:
    """Return the numbers of the records that are drawn, in order, and out of how many.

    `of` are number and id of each record, in any order. TooManyRecords for more than `most`.
    """
    seen = 0

    def placed() -> Iterable[tuple[str, int]]:
        nonlocal seen
        for number, record_id in of:
            seen += 1
            if seen > most:
                raise TooManyRecords(f"There are more than {most:,} records.")
            yield sample_sort_key(seed=seed, record_id=record_id), number

    # memory for `wanted` records only, however many match
    drawn = heapq.nsmallest(wanted, placed())
    return [number for _, number in drawn], seen
