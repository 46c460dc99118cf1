"""The history of a series as a line with gaps where nothing was observed. Pure.

The line is drawn without text, so that it may be stretched to any width; its labels are outside.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from statistics import median

from apps.insight.intelligence import labels

WIDTH, HEIGHT, EDGE = 1000, 120, 4
AXIS_MARKS = 5
# days between two values of a series, beyond which one is missing between them, by how often it
# comes: a holiday of a week is no gap, nor is the longest month, quarter or year
MAX_GAP_DAYS = {
    "minutes": 3,
    "day": 12,
    "business_day": 12,
    "week": 11,
    "month": 45,
    "quarter": 135,
}
MAX_YEARLY_GAP_DAYS = 550
GAP_FACTOR = Decimal("1.6")  # the same for what is held more seldom: so many usual distances


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A line of a box of WIDTH by HEIGHT; `text` says it for those who cannot see it."""

    title: str
    path: str
    highest: str
    lowest: str
    newest: str
    day: str
    marks: tuple[str, ...]
    zero: float | None
    gaps: int
    text: str


History = Sequence[tuple[date, Decimal]]


def build_history_chart(
    title: str, values: History, *, cadence: str, since: date, until: date
) -> Chart | None:
    """Return the line of values in order of their days; None for fewer than two of them."""
    if len(values) < 2:
        return None
    parts = split_at_gaps(values, cadence)
    least, most = min(value for _, value in values), max(value for _, value in values)
    long, high = (until - since).days, most - least

    def place(day: date, value: Decimal) -> tuple[float, float]:
        up = (value - least) / high if high else Decimal("0.5")
        x = round(WIDTH * (day - since).days / long, 1)
        return x, round(HEIGHT - EDGE - float(up) * (HEIGHT - 2 * EDGE), 1)

    days = [since + (until - since) * n // (AXIS_MARKS - 1) for n in range(AXIS_MARKS)]
    low, top, last = (
        labels.format_number(least),
        labels.format_number(most),
        labels.format_number(values[-1][1]),
    )
    day = labels.format_day(values[-1][0])
    return Chart(
        title=title,
        path=" ".join(_draw_svg_path([place(*point) for point in part]) for part in parts),
        highest=top,
        lowest=low,
        newest=last,
        day=day,
        marks=tuple(f"{month_day:%b %Y}" for month_day in days),
        zero=place(since, Decimal(0))[1] if least < 0 < most else None,
        gaps=len(parts) - 1,
        text=f"{title}: between {low} and {top}, newest {last} on {day}",
    )


def split_at_gaps(values: History, cadence: str) -> list[History]:
    """Return the stretches of a history in which nothing is missing."""
    steps = [(second[0] - first[0]).days for first, second in pairwise(values)]
    apart = max(
        Decimal(MAX_GAP_DAYS.get(cadence, MAX_YEARLY_GAP_DAYS)), GAP_FACTOR * Decimal(median(steps))
    )
    starts = [0, *(n + 1 for n, step in enumerate(steps) if step > apart), len(values)]
    return [values[first:end] for first, end in pairwise(starts)]


def _draw_svg_path(points: Sequence[tuple[float, float]]) -> str:
    """Return a stretch as SVG writes it; a value that stands alone is a dot.

    Of more values than the box is wide only those are drawn that are the last of their place.
    """
    placed = list({round(x): f"{x},{y}" for x, y in points}.values())
    return f"M{placed[0]} h0" if len(placed) == 1 else f"M{placed[0]} L" + " ".join(placed[1:])
