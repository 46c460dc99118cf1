"""Whether the tables of files, series and composites are whole: judged at each start. Pure.

`problems` says in a sentence each what is wrong; `check` hands them to Django's system check.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.core.checks import CheckMessage, Error

from apps.signals.calendars import CALENDARS
from apps.signals.composites import COMPOSITES, Composite
from apps.signals.deriving import OPERATIONS
from apps.signals.readers import READERS
from apps.signals.series import FEEDS, SERIES, Feed, Series

# SQLite keeps decimals as floats: fifteen digits, eight of them behind the point
LARGEST = Decimal(10_000_000)


def check(**_: Any) -> list[CheckMessage]:
    """System check: the tables of signals are whole."""
    told = problems(feeds=FEEDS, series=SERIES, composites=COMPOSITES)
    return [Error(one, id="signals.E001") for one in told]


def problems(
    *, feeds: Sequence[Feed], series: Sequence[Series], composites: Sequence[Composite]
) -> list[str]:
    """Return what is wrong with the tables, a sentence each."""
    rows = {row.name: row for row in series}
    return [
        *_twice("file", [feed.name for feed in feeds]),
        *_twice("series", [row.name for row in series]),
        *_twice("composite", [row.name for row in composites]),
        *(told for feed in feeds for told in _of_feed(feed, series)),
        *(told for row in series for told in _of_series(row, rows, {one.name for one in feeds})),
        *_circles(rows),
        *(told for row in composites for told in _of_composite(row, rows)),
    ]


def _twice(kind: str, names: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"Two rows are the {kind} {name}."
        seen.add(name)


def _of_feed(feed: Feed, series: Sequence[Series]) -> Iterator[str]:
    if feed.reader not in READERS:
        yield f"File {feed.name}: no reader is called {feed.reader}."
    if feed.calendar not in CALENDARS:
        yield f"File {feed.name}: no calendar is called {feed.calendar}."
    if not any(row.feed == feed.name for row in series):
        yield f"File {feed.name}: no series stands in it."
    if not (feed.licence and feed.cite and feed.publisher and feed.url):
        yield f"File {feed.name} needs a publisher, an address, a licence and a citation."
    if len(feed.publisher) > 20:
        yield f"File {feed.name}: the publisher's name is longer than 20 characters."


def _of_series(row: Series, rows: Mapping[str, Series], feeds: set[str]) -> Iterator[str]:
    if bool(row.feed) == bool(row.inputs):
        yield f"Series {row.name} stands in a file or has inputs, one of both."
    if row.feed and row.feed not in feeds:
        yield f"Series {row.name}: no file is called {row.feed}."
    if row.inputs:
        taken, _ = OPERATIONS.get(row.op, (-1, None))
        if taken < 0:
            yield f"Series {row.name}: no operation is called {row.op}."
        elif taken and taken != len(row.inputs):
            yield f"Series {row.name}: {row.op} takes {taken} inputs."
    for name in (*row.inputs, *row.fallback):
        if _covering(name, rows.values()) is None:
            yield f"Series {row.name}: no row names {name}."
    for name in row.fallback:
        other = _covering(name, rows.values())
        if other and other.unit != row.unit:
            yield f"Series {row.name}: its fallback {name} has another unit."
    least, most = row.plausible
    if not -LARGEST <= least < most <= LARGEST:
        yield f"Series {row.name}: what is plausible must lie within {LARGEST}; use `scale`."
    if row.leader and not row.covers(row.leader):
        yield f"Series {row.name} does not cover its leader."


def _covering(name: str, rows: Iterable[Series]) -> Series | None:
    return next((row for row in rows if row.covers(name)), None)


def _circles(rows: Mapping[str, Series]) -> Iterator[str]:
    for start in rows:
        seen: set[str] = set()
        waiting = [*rows[start].inputs, *rows[start].fallback]
        while waiting:
            name = waiting.pop()
            if name == start:
                yield f"Series {start} rests on itself."
                break
            if name in rows and name not in seen:
                seen.add(name)
                waiting += [*rows[name].inputs, *rows[name].fallback]


def _of_composite(row: Composite, rows: Mapping[str, Series]) -> Iterator[str]:
    if sum((part.weight for part in row.parts), Decimal(0)) != 1:
        yield f"Composite {row.name}: its weights do not sum to 1."
    yield from _twice(f"input of {row.name},", [part.series for part in row.parts])
    for part in row.parts:
        if _covering(part.series, rows.values()) is None:
            yield f"Composite {row.name}: no row names {part.series}."
        if part.weight <= 0 or part.direction not in (1, -1):
            yield f"Composite {row.name}: {part.series} weighs more than 0, with direction 1 or -1."
    bounds = [bound for bound, _ in row.bands]
    if bounds != sorted(set(bounds)) or bounds[-1:] != [100]:
        yield f"Composite {row.name}: its bands do not rise to 100."
    if not Decimal("0.6") <= row.coverage <= 1:
        yield f"Composite {row.name}: a coverage below 0.6 gives no number."
