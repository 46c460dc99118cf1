"""Charts as inline SVG: classes of the page's style alone, so that a strict policy allows them.

They are drawn 360 units wide, so that their words stay legible on a phone; a table beside each has
every number that it shows.
"""

from collections.abc import Iterator, Sequence
from html import escape

from benchmarks.report.figures import Bar, Chart, Line

WIDTH = 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 10, 40  # of the area of curves
_HEIGHT = 250
_BAR_LEFT, _BAR_RIGHT = 14.0, 16.0
_ROW, _TEXT_ROW = 40, 15  # of a bar with its name above it


def svg(chart: Chart, *, key: str) -> str:
    """Return a chart; its title and description are for readers who cannot see it."""
    body, height = _curves(chart) if chart.lines else _bars(chart)
    description = escape(_described(chart))
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(chart.title)}</title>'
        f'<desc id="{key}-d">{description}</desc>{"".join(body)}</svg>'
    )


def _described(chart: Chart) -> str:
    if chart.lines:
        names = ", ".join(line.name for line in chart.lines)
        return f"Curves of {names}: {chart.y} over {chart.x}. The table has their points."
    bars = "; ".join(f"{bar.name} {bar.text}" for bar in chart.bars)
    return f"{chart.x}: {bars}."


def nice(low: float, high: float, most: int = 6) -> list[float]:
    """Return round places of an axis from at or below `low` to at or above `high`."""
    span = (high - low) or 1.0
    step = next(
        base * 10**power
        for power in range(-4, 9)
        for base in (1, 2, 2.5, 5)
        if span / (base * 10**power) <= most
    )
    first = int(low // step)
    last = -int(-high // step)
    return [round(place * step, 10) for place in range(first, last + 1)]


def _number(value: float) -> str:
    return f"{value:g}"


def _curves(chart: Chart) -> tuple[Iterator[str], int]:
    points = [point for line in chart.lines for point in line.points]
    xs = nice(min(x for x, _ in points), max(x for x, _ in points))
    ys = nice(min(y for _, y in points), max(y for _, y in points))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - xs[0]) / (xs[-1] - xs[0])
        up = (y - ys[0]) / (ys[-1] - ys[0])
        right, bottom = WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        return _LEFT + across * (right - _LEFT), bottom - up * (bottom - _TOP)

    legend = len(chart.lines) * 18
    return _curve_parts(chart, xs, ys, at), _HEIGHT + legend


def _curve_parts(chart: Chart, xs: list[float], ys: list[float], at: object) -> Iterator[str]:
    assert callable(at)
    for y in ys:
        (left, high), (right, _) = at(xs[0], y), at(xs[-1], y)
        yield f'<path class="grid" d="M{left:.1f} {high:.1f}H{right:.1f}"/>'
        yield _words(left - 5, high + 4, _number(y), anchor="end")
    bottom = at(xs[0], ys[0])[1]
    for x in xs:
        yield _words(at(x, ys[0])[0], bottom + 15, _number(x), anchor="middle")
    yield _words((_LEFT + WIDTH - _RIGHT) / 2, bottom + 32, chart.x, anchor="middle")
    turned = f"translate(11 {(_TOP + bottom) / 2:.0f}) rotate(-90)"
    yield f'<text class="axis" text-anchor="middle" transform="{turned}">{escape(chart.y)}</text>'
    for number, line in enumerate(chart.lines):
        yield from _line(line, number, at)


def _line(line: Line, number: int, at: object) -> Iterator[str]:
    assert callable(at)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in line.points))
    kind = "ours" if line.ours else f"peer p{number}"
    yield f'<polyline class="{kind}" points="{path}"/>'
    if line.marked:
        x, y = at(*line.marked[:2])
        yield f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        side = "end" if x > WIDTH / 2 else "start"
        yield _words(x + (-8 if side == "end" else 8), y + 14, line.marked[2], anchor=side)
    low = _HEIGHT + number * 18 + 6
    yield f'<path class="{kind}" d="M{_LEFT} {low}h28"/>'
    yield _words(_LEFT + 36, low + 4, line.name, anchor="start")


def _bars(chart: Chart) -> tuple[Iterator[str], int]:
    ends = [
        value for bar in chart.bars for value in (bar.value, bar.low, bar.high) if value is not None
    ]
    low, high = (min(ends), max(ends)) if chart.dots else (min(0.0, *ends), max(0.0, *ends))
    places = nice(low, high, most=5)
    return _bar_parts(chart, places), len(chart.bars) * _ROW + 42


def _bar_parts(chart: Chart, places: Sequence[float]) -> Iterator[str]:
    left, right = _BAR_LEFT, WIDTH - _BAR_RIGHT

    def at(value: float) -> float:
        return left + (value - places[0]) / (places[-1] - places[0]) * (right - left)

    bottom = len(chart.bars) * _ROW + 6
    for place in places:
        yield f'<path class="grid" d="M{at(place):.1f} 4V{bottom}"/>'
        yield _words(at(place), bottom + 14, _number(place), anchor="middle")
    if places[0] < chart.zero < places[-1]:
        yield f'<path class="zero" d="M{at(chart.zero):.1f} 4V{bottom}"/>'
    yield _words(WIDTH / 2, bottom + 30, chart.x, anchor="middle")
    for number, bar in enumerate(chart.bars):
        yield from _bar(bar, number * _ROW, at, chart)


def _bar(bar: Bar, top: float, at: object, chart: Chart) -> Iterator[str]:
    assert callable(at)
    kind = "ours" if bar.ours else "peer"
    yield _words(_BAR_LEFT, top + _TEXT_ROW, bar.name, anchor="start", kind="name")
    yield _words(WIDTH - _BAR_RIGHT, top + _TEXT_ROW, bar.text, anchor="end", kind="name")
    middle = top + 28
    if not chart.dots:
        begin, end = sorted((at(max(0.0, chart.zero)), at(bar.value)))
        size = f'width="{max(1.0, end - begin):.1f}" height="12"'
        yield f'<rect class="{kind}" x="{begin:.1f}" y="{middle - 6}" {size}/>'
    if bar.low is not None and bar.high is not None:
        low, high = at(bar.low), at(bar.high)
        yield (
            f'<path class="whisker" d="M{low:.1f} {middle - 5}v10M{low:.1f} {middle}H{high:.1f}'
            f'M{high:.1f} {middle - 5}v10"/>'
        )
    if chart.dots:
        yield f'<circle class="dot {kind}" cx="{at(bar.value):.1f}" cy="{middle}" r="5"/>'


def _words(x: float, y: float, text: str, *, anchor: str, kind: str = "axis") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )
