"""What operators see of series: how fresh each is, and one with its chart, vintages and fetches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from apps.core.models import Periodic
from apps.desk import charts, times
from apps.signals import fetching, keeping, reading
from apps.signals.calendars import expected
from apps.signals.models import Fetch, Observation
from apps.signals.points import Point
from apps.signals.series import SERIES, Feed, Series, feed_of, row_of

DRAWN, LISTED = 6000, 30
OUTCOMES = {"NEW": "ok", "SAME": "ok", "UNCHANGED": "ok", "REJECTED": "bad", "FAILED": "warn"}


@dataclass(frozen=True, slots=True)
class Line:
    """One series of the board: its newest point, how it stands in words, and its last fetch."""

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
class Page:
    """One series: its line of the board, chart, values with their vintages, fetches."""

    line: Line
    unit: str
    licence: str
    cite: str
    chart: charts.Line | None
    values: Sequence[Observation]
    fetches: Sequence[tuple[str, Fetch]]
    inputs: Sequence[tuple[str, str]]
    may_fetch: bool
    why_not: str


def names() -> list[str]:
    """Return the series of the table; of a family the one by which it is known."""
    return [row.leader or row.name for row in SERIES]


def lines(*, now: datetime) -> list[Line]:
    """Return how every series stands, what needs somebody first. Takes five queries at most."""
    points = _points(names(), now)
    last = last_fetches()
    made = [_line(name, points.get(name), last, now) for name in names()]
    order = ("bad", "warn", "info", "ok")
    return sorted(made, key=lambda one: (order.index(one.tone), one.name))


def _points(wanted: Sequence[str], now: datetime) -> dict[str, Point]:
    """Return the newest points, each as young as the oracle takes it for."""
    return keeping.heard_of(reading.latest(wanted, as_of=now), as_of=now)


def counted(told: Sequence[Line]) -> list[tuple[str, str, int]]:
    """Return how many lines of a board stand how: tone, standing, count; in the board's order."""
    found = Counter((one.tone, one.standing) for one in told)
    return [(tone, standing, count) for (tone, standing), count in found.items()]


def is_off() -> bool:
    """Tell whether nothing is fetched by itself, as in a sandbox."""
    return Periodic.objects.filter(name="signals.refresh", enabled=False).exists()


def last_fetches() -> dict[str, Fetch]:
    """Return the newest note of each file."""
    newest = Fetch.objects.order_by("feed", "-at", "-pk").distinct().values("feed", "pk")
    first: dict[str, int] = {}
    for one in newest:
        first.setdefault(one["feed"], one["pk"])
    return {one.feed: one for one in Fetch.objects.filter(pk__in=first.values())}


def _line(name: str, point: Point | None, last: dict[str, Fetch], now: datetime) -> Line:
    row = row_of(name)
    assert row is not None  # the names are the table's own
    feed = feed_of(row)
    tone, standing = _standing(name, point, now)
    fetch = last.get(feed.name) if feed else None
    return Line(
        name=name,
        row=row,
        feed=feed,
        point=point,
        tone=tone,
        standing=standing,
        age=times.counted(max(0, point.age_seconds(now))) if point else "",
        due=due_of(point),
        limit=times.counted(int(reading.max_age_of(name).total_seconds())),
        fetch=fetch,
        fetch_tone=OUTCOMES[fetch.outcome] if fetch else "",
    )


def _standing(name: str, point: Point | None, now: datetime) -> tuple[str, str]:
    if point is None:
        off = not all(fetching.is_on(feed) for feed in _feeds(name))
        return ("info", "Not asked for") if off else ("bad", "Nothing known")
    if point.sample:
        return "info", "Invented sample" if point.invented else "Sample"
    if point.stale(now):
        return "warn", "Too old" if point.max_age else "Publisher silent"
    due = due_of(point)
    if due is not None and due < now:
        return "info", "In age, next one late"
    return "ok", "Proxy, in age" if point.kind == "proxy" else "In age"


def due_of(point: Point | None) -> datetime | None:
    """Return by when the next value should be there: of a derived series, that of each input.

    None of the sample, of what comes by the minute, and where nothing is known.
    """
    if point is None or point.sample:
        return None
    due = [moment for one in _feeds(point.series) if (moment := expected(point.day, one))]
    return max(due, default=None)


def _feeds(name: str) -> list[Feed]:
    row = row_of(name)
    feed = feed_of(row) if row else None
    if feed is not None:
        return [feed]
    return [one for below in (row.inputs if row else ()) for one in _feeds(below)]


def page(name: str, *, now: datetime, may: bool) -> Page | None:
    """Return the page of a series; None for one that no row names."""
    row = row_of(name)
    if row is None or name.endswith("*"):
        return None
    feed = feed_of(row)
    point = _points([name], now).get(name)
    past = reading.history(name, as_of=now)[-DRAWN:]
    asked = Fetch.objects.filter(feed=feed.name)[:10] if feed else []
    off = feed is not None and not fetching.is_on(feed)
    return Page(
        line=_line(name, point, last_fetches(), now),
        unit=row.unit_of(name),
        licence=point.licence if point else reading.licence_of(name),
        cite=feed.cite if feed and not (point and point.sample) else "",
        chart=charts.line(past),
        values=_values(name),
        fetches=[(OUTCOMES[one.outcome], one) for one in asked],
        inputs=[(one, found.title) for one in row.inputs if (found := row_of(one))],
        may_fetch=may and feed is not None and not off,
        why_not=_why_not(feed) if off and feed else "",
    )


def _values(name: str) -> Sequence[Observation]:
    """Return every vintage of the newest days that were observed."""
    days = Observation.objects.filter(series=name).order_by("-observed_on").distinct()
    newest = list(days.values_list("observed_on", flat=True)[:LISTED])
    found = Observation.objects.filter(Q(series=name), observed_on__in=newest)
    return list(found.order_by("-observed_on", "-vintage")[: 3 * LISTED])


def _why_not(feed: Feed) -> str:
    if feed.needs_key and not fetching.key_of(feed):
        return f"Not asked for: {feed.key} holds no key."
    if feed.opt_in:
        return f"Not asked for, because of its licence: SIGNALS_FEEDS does not name {feed.name}."
    return "Not asked for: SIGNALS_FEEDS leaves it out."


def rejected(*, limit: int = 10) -> list[Fetch]:
    """Return the newest notes of files that broke their format."""
    return list(Fetch.objects.filter(outcome="REJECTED")[:limit])
