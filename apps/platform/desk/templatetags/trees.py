"""Render trees whose rows have a level as nested lists."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django import template

register = template.Library()


@register.filter
def nested(rows: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], bool, range]]:
    """Return rows with whether a list opens after each, and how many lists close.

    A row's `level` is its depth; the first row's is 0.
    """
    levels: list[int] = []
    for row in rows:  # a list opens one level at a time
        levels.append(min(row["level"], levels[-1] + 1) if levels else 0)
    steps = pairwise([*levels, 0])
    return [
        (row, after > here, range(here - after))
        for row, (here, after) in zip(rows, steps, strict=True)
    ]
