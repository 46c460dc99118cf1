"""Observations are kept here: what publishers say now, and what is new of it."""

import logging
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import transaction

from apps.core.batches import chunks
from apps.signals import fetching, proofs
from apps.signals.drift import accept, spans, withdrawn
from apps.signals.models import Fetch, Observation, RawFile
from apps.signals.readers import Malformed, reader_of
from apps.signals.series import FEEDS, SERIES, Feed, Reading, Series
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
# how far back the first refresh of a file that is asked for by dates reads, beside its overlap
FIRST = timedelta(days=28)
Outcome = Fetch.Outcome
Clock = Callable[[], datetime]
Known = dict[tuple[str, date], Decimal | None]


def refresh(
    *,
    now: datetime,
    names: Iterable[str] = (),
    told: Callable[[Fetch], None] = lambda _: None,
    alone: bool = False,
    clock: Clock | None = None,
) -> int:
    """Ask for the files that are on, or the named ones; returns how many values were new.

    One publisher's failure stops no other; the first one is raised when all have been asked.
    `told` hears of each file as it is done. `alone` leaves out a file that another run is asking
    for at this moment. `clock` tells when a file had been read: without one its values count as
    known from `now` on. Raises KeyError for a name of no file.
    """
    new, failures = 0, list[Exception]()
    for feed in chosen(names):
        if alone and not fetching.is_free(feed):
            continue
        try:
            new += refresh_one(feed, now=now, told=told, clock=clock)
        except (UpstreamError, Malformed) as error:
            logger.error("file %s: nothing was kept: %s", feed.name, error)
            failures.append(error)
        except Exception as error:
            logger.exception("file %s: nothing was kept", feed.name)
            failures.append(error)
    if failures:
        raise failures[0]
    return new


def feeds() -> tuple[Feed, ...]:
    """Return the table of files."""
    return FEEDS


def chosen(names: Iterable[str]) -> list[Feed]:
    """Return the files of these names or series; without names, all that are on."""
    wanted = list(names)
    if not wanted:
        return [feed for feed in FEEDS if fetching.is_on(feed)]
    by_name = {feed.name: feed for feed in FEEDS}
    found = dict[str, Feed]()
    for name in wanted:
        of = [row.feed for row in SERIES if row.feed and (row.covers(name) or row.name == name)]
        for one in [name] if name in by_name else of:
            found[one] = by_name[one]
        if name not in by_name and not of:
            raise KeyError(f"{name} is neither a file nor a series of one")
    return list(found.values())


def refresh_one(
    feed: Feed,
    *,
    now: datetime,
    told: Callable[[Fetch], None] = lambda _: None,
    clock: Clock | None = None,
) -> int:
    """Ask for one file and keep what is new of it; returns how many values were new.

    What came of it is written down in any case. Raises UpstreamError, or Malformed for a file
    that breaks its format: the last good vintage then stays.
    """
    done = Fetch(feed=feed.name, at=now, outcome=Outcome.FAILED)
    try:
        _take(feed, done, now, clock or (lambda: now))
    except (UpstreamError, Malformed) as error:
        done.outcome = Outcome.REJECTED if isinstance(error, Malformed) else Outcome.FAILED
        done.reason = str(error)[:500]
        raise
    except Exception as error:
        done.reason = f"{type(error).__name__}: the program failed"
        raise
    finally:
        fetching.release(feed)
        done.save()
        told(done)
    return done.values


def _take(feed: Feed, done: Fetch, now: datetime, clock: Clock) -> None:
    rows = wanted_of(feed)
    got = fetching.fetch(feed, wanted=rows, since=_since(feed, now), now=now)
    done.etag, done.last_modified, done.digest = got.etag, got.last_modified, got.digest
    done.asked = got.asked
    if got.body is None:
        done.outcome = Outcome.UNCHANGED
        return
    done.size = len(got.body)
    held = list(reader_of(feed)(got.body, feed, rows))
    found = accept(held, feed=feed, wanted=rows, today=now.date())
    within = spans(held, today=now.date())
    with transaction.atomic():
        since = min((first for first, _ in within.values()), default=now.date())
        known = _known(set(within), feed.publisher, since)
        there = [key for key, value in known.items() if value is not None]
        gone = withdrawn(there, _keys(found), within=within, feed=feed) if feed.gapless else []
        told = [*found, *(Reading(name, day, None) for name, day in gone)]
        # not since it was asked for: who read in between did not know it
        seen = max(now, clock())
        done.values = record(readings=told, source=feed.publisher, now=seen, digest=got.digest)
        done.withdrawn, done.reason = len(gone), _remark(feed, told, known)
        if done.values:
            kept = {"feed": feed.name, "fetched_at": now, "size": done.size}
            RawFile.objects.get_or_create(
                digest=got.digest, defaults=kept | {"content": zlib.compress(got.body, 6)}
            )
    done.outcome = Outcome.NEW if done.values else Outcome.SAME


def _keys(found: Iterable[Reading]) -> set[tuple[str, date]]:
    return {(one.series, one.day) for one in found}


def _remark(feed: Feed, told: Iterable[Reading], known: Known) -> str:
    """Return in a sentence that values changed whose publisher says that it never changes any."""
    if feed.revises != "never":
        return ""
    pairs = [(known.get((one.series, one.day)), one.value) for one in told]
    changed = sum(before is not None and before != value for before, value in pairs)
    return f"{changed} values changed that are never revised" if changed else ""


def wanted_of(feed: Feed) -> Sequence[Series]:
    """Return the rows of the series that stand in a file."""
    return [row for row in SERIES if row.feed == feed.name]


def _since(feed: Feed, now: datetime) -> date:
    names = [row.leader or row.name for row in wanted_of(feed)]
    known = Observation.objects.filter(source=feed.publisher, series__in=names)
    newest = known.order_by("-observed_on").values_list(*proofs.COLUMNS).iterator(chunk_size=100)
    last = next((day for _, day, *_ in proofs.proven(newest)), now.date() - FIRST)
    return last - feed.overlap


def record(*, readings: Iterable[Reading], source: str, now: datetime, digest: str = "") -> int:
    """Keep values; one that is known already adds nothing. Returns how many rows are new."""
    listed = list(readings)
    if not listed:
        return 0
    known = _known({one.series for one in listed}, source, min(one.day for one in listed))
    fresh = [
        Observation(
            series=one.series,
            observed_on=one.day,
            value=one.value,
            source=source,
            fetched_at=now,
            vintage=now,
            digest=digest,
        )
        for one in listed
        if known.get((one.series, one.day)) != one.value
    ]
    for some in chunks(fresh, 1000):
        Observation.objects.bulk_create(some)
    return len(fresh)


def _known(names: set[str], source: str, since: date) -> Known:
    """Return the newest vintage of each value since a day; None where it was taken back."""
    held = Observation.objects.filter(source=source, series__in=names, observed_on__gte=since)
    rows = held.order_by("vintage").values_list(*proofs.COLUMNS)
    return {(name, on): value for name, on, value, *_ in proofs.proven(rows)}
