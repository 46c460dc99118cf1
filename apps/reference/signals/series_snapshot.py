"""The points of series known at a time, and which of them count. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from apps.reference.signals.composition import History
from apps.reference.signals.points import Point
from apps.reference.signals.quality import SeriesInput, is_input_counted


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesView:
    """The newest points and the histories of series at a moment.

    A series that is too old, or has no observation, counts as missing.
    """

    as_of: datetime
    points: Mapping[str, Point]
    past: Mapping[str, History]

    def point(self, name: str) -> Point | None:
        """Return the newest point of a series; None where it does not count."""
        held_point = self.points.get(name)
        good = held_point is not None and is_input_counted(self.input(name), as_of=self.as_of)
        return held_point if good else None

    def input(
        self, name: str, weight: Decimal = Decimal(1), *, required: bool = False
    ) -> SeriesInput:
        """Return a series as `judge_quality` weighs it."""
        return SeriesInput(name=name, weight=weight, point=self.points.get(name), required=required)

    def history(self, name: str) -> History:
        """Return the days and values of a series that counts, oldest first; else none."""
        return self.past.get(name, ()) if self.point(name) else ()
