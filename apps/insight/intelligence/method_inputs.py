"""The inputs of a method, and its result: everything that was known at a moment. Pure.

`MethodInputs` returns only valid inputs: a series that is too old, or without observations, is
treated as missing. Scores use `ageless` too: an input that has become too old is held at its last
figure if the rest is calmer (signals/carried_forward_inputs.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.reference.signals.composites import Composite
from apps.reference.signals.composition import (
    ComposedScore,
    compose_score,
    find_history_fault,
)
from apps.reference.signals.points import without_age_limit
from apps.reference.signals.quality import (
    Quality,
    SeriesInput,
    TooFewInputs,
    judge_quality,
)
from apps.reference.signals.series_snapshot import SeriesView

TENTH, HUNDREDTH = Decimal("0.1"), Decimal("0.01")
GAPPY_HISTORY = "its history has too many gaps"
# least distance of two values of a series that is published monthly or less often
MONTHLY_GAP = timedelta(days=25)
# days by which the lengths of months differ
UNEVEN, NOTHING = timedelta(days=3), timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodResult:
    """The result of a method: the body in the names of its shape, and its quality.

    `sources` are given (see SourceOut) if it uses no series. `apart` is what is stored in addition
    to the answer (Product.keeps).
    """

    body: dict[str, Any]
    quality: Quality
    sources: Sequence[dict[str, Any]] = ()
    apart: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodInputs(SeriesView):
    """The newest points and the histories of series at a moment; `asked` is the caller's request,
    `beside` other data that the product reads.
    """

    asked: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ageless(self) -> "MethodInputs":
        """The same, where nothing is ever too old."""
        # callers compare with `is`: without anything too old, they need not compute twice
        if not any(point.stale(self.as_of) and not point.sample for point in self.points.values()):
            return self
        return replace(self, points=without_age_limit(self.points))

    def lapsed(self, names: Iterable[str]) -> list[str]:
        """Return which of these series are known, but have grown too old."""
        return [name for name in names if name in self.points and self.point(name) is None]

    def value(self, name: str) -> Decimal | None:
        """Return the newest value of a series; None where it does not count."""
        point = self.point(name)
        return point.value if point else None

    def unusable(self, series_input: SeriesInput) -> SeriesInput:
        """Return an input of which nothing can be made, with the reason: its history is too short,
        or nothing is known of it.
        """
        if series_input.point is None:
            return series_input
        return replace(
            series_input,
            point=None,
            short=find_history_fault(self.past.get(series_input.name, ())) or GAPPY_HISTORY,
        )

    def before(self, name: str, back: timedelta) -> Decimal | None:
        """Return the last value that is at least so much older than the newest one."""
        past = self.history(name)
        # monthly values are counted in months: 30 days before 1 March would miss 1 February
        seldom = len(past) > 1 and past[-1][0] - past[-2][0] >= MONTHLY_GAP
        since = past[-1][0] - back + (UNEVEN if seldom else NOTHING) if past else date.min
        return next((value for day, value in reversed(past) if day <= since), None)

    def change_pct(self, name: str, back: timedelta) -> Decimal | None:
        """Return by how many per cent a series moved over a time; None where it is not known."""
        base, value = self.before(name, back), self.value(name)
        if base is None or value is None or base == 0:
            return None
        return 100 * (value - base) / abs(base)

    def compose(self, row: Composite) -> ComposedScore:
        """Return a composite; raises TooFewInputs if too little counts."""
        # the window begins where the row says, however far back the product reads for other inputs
        past = {
            part.series: [
                entry for entry in self.past.get(part.series, ()) if entry[0] >= row.start
            ]
            for part in row.parts
        }
        return compose_score(row, points=self.points, histories=past, as_of=self.as_of)

    def composed_or_none(self, row: Composite) -> ComposedScore | None:
        """Return a composite; None where too little counts."""
        try:
            return self.compose(row)
        except TooFewInputs:
            return None

    def judge(self, inputs: Sequence[SeriesInput]) -> Quality:
        """Return the quality of an answer from these inputs; raises TooFewInputs below 0.6."""
        return judge_quality(inputs, as_of=self.as_of)

    def named(self, quality: Quality, names: Iterable[str]) -> Quality:
        """Return the quality with every series named that does not count, including those outside
        the score.

        An input without weight in an answer does not lower its coverage, but is listed as missing.
        Invented series of the bundled sample are named as invented.
        """
        named = tuple(names)
        lacking = [
            name for name in named if name not in quality.missing and self.point(name) is None
        ]
        reasons = [f"{'stale' if name in self.points else 'missing'}:{name}" for name in lacking]
        reasons += [f"invented:{name}" for name in named if self._invented(name)]
        return replace(
            quality,
            missing=(*quality.missing, *lacking),
            reasons=tuple(dict.fromkeys([*quality.reasons, *reasons])),
        )

    def _invented(self, name: str) -> bool:
        point = self.point(name)
        return point is not None and point.invented


def round_to_step(value: Decimal | float, step: Decimal = TENTH) -> Decimal:
    """Return a number in steps, a tenth unless said otherwise; floats go through their text."""
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    # + 0 turns a negative zero into 0
    return exact.quantize(step, ROUND_HALF_EVEN) + 0


def round_or_none(value: Decimal | None) -> Decimal | None:
    """Return a number in hundredths, None for none."""
    return None if value is None else round_to_step(value, HUNDREDTH)
