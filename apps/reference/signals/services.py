"""Fetch what publishers offer now, and store new observations."""

import logging
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import transaction

from apps.platform.common.batches import iter_chunks
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import row_macs
from apps.reference.signals.clients import publishers
from apps.reference.signals.format_drift import (
    accept_rows,
    covered_spans,
    find_withdrawn_values,
    refuse_stale_file,
)
from apps.reference.signals.models import Fetch, Observation, RawFile
from apps.reference.signals.readers import Malformed, find_reader
from apps.reference.signals.series import FEEDS, SERIES, Feed, Reading, Series

logger = logging.getLogger(__name__)
# how far the first stored value may be from the first needed one: a month and holidays
NEAR_ENOUGH = timedelta(days=45)
Outcome = Fetch.Outcome
Clock = Callable[[], datetime]
KnownValues = dict[tuple[str, date], Decimal | None]


def refresh_feeds(
    *,
    now: datetime,
    names: Iterable[str] = (),
    report: Callable[[Fetch], None] = lambda _: None,
    alone: bool = False,
    clock: Clock | None = None,
) -> int:
    """Fetch the enabled files, or the named ones; return the number of new values.

    One publisher's failure does not stop the others; the first one is raised at the end. `report`
    is called for each finished file. `alone` skips files that another run is fetching. `clock`
    gives the time when a file was read: without it values count as known from `now`. Raises
    KeyError for an unknown file.
    """
    new, failures = 0, list[Exception]()
    for feed in choose_feeds(names):
        # a slow publisher may outlast the ten minutes until the next run
        if alone and not publishers.claim_feed(feed):
            continue
        try:
            new += refresh_feed(feed, now=now, report=report, clock=clock)
        except (UpstreamError, Malformed) as error:
            logger.error("file %s: nothing was kept: %s", feed.name, error)
            failures.append(error)
        except Exception as error:
            logger.exception("file %s: nothing was kept", feed.name)
            failures.append(error)
        finally:
            # only a claim of our own: another run may be fetching the file
            if alone:
                publishers.release_feed(feed)
    if failures:
        raise failures[0]
    return new


def list_feeds() -> tuple[Feed, ...]:
    """Return the table of files."""
    return FEEDS


def choose_feeds(names: Iterable[str]) -> list[Feed]:
    """Return the files of these names or series; without names, all that are on."""
    feed_names = list(names)
    if not feed_names:
        return [feed for feed in FEEDS if publishers.is_feed_on(feed)]
    by_name = {feed.name: feed for feed in FEEDS}
    feeds = dict[str, Feed]()
    for name in feed_names:
        of = [row.feed for row in SERIES if row.feed and (row.covers(name) or row.name == name)]
        for feed_name in [name] if name in by_name else of:
            feeds[feed_name] = by_name[feed_name]
        if name not in by_name and not of:
            raise KeyError(f"{name} is neither a file nor a series of one")
    return list(feeds.values())


def refresh_feed(
    feed: Feed,
    *,
    now: datetime,
    report: Callable[[Fetch], None] = lambda _: None,
    clock: Clock | None = None,
) -> int:
    """Fetch one file and store its new values; return their number.

    For a file requested by dates, the history that its series need follows window by window, newest
    first: a failed window is requested again at the next refresh. Every request's outcome is
    recorded. Raises UpstreamError, or Malformed for a file that breaks its format: the last good
    vintage then stays.
    """
    tell = clock or (lambda: now)
    new = _refresh_window(
        feed, _first_day_to_fetch(feed, now), now.date(), now=now, report=report, clock=tell
    )
    before = None
    # the same window twice: the publisher has nothing more, and is not asked again in this run
    while (window := find_missing_past(feed, now=now)) and window != before:
        new += _refresh_window(feed, *window, now=now, report=report, clock=tell)
        before = window
    return new


def _refresh_window(
    feed: Feed,
    since: date,
    until: date,
    *,
    now: datetime,
    report: Callable[[Fetch], None],
    clock: Clock,
) -> int:
    fetch = Fetch(feed=feed.name, at=now, outcome=Outcome.FAILED)
    try:
        _fetch_and_record(feed, fetch, since, until, now, clock)
    except (UpstreamError, Malformed) as error:
        fetch.outcome = Outcome.REJECTED if isinstance(error, Malformed) else Outcome.FAILED
        fetch.reason = str(error)[:500]
        raise
    except Exception as error:
        fetch.reason = f"{type(error).__name__}: the program failed"
        raise
    finally:
        fetch.save()
        report(fetch)
    return fetch.values


