"""Reads what a product needs: newest points and histories, as both were known at a moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.intelligence.catalogue.shape import Product
from apps.intelligence.known import Known
from apps.signals import keeping, reading
from apps.signals.composing import History
from apps.signals.points import Point

REMEMBERED = timedelta(minutes=5)  # as long as the graph of causes is kept
_MEMORY: dict[str, "_Read"] = {}


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read for a product: at which moment, and up to which observation."""

    at: datetime
    up_to: int
    points: Mapping[str, Point]
    past: Mapping[str, History]

    def serves(self, as_of: datetime, up_to: int) -> bool:
        """Tell whether the same would be read at a moment: nothing came, and it is the same day."""
        young = timedelta(0) <= as_of - self.at < REMEMBERED
        return young and self.up_to == up_to and self.at.date() == as_of.date()


def known(product: Product, *, as_of: datetime, asked: Mapping[str, Any] | None = None) -> Known:
    """Return what was known of every series of a product at a moment; in at most five queries.

    A process reads a product's series once in five minutes while no observation comes: what is
    computed for each call anew costs no more than its computation.
    """
    read = _read(product, as_of)
    points = keeping.heard_of(read.points, as_of=as_of)
    beside = product.beside(as_of) if product.beside else {}
    return Known(as_of=as_of, points=points, past=read.past, asked=asked or {}, beside=beside)


def _read(product: Product, as_of: datetime) -> _Read:
    up_to = reading.newest_row()
    held = _MEMORY.get(product.name)
    if held is not None and held.serves(as_of, up_to):
        return held
    points, past = reading.both(product.series, as_of=as_of, since=product.first)
    found = _MEMORY[product.name] = _Read(as_of, up_to, points, past)
    return found


def forget() -> None:
    """Empty this process's memory."""
    _MEMORY.clear()
