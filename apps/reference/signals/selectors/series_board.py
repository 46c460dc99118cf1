"""The board of all series by freshness, and the page of one: its chart, vintages and fetches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from apps.platform.desk import charts, time_formats
from apps.platform.jobs.models import Periodic
from apps.reference.signals.calendars import next_value_expected_at
from apps.reference.signals.clients import publishers
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.points import Point
from apps.reference.signals.selectors import series_values, silent_feeds
from apps.reference.signals.series import SERIES, Feed, Series, find_feed, find_series

MOST_DRAWN = 6000  # values of a chart
DAYS_LISTED = 30
OUTCOMES = {"NEW": "ok", "SAME": "ok", "UNCHANGED": "ok", "REJECTED": "bad", "FAILED": "warn"}


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One series of the board: its newest point, its status in words, and its last fetch."""

    name: str
    row: Series
    feed: Feed | None
    point: Point | None
    tone: str
    standing: str
    age: str
    limit: str
    due: datetime | None
    fetch: Fetch | None
    fetch_tone: str

    @property
    def value(self) -> str:
        """The newest value as it is read, without zeros behind it."""
        return f"{self.point.value.normalize():,f}" if self.point else ""


@dataclass(frozen=True, slots=True)
class SeriesPage:
    """One series: its line of the board, chart, values with their vintages, fetches."""

    line: BoardLine
    unit: str
    licence: str
    cite: str
    chart: charts.LineChart | None
    values: Sequence[Observation]
    fetches: Sequence[tuple[str, Fetch]]
    inputs: Sequence[tuple[str, str]]
    may_fetch: bool
    why_not: str


def list_board_series() -> list[str]:
    """Return the series of the table; of a family its leader."""
    return [row.leader or row.name for row in SERIES]


def list_board_lines(*, now: datetime) -> list[BoardLine]:
    """Return the status of every series, those that need attention first; at most five queries."""
    points = _load_board_points(list_board_series(), now)
    last = load_last_fetches()
    board_lines = [
        _build_board_line(name, points.get(name), last, now) for name in list_board_series()
    ]
    order = ("bad", "warn", "info", "ok")
    return sorted(board_lines, key=lambda line: (order.index(line.tone), line.name))


def _load_board_points(names: Sequence[str], now: datetime) -> dict[str, Point]:
    """Return the newest points, too old where the stability oracle would not use them."""
    return silent_feeds.expire_silent_points(
        series_values.load_latest_points(names, as_of=now), as_of=now
    )


def count_by_standing(board_lines: Sequence[BoardLine]) -> list[tuple[str, str, int]]:
    """Return the number of lines per status: tone, status, count; in the board's order."""
    counts = Counter((board_line.tone, board_line.standing) for board_line in board_lines)
    return [(tone, standing, count) for (tone, standing), count in counts.items()]


def is_fetching_off() -> bool:
    """Return whether the schedule of fetches is off, as in a sandbox."""
    return Periodic.objects.filter(name="signals.refresh", enabled=False).exists()


def load_last_fetches() -> dict[str, Fetch]:
    """Return the newest note of each file."""
    last = dict(Fetch.objects.order_by().values_list("feed").annotate(last=Max("at")))
    # the windows of one run share their time: the one that was written last counts
    rows = Fetch.objects.filter(feed__in=last, at__in=set(last.values())).order_by("pk")
    return {fetch.feed: fetch for fetch in rows if fetch.at == last[fetch.feed]}


def _build_board_line(
    name: str, point: Point | None, last: dict[str, Fetch], now: datetime
) -> BoardLine:
    row = find_series(name)
    assert row is not None  # the names are the table's own
    feed = find_feed(row)
    tone, standing = _describe_standing(name, point, now)
    fetch = last.get(feed.name) if feed else None
    return BoardLine(
        name=name,
        row=row,
        feed=feed,
        point=point,
        tone=tone,
        standing=standing,
        age=time_formats.format_span(max(0, point.age_seconds(now))) if point else "",
        due=next_value_due(point),
        limit=time_formats.format_span(int(series_values.series_max_age(name).total_seconds())),
        fetch=fetch,
        fetch_tone=OUTCOMES[fetch.outcome] if fetch else "",
    )


def _describe_standing(name: str, point: Point | None, now: datetime) -> tuple[str, str]:
    if point is None:
        off = not all(publishers.is_feed_on(feed) for feed in _list_feeds(name))
        return ("info", "Not fetched") if off else ("bad", "Nothing known")
    if point.sample:
        return "info", "Invented sample" if point.invented else "Sample"
    if point.stale(now):
        return "warn", "Too old" if point.max_age else "Publisher silent"
    due = next_value_due(point)
    if due is not None and due < now:
        return "info", "In age, next one late"
    return "ok", "Proxy, in age" if point.kind == "proxy" else "In age"


def next_value_due(point: Point | None) -> datetime | None:
    """Return by when the next value is due; of a derived series, by when all inputs are.

    None for the sample, for values by the minute, and if nothing is known.
    """
    if point is None or point.sample:
        return None
    due = [
        moment
        for feed in _list_feeds(point.series)
        if (moment := next_value_expected_at(point.day, feed))
    ]
    return max(due, default=None)


def _list_feeds(name: str) -> list[Feed]:
    row = find_series(name)
    feed = find_feed(row) if row else None
    if feed is not None:
        return [feed]
    return [
        inner_feed for below in (row.inputs if row else ()) for inner_feed in _list_feeds(below)
    ]


def build_series_page(name: str, *, now: datetime, may: bool) -> SeriesPage | None:
    """Return the page of a series; None for one that no row names."""
    row = find_series(name)
    if row is None or name.endswith("*"):
        return None
    feed = find_feed(row)
    point = _load_board_points([name], now).get(name)
    past = series_values.load_history(name, as_of=now)[-MOST_DRAWN:]
    fetches = Fetch.objects.filter(feed=feed.name)[:10] if feed else []
    off = feed is not None and not publishers.is_feed_on(feed)
    # the newest days with all their vintages, so that corrections are seen
    days = Observation.objects.filter(series=name).order_by("-observed_on").distinct()
    newest = list(days.values_list("observed_on", flat=True)[:DAYS_LISTED])
    observations = Observation.objects.filter(Q(series=name), observed_on__in=newest)
    return SeriesPage(
        line=_build_board_line(name, point, load_last_fetches(), now),
        unit=row.unit_of(name),
        licence=point.licence if point else series_values.series_licence(name),
        cite=feed.cite if feed and not (point and point.sample) else "",
        chart=charts.build_line_chart(past),
        values=list(observations.order_by("-observed_on", "-vintage")[: 3 * DAYS_LISTED]),
        fetches=[(OUTCOMES[fetch.outcome], fetch) for fetch in fetches],
        inputs=[(input_, series.title) for input_ in row.inputs if (series := find_series(input_))],
        may_fetch=may and feed is not None and not off,
        why_not=_explain_not_fetched(feed) if off and feed else "",
    )


def _explain_not_fetched(feed: Feed) -> str:
    if feed.needs_key and not publishers.feed_api_key(feed):
        return f"Not fetched: {feed.key} is not set."
    if feed.opt_in:
        return f"Not fetched because of its licence: SIGNALS_FEEDS does not name {feed.name}."
    return "Not fetched: SIGNALS_FEEDS leaves it out."


def list_rejected_fetches(*, limit: int = 10) -> list[Fetch]:
    """Return the newest notes of files that broke their format."""
    return list(Fetch.objects.filter(outcome="REJECTED")[:limit])
