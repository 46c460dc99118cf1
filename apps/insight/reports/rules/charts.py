"""Compute charts of reports as numbers: the shapes, and the position of each mark. Pure.

A chart is bars of one measure, or rows of shares that sum to one. Pages draw it as SVG, a PDF by
its own means; both from the same numbers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]
# label, value (None: not known), the value in words
BarRow = tuple[str, float | None, str]
# label, (name, share of 1)
ShareRow = tuple[str, Sequence[tuple[str, float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars of one measure, or shares; one of `bars` and `shares` is given.

    `low` and `high` bound the axis where the measure has bounds of its own; `mark` is a threshold
    that is drawn across, with what it means.
    """

    title: str
    bars: Callable[[Data], Iterable[BarRow]] | None = None
    shares: Callable[[Data], Iterable[ShareRow]] | None = None
    low: float | None = None
    high: float | None = None
    mark: tuple[float, str] | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it begins and how long it is, in hundredths of the width."""

    label: str
    words: str
    start: float
    length: float
    below: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """A share of a row, in hundredths of the width; `place` tells its shade."""

    name: str
    words: str
    start: float
    length: float
    place: int


@dataclass(frozen=True, slots=True)
class ChartDrawing:
    """A chart for rendering; `text` is the text alternative."""

    title: str
    bars: tuple[Bar, ...] = ()
    rows: tuple[tuple[str, tuple[Slice, ...]], ...] = ()
    names: tuple[str, ...] = ()
    zero: float = 0.0
    mark: tuple[float, str] | None = None
    text: str = ""


def draw_chart(chart: Chart, data: Data) -> ChartDrawing | None:
    """Return a chart of some data; None where nothing of it is known."""
    if chart.shares is not None:
        rows = [*chart.shares(data)]
        if not rows:
            return None
        bars, sentences = [], []
        for label, parts in rows:
            start, slices = 0.0, []
            for place, (name, share) in enumerate(parts):
                words = f"{100 * share:.0f} %"
                slices.append(Slice(name, words, round(start, 2), round(100 * share, 2), place))
                start += 100 * share
            bars.append((label, tuple(slices)))
            sentences.append(
                f"{label}: " + ", ".join(f"{slice_.name} {slice_.words}" for slice_ in slices)
            )
        names = tuple(name for name, _ in rows[0][1])
        return ChartDrawing(
            chart.title,
            rows=tuple(bars),
            names=names,
            text=f"{chart.title}. {'; '.join(sentences)}.",
        )
    assert chart.bars is not None
    known = [(label, value, words) for label, value, words in chart.bars(data) if value is not None]
    return _draw_bars(chart, known) if known else None


def _draw_bars(chart: Chart, rows: Sequence[tuple[str, float, str]]) -> ChartDrawing:
    # the axis reaches as far as the threshold, even if no bar does
    values = [value for _, value, _ in rows] + ([chart.mark[0]] if chart.mark else [])
    low = chart.low if chart.low is not None else min(0.0, *values)
    high = chart.high if chart.high is not None else max(0.0, *values)
    # all values may be 0
    wide = (high - low) or 1.0

    def at(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / wide, 2)

    zero = at(0.0)
    bars = tuple(
        Bar(label, words, min(zero, at(value)), round(abs(at(value) - zero), 2), value < 0)
        for label, value, words in rows
    )
    mark = (at(chart.mark[0]), chart.mark[1]) if chart.mark else None
    text = "; ".join(f"{label}: {words}" for label, _, words in rows)
    return ChartDrawing(
        chart.title, bars=bars, zero=zero, mark=mark, text=f"{chart.title}. {text}."
    )
