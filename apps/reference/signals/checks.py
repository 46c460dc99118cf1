"""Validate the tables of files, series and composites at each start. Pure.

`find_table_problems` describes each fault in a sentence; `check_signal_tables` passes them to
Django's system check.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.checks import CheckMessage, Error

from apps.reference.signals.calendars import CALENDARS
from apps.reference.signals.composites import COMPOSITES, Composite
from apps.reference.signals.derivations import OPERATIONS
from apps.reference.signals.readers import READERS
from apps.reference.signals.series import FEEDS, SERIES, Feed, Series

# SQLite keeps decimals as floats: fifteen digits, eight of them behind the point
LARGEST_PLAUSIBLE = Decimal(10_000_000)


def check_signal_tables(**_: Any) -> list[CheckMessage]:
    """System check: the tables of signals are consistent."""
    table_problems = find_table_problems(feeds=FEEDS, series=SERIES, composites=COMPOSITES)
    return [Error(table_problem, id="signals.E001") for table_problem in table_problems]


def find_table_problems(
    *, feeds: Sequence[Feed], series: Sequence[Series], composites: Sequence[Composite]
) -> list[str]:
    """Return the faults of the tables, one sentence each."""
    rows = {row.name: row for row in series}
    return [
        *_find_duplicates("file", [feed.name for feed in feeds]),
        *_find_duplicates("series", [row.name for row in series]),
        *_find_duplicates("composite", [row.name for row in composites]),
        *(problem for feed in feeds for problem in _check_feed(feed, series)),
        *(
            problem
            for row in series
            for problem in _check_series(row, rows, {feed.name for feed in feeds})
        ),
        *_find_circles(rows),
        *(problem for row in composites for problem in _check_composite(row, rows)),
        *(
            composite_problem
            for row in composites
            for composite_problem in _check_pasts(row, rows, {f.name: f for f in feeds})
        ),
    ]


def _find_duplicates(kind: str, names: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"Two rows are the {kind} {name}."
        seen.add(name)


def _check_feed(feed: Feed, series: Sequence[Series]) -> Iterator[str]:
    if feed.reader not in READERS:
        yield f"File {feed.name}: no reader is called {feed.reader}."
    if feed.calendar not in CALENDARS:
        yield f"File {feed.name}: no calendar is called {feed.calendar}."
    if not any(row.feed == feed.name for row in series):
        yield f"File {feed.name}: no series is read from it."
    if not (feed.licence and feed.cite and feed.publisher and feed.url):
        yield f"File {feed.name} needs a publisher, an address, a licence and a citation."
    # the width of the column `source` of an observation
    if len(feed.publisher) > 20:
        yield f"File {feed.name}: the publisher's name is longer than 20 characters."


def _check_series(row: Series, rows: Mapping[str, Series], feeds: set[str]) -> Iterator[str]:
    if bool(row.feed) == bool(row.inputs):
        yield f"Series {row.name} must have a file or inputs, not both."
    if row.feed and row.feed not in feeds:
        yield f"Series {row.name}: no file is called {row.feed}."
    if row.inputs:
        # 0: any number of inputs
        taken, _ = OPERATIONS.get(row.op, (-1, None))
        if taken < 0:
            yield f"Series {row.name}: no operation is called {row.op}."
        elif taken and taken != len(row.inputs):
            yield f"Series {row.name}: {row.op} takes {taken} inputs."
    for name in (*row.inputs, *row.fallback):
        if _find_covering_series(name, rows.values()) is None:
            yield f"Series {row.name}: no row names {name}."
    for name in row.fallback:
        other = _find_covering_series(name, rows.values())
        if other and other.unit != row.unit:
            yield f"Series {row.name}: its fallback {name} has another unit."
    least, most = row.plausible
    if not -LARGEST_PLAUSIBLE <= least < most <= LARGEST_PLAUSIBLE:
        yield (
            f"Series {row.name}: plausible values must be within {LARGEST_PLAUSIBLE}; use `scale`."
        )
    if row.leader and not row.covers(row.leader):
        yield f"Series {row.name} does not cover its leader."


def _find_covering_series(name: str, rows: Iterable[Series]) -> Series | None:
    return next((row for row in rows if row.covers(name)), None)


def _find_circles(rows: Mapping[str, Series]) -> Iterator[str]:
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


def _check_pasts(
    row: Composite, rows: Mapping[str, Series], feeds: Mapping[str, Feed]
) -> Iterator[str]:
    """Yield inputs of a composite whose declared past is too short, in files requested by dates."""
    # the list grows while it is walked: a derived series needs the past of its inputs
    waiting = [part.series for part in row.parts]
    for name in waiting:
        covering_series = _find_covering_series(name, rows.values())
        if covering_series is None:
            continue
        waiting += [other for other in covering_series.inputs if other not in waiting]
        feed = feeds.get(covering_series.feed)
        if feed is None or not feed.asked_by_dates:
            continue
        first = max(row.start, feed.begins)
        if (
            not isinstance(covering_series.past, date)
            or covering_series.past > first
            or feed.window is None
        ):
            yield f"Composite {row.name}: {name} declares no past from {first} on."


def _check_composite(row: Composite, rows: Mapping[str, Series]) -> Iterator[str]:
    if sum((part.weight for part in row.parts), Decimal(0)) != 1:
        yield f"Composite {row.name}: its weights do not sum to 1."
    yield from _find_duplicates(f"input of {row.name},", [part.series for part in row.parts])
    for part in row.parts:
        if _find_covering_series(part.series, rows.values()) is None:
            yield f"Composite {row.name}: no row names {part.series}."
        if part.weight <= 0 or part.direction not in (1, -1):
            yield f"Composite {row.name}: {part.series} weighs more than 0, with direction 1 or -1."
    bounds = [bound for bound, _ in row.bands]
    if bounds != sorted(set(bounds)) or bounds[-1:] != [100]:
        yield f"Composite {row.name}: its bands do not rise to 100."
    if not Decimal("0.6") <= row.coverage <= 1:
        yield f"Composite {row.name}: a coverage below 0.6 gives no number."
