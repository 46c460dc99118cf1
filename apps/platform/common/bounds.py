"""Bounds of a number: one object that is both printed and evaluated. Pure."""

from dataclasses import dataclass
from decimal import Decimal

Bound = Decimal | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Bounds of a number: `least` and `most` are inclusive, `above` and `below` exclusive."""

    least: Bound | None = None
    above: Bound | None = None
    most: Bound | None = None
    below: Bound | None = None

    def holds(self, value: Bound | None) -> bool:
        """Return whether a number lies within all bounds; an unknown one (None) does not."""
        return (
            value is not None
            and (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        parts = (
            ("{:g} or more", self.least),
            ("more than {:g}", self.above),
            ("{:g} or less", self.most),
            ("below {:g}", self.below),
        )
        return ", ".join(text.format(bound) for text, bound in parts if bound is not None)
