"""Signals of a shock: how each is measured, its bound and its source. Pure.

Their rows are in `instability.py` and `cascade_catalogue.py`.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

# rise: per cent over `days`; net: per cent above the highest of `days`, less the last quarter;
# points: change in units over `days`; level: above the bound; below: at or below it; place:
# its place in its own history, 0 to 100
Measure = Literal["rise", "net", "points", "level", "below", "place"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """One signal: it fires if a measure of the series reaches `bound` (`level` must exceed it)."""

    series: str
    measure: Measure
    bound: Decimal
    weight: Decimal
    says: str
    reference: str
    days: int = 0


@dataclass(frozen=True, slots=True)
class MeasuredTrigger:
    """A signal as it is: what was measured, and whether it fires."""

    trigger: Trigger
    measured: Decimal

    @property
    def fires(self) -> bool:
        """Whether the bound is reached."""
        if self.trigger.measure == "below":
            return self.measured <= self.trigger.bound
        # document 3 section 2.7 calls these bounds "above": the bound itself does not fire
        if self.trigger.measure == "level":
            return self.measured > self.trigger.bound
        return self.measured >= self.trigger.bound


def build_trigger(
    series: str, measure: Measure, bound: str, weight: str, says: str, reference: str, days: int = 0
) -> Trigger:
    """Return a signal from positional arguments, for short rows."""
    return Trigger(
        series=series,
        measure=measure,
        bound=Decimal(bound),
        weight=Decimal(weight),
        says=says,
        reference=reference,
        days=days,
    )
