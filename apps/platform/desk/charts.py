"""Compute charts as numbers: the position of each mark of an SVG. Pure; the templates draw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

WIDTH, HEIGHT = 960, 150
BASE, TOP = 128, 18  # y of the zero line, and of the highest column


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """One column of a chart over days: its box, its value, and the list that it links to."""

    series: str
    x: float
    y: float
    width: float
    height: float
    value: int
    label: str
    address: str


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One line of a bar chart: `share` is its length in percent of the longest."""

    label: str
    value: str
    share: int
    address: str


@dataclass(frozen=True, slots=True)
class ChartDay:
    """One day on the axis: its columns are centred on `middle`."""

    label: str
    middle: float
    columns: tuple[ChartColumn, ...]


def build_day_chart(
    *, labels: Sequence[str], series: Sequence[tuple[str, Sequence[int], Sequence[str]]]
) -> list[ChartDay]:
    """Return the columns of several series (name, values, addresses) over the same days."""
    highest = max((value for _, values, _ in series for value in values), default=0) or 1
    slot = WIDTH / max(len(labels), 1)
    width = round(slot * 0.8 / max(len(series), 1), 1)
    bars = []
    for day, label in enumerate(labels):
        left = day * slot + slot * 0.1
        columns = []
        for place, (name, values, addresses) in enumerate(series):
            height = round((BASE - TOP) * values[day] / highest, 1)
            columns.append(
                ChartColumn(
                    series=name,
                    x=round(left + place * width, 1),
                    y=round(BASE - height, 1),
                    width=round(width - 1, 1),
                    height=height,
                    value=values[day],
                    label=label,
                    address=addresses[day],
                )
            )
        bars.append(ChartDay(label, round(day * slot + slot / 2, 1), tuple(columns)))
    return bars


@dataclass(frozen=True, slots=True)
class LineChart:
    """A line over time: `points` as SVG writes them, marks of both axes, and the place of zero."""

    points: str
    marks: tuple[tuple[float, str], ...]
    highest: str
    lowest: str
    zero: float | None


def build_line_chart(values: Sequence[tuple[date, Decimal]], marks: int = 6) -> LineChart | None:
    """Return the line of values in order of their days; None for fewer than two of them.

    If there are more values than the chart has places, only the first of each place is drawn.
    """
    if len(values) < 2 or values[0][0] == values[-1][0]:
        return None
    first, last = values[0][0], values[-1][0]
    least, most = min(value for _, value in values), max(value for _, value in values)
    long, high = (last - first).days, most - least

    def x(day: date) -> float:
        return round(WIDTH * (day - first).days / long, 1)

    def y(value: Decimal) -> float:
        return round(BASE - float((value - least) / high) * (BASE - TOP), 1) if high else BASE

    # reversed, so that the first value of each place overwrites the later ones
    placed = {round(x(day)): f"{x(day)},{y(value)}" for day, value in reversed(values)}
    days = [first + (last - first) * n // (marks - 1) for n in range(marks)]
    return LineChart(
        points=" ".join(placed[place] for place in sorted(placed)),
        marks=tuple((x(day), f"{day:%b %Y}") for day in days),
        highest=f"{most.normalize():f}",
        lowest=f"{least.normalize():f}",
        zero=y(Decimal(0)) if least < 0 < most else None,
    )


def build_bars(rows: Sequence[tuple[str, int, str, str]]) -> list[ChartBar]:
    """Return bars of rows (label, size, size in words, address)."""
    highest = max((size for _, size, _, _ in rows), default=0) or 1
    return [
        ChartBar(label, words, round(100 * size / highest), address)
        for label, size, words, address in rows
    ]