def _fetch_and_record(
    feed: Feed, fetch: Fetch, since: date, until: date, now: datetime, clock: Clock
) -> None:
    rows = list_feed_series(feed)
    got = publishers.fetch_feed(feed, wanted=rows, since=since, until=until, now=now)
    fetch.etag, fetch.last_modified, fetch.digest = got.etag, got.last_modified, got.digest
    fetch.asked = got.asked
    if got.body is None:
        fetch.outcome = Outcome.UNCHANGED
        return
    # read and validate: whatever is wrong with the file raises Malformed before anything is written
    fetch.size = len(got.body)
    file_rows = list(find_reader(feed)(got.body, feed, rows))
    readings = accept_rows(file_rows, feed=feed, wanted=rows, today=now.date())
    is_past = until < now.date()
    # a window of the past ends before today by design
    if not is_past:
        refuse_stale_file(readings, feed=feed, wanted=rows, today=now.date())
    # compare with what is stored, and write the news together with the file that they are from
    within = covered_spans(file_rows, today=now.date())
    with transaction.atomic():
        first = min((first for first, _ in within.values()), default=now.date())
        known = _load_known_values(set(within), feed.publisher, first)
        there = [key for key, value in known.items() if value is not None]
        withdrawn_values = (
            find_withdrawn_values(
                there,
                {(reading.series, reading.day) for reading in readings},
                within=within,
                feed=feed,
            )
            if feed.gapless
            else []
        )
        all_readings = [*readings, *(Reading(name, day, None) for name, day in withdrawn_values)]
        # not since the request: readers in between did not know it
        seen = max(now, clock())
        fetch.values = record_readings(
            readings=all_readings, source=feed.publisher, now=seen, digest=got.digest
        )
        fetch.withdrawn = len(withdrawn_values)
        fetch.reason = _describe_unexpected_changes(feed, all_readings, known)
        if is_past and not fetch.reason:
            fetch.reason = f"The past, from {since} to {until}"
        # only a file with news is kept: the values of the others refer to an earlier one
        if fetch.values:
            columns = {"feed": feed.name, "fetched_at": now, "size": fetch.size}
            RawFile.objects.get_or_create(
                digest=got.digest, defaults=columns | {"content": zlib.compress(got.body, 6)}
            )
    fetch.outcome = Outcome.NEW if fetch.values else Outcome.SAME


def _describe_unexpected_changes(
    feed: Feed, readings: Iterable[Reading], known: KnownValues
) -> str:
    """Return in a sentence that values changed whose publisher says that it never changes any."""
    if feed.revises != "never":
        return ""
    # a day without an earlier value is new, not changed
    pairs = [(known.get((reading.series, reading.day)), reading.value) for reading in readings]
    changed = sum(before is not None and before != value for before, value in pairs)
    return f"{changed} values changed that are never revised" if changed else ""


def list_feed_series(feed: Feed) -> Sequence[Series]:
    """Return the series of a file."""
    return [row for row in SERIES if row.feed == feed.name]


def _first_day_to_fetch(feed: Feed, now: datetime) -> date:
    """Return the first day to request: the newest stored day, less the overlap."""
    if feed.options.get("value") == "#":  # what is counted is that of the last days, always
        return now.date() - feed.overlap
    newest = _first_proven_day(feed, order="-observed_on")
    if newest is not None:
        # publishers revise the last days: those are read again
        return newest - feed.overlap
    return now.date() - max(_fetch_window(feed) or feed.overlap, feed.overlap)


def _fetch_window(feed: Feed) -> timedelta | None:
    keyed = feed.keyed_window if publishers.feed_api_key(feed) else None
    return keyed or feed.window


def _first_proven_day(feed: Feed, *, order: str) -> date | None:
    """Return the first day, in an order, of the values of a file that prove themselves."""
    names = [row.leader or row.name for row in list_feed_series(feed)]
    observations = Observation.objects.filter(source=feed.publisher, series__in=names)
    rows = observations.order_by(order).values_list(*row_macs.COLUMNS).iterator(chunk_size=100)
    return next((day for _, day, *_ in row_macs.filter_proven_rows(rows)), None)


def find_missing_past(feed: Feed, *, now: datetime) -> tuple[date, date] | None:
    """Return the newest window of the past that users of a file need and that is not held.

    None where nothing is missing, or nothing at all is held yet.
    """
    window = _fetch_window(feed)
    needed_day = first_needed_day(feed, today=now.date())
    earliest = _first_proven_day(feed, order="observed_on")
    if (
        window is None
        or needed_day is None
        or earliest is None
        or earliest <= needed_day + NEAR_ENOUGH
    ):
        return None
    until = earliest - timedelta(days=1)
    return max(needed_day, until - window), until


def first_needed_day(feed: Feed, *, today: date) -> date | None:
    """Return the first day of a file that users of its series need; None where none needs any."""
    pasts = [row.past for row in list_feed_series(feed) if row.past is not None]
    days = [past if isinstance(past, date) else today - past for past in pasts]
    return max(min(days), feed.begins) if days else None


def record_readings(
    *, readings: Iterable[Reading], source: str, now: datetime, digest: str = ""
) -> int:
    """Keep values; one that is known already adds nothing. Returns how many rows are new."""
    listed = list(readings)
    if not listed:
        return 0
    # append-only: a value that is known already is not written again, a corrected one is a new row
    known = _load_known_values(
        {reading.series for reading in listed}, source, min(reading.day for reading in listed)
    )
    fresh = [
        Observation(
            series=reading.series,
            observed_on=reading.day,
            value=reading.value,
            source=source,
            fetched_at=now,
            vintage=now,
            digest=digest,
        )
        for reading in listed
        if known.get((reading.series, reading.day)) != reading.value
    ]
    for chunk in iter_chunks(fresh, 1000):
        Observation.objects.bulk_create(chunk)
    return len(fresh)


def _load_known_values(names: set[str], source: str, since: date) -> KnownValues:
    """Return the newest vintage of each value since a day; None where it was taken back."""
    observations = Observation.objects.filter(
        source=source, series__in=names, observed_on__gte=since
    )
    rows = observations.order_by("vintage").values_list(*row_macs.COLUMNS)
    return {(name, on): value for name, on, value, *_ in row_macs.filter_proven_rows(rows)}
