"""Whether a file has the format its publisher used to send: else all of it is refused. Pure.

The drift contract: a header by name (the readers), values within what is plausible, no fewer rows
than a whole file has, one value for each day, none of the future.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

from apps.reference.signals.row_parsing import FileRow, Malformed
from apps.reference.signals.series.definitions import Feed, Reading, Series

# ASCII digits of bounded length: no `1_000` or `NaN`, and no exponent that fills the memory
NUMBER = re.compile(r"[+-]?(\d{1,30}\.?\d{0,40}|\.\d{1,40})([eE][+-]?\d{1,2})?", re.ASCII)
STORED = Decimal("0.00000001")  # the eight decimals of the column
WITHDRAWN_TOLERATED = 5  # values that may be gone at once from any file


def accept_rows(
    rows: Iterable[FileRow], *, feed: Feed, wanted: Sequence[Series], today: date
) -> tuple[Reading, ...]:
    """Return the values of a file, ordered by series and day, or raise Malformed with the reason.

    A mark for a missing value leaves its day out; it is never 0.
    """
    values_by_day: dict[tuple[str, date], Decimal] = {}
    order = _DayOrder()
    until = (
        _last_complete_year_end(today, feed) if feed.options.get("until") == "last_year" else None
    )
    for row in rows:
        day = row.day or today
        # publishers write a gap as `.`, `ND`, `***` or -99.9; never as 0
        if row.text in feed.missing or (until and day > until):
            continue
        order.meet(row.series, day)
        value = _parse_value(row, day, _require_series(row, wanted), today)
        if values_by_day.setdefault((row.series, day), value) != value:
            raise Malformed(f"two values for {row.series} on {day}")
    _require_enough_values(values_by_day, feed, wanted)
    return tuple(
        Reading(name, day, values_by_day[name, day]) for name, day in sorted(values_by_day)
    )


def refuse_stale_file(
    readings: Sequence[Reading], *, feed: Feed, wanted: Sequence[Series], today: date
) -> None:
    """Raise Malformed for a file whose newest value is too old: not updated, or truncated."""
    newest = max(readings, key=lambda reading: reading.day)
    row = next(row for row in wanted if row.covers(newest.series))
    oldest = today - (row.max_age or feed.max_age)
    if newest.day < oldest:
        raise Malformed(
            f"its newest value is of {newest.day}; one before {oldest} is too old to be new"
        )


def _last_complete_year_end(today: date, feed: Feed) -> date:
    """Return the last day of the last year that has figures and not only forecasts.

    In a file with forecasts, a year that has just ended still has its forecast.
    """
    return date((today - feed.lag).year - 1, 12, 31)


class _DayOrder:
    """Whether the days of each series rise, or fall, from the first to the last."""

    def __init__(self) -> None:
        self.last: dict[str, date] = {}
        self.rises: dict[str, bool] = {}

    def meet(self, series: str, day: date) -> None:
        """Take the next day of a series; raises Malformed if it is out of order."""
        before = self.last.get(series)
        self.last[series] = day
        if before is None or before == day:
            return
        # either direction, but one: a file whose days go back was joined wrongly
        if self.rises.setdefault(series, day > before) != (day > before):
            raise Malformed(f"{series}: {day} comes after {before}, out of order")


def covered_spans(rows: Iterable[FileRow], *, today: date) -> dict[str, tuple[date, date]]:
    """Return the first and last day that a file covers for each series.

    A mark for a missing value covers its day, too.
    """
    spans: dict[str, tuple[date, date]] = {}
    for row in rows:
        day = row.day or today
        first, last = spans.get(row.series, (day, day))
        spans[row.series] = (min(first, day), max(last, day))
    return spans


def find_withdrawn_values(
    known: Iterable[tuple[str, date]],
    container: Container[tuple[str, date]],
    *,
    within: Mapping[str, tuple[date, date]],
    feed: Feed,
) -> list[tuple[str, date]]:
    """Return the series and days of known values that are no longer in a file.

    Only days that the file covers count: a file of the last weeks withdraws no earlier values.
    Where a publisher does not revise whole histories, a file that lacks more than a tenth of the
    values (and more than five) was truncated: Malformed.
    """
    there = [key for key in known if key[0] in within and _is_within_span(within[key[0]], key[1])]
    gone = [key for key in there if key not in container]
    # a tenth at most: a file that was cut off looks like a withdrawal of all that it lacks
    if feed.revises != "whole_history" and len(gone) > max(WITHDRAWN_TOLERATED, len(there) // 10):
        raise Malformed(f"{len(gone)} of {len(there)} known values are missing from it")
    return gone


def _is_within_span(span: tuple[date, date], day: date) -> bool:
    return span[0] <= day <= span[1]


def _require_series(file_row: FileRow, series_rows: Sequence[Series]) -> Series:
    row = next((row for row in series_rows if row.covers(file_row.series)), None)
    if row is None:
        raise Malformed(f"{file_row.series} was not requested")
    return row


def _parse_value(file_row: FileRow, day: date, row: Series, today: date) -> Decimal:
    text = f"{file_row.series} on {day}"
    if day > today:
        raise Malformed(f"{text} is in the future")
    if not NUMBER.fullmatch(file_row.text):
        raise Malformed(f"{text}: {file_row.text[:30]!r} is not a number")
    value = Decimal(file_row.text)
    least, most = row.plausible
    if not least <= (value * row.scale) <= most:
        raise Malformed(
            f"{text}: {file_row.text[:30]} is not plausible ({least} to {most} {row.unit})"
        )
    # rounded before it is compared with what is stored, or each fetch would be a correction
    return (value * row.scale).quantize(STORED, ROUND_HALF_EVEN)


def _require_enough_values(
    accepted: dict[tuple[str, date], Decimal], feed: Feed, series_rows: Sequence[Series]
) -> None:
    days: dict[str, int] = {}
    for name, _ in accepted:
        days[name] = days.get(name, 0) + 1
    for row in series_rows:
        name = row.leader or row.name
        if days.get(name, 0) < feed.least:
            raise Malformed(
                f"{days.get(name, 0)} values of {name}, where a whole file has {feed.least} or more"
            )
