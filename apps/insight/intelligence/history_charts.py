"""Chart a series' history as a line with gaps where there are no observations. Pure.

The line has no text, so that it can be stretched to any width; labels are outside it.
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
# days between two values beyond which a value is missing, by cadence: neither a week of holidays
# nor the longest month, quarter or year is a gap
MAX_GAP_DAYS = {
    "minutes": 3,
    "day": 12,
    "business_day": 12,
    "week": 11,
    "month": 45,
    "quarter": 135,
}
MAX_YEARLY_GAP_DAYS = 550
# the same for irregular series, as a multiple of the median distance
GAP_FACTOR = Decimal("1.6")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A line in a box of WIDTH by HEIGHT; `text` is the text alternative."""

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
    """Return the chart of values ordered by day; None for fewer than two values."""
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
        text=f"{title}: between {low} and {top}, latest {last} on {day}",
    )


def split_at_gaps(values: History, cadence: str) -> list[History]:
    """Split a history at gaps; return the stretches without one."""
    steps = [(second[0] - first[0]).days for first, second in pairwise(values)]
    apart = max(
        Decimal(MAX_GAP_DAYS.get(cadence, MAX_YEARLY_GAP_DAYS)), GAP_FACTOR * Decimal(median(steps))
    )
    starts = [0, *(n + 1 for n, step in enumerate(steps) if step > apart), len(values)]
    return [values[first:end] for first, end in pairwise(starts)]


def _draw_svg_path(points: Sequence[tuple[float, float]]) -> str:
    """Return a stretch as an SVG path; a single value is a dot."""
    # only the last value of each horizontal pixel: a daily series has several, which nobody can see
    placed = list({round(x): f"{x},{y}" for x, y in points}.values())
    return f"M{placed[0]} h0" if len(placed) == 1 else f"M{placed[0]} L" + " ".join(placed[1:])
