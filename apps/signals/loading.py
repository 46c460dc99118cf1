"""Observations are kept here: what publishers say now, and what is new of it."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils.module_loading import import_string

from apps.core.batches import chunks
from apps.signals.models import Observation
from apps.signals.series import SERIES, Reading, Series
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
# how far back the first refresh of a series reads, beside its overlap
FIRST = timedelta(days=28)


def refresh(*, now: datetime) -> int:
    """Ask each publisher for what is new; returns how many rows that made.

    One publisher's failure stops no other; the first one is raised when all have been asked.
    """
    new, failures = 0, list[Exception]()
    for row in SERIES:
        try:
            new += _refresh(row, now)
        except UpstreamError as error:
            logger.error("series %s: nothing was kept: %s", row.name, error)
            failures.append(error)
        except Exception as error:
            logger.exception("series %s: nothing was kept", row.name)
            failures.append(error)
    if failures:
        raise failures[0]
    return new


def _refresh(row: Series, now: datetime) -> int:
    known = Observation.objects.filter(source=row.source, series=row.leader)
    last = known.order_by("-observed_on").values_list("observed_on", flat=True).first()
    since = (last or now.date() - FIRST) - row.overlap
    found = list(import_string(row.connector)(row=row, since=since, today=now.date()))
    named = {one.series for one in found}
    if strange := sorted(name for name in named if not row.covers(name)):
        raise ValueError(f"{row.name} does not cover {strange[0]}")
    if row.leader not in named:
        raise ValueError(f"what {row.source} sent does not hold {row.leader}")
    return record(readings=found, source=row.source, now=now)


def record(*, readings: Iterable[Reading], source: str, now: datetime) -> int:
    """Keep values; one that is known already adds nothing. Returns how many rows are new."""
    listed = list(readings)
    if not listed:
        return 0
    held = Observation.objects.filter(
        source=source,
        series__in={one.series for one in listed},
        observed_on__gte=min(one.day for one in listed),
    )
    columns = ("series", "observed_on", "value")
    known = {
        (name, on): value for name, on, value in held.order_by("vintage").values_list(*columns)
    }
    fresh = [
        Observation(
            series=one.series,
            observed_on=one.day,
            value=one.value,
            source=source,
            fetched_at=now,
            vintage=now,
        )
        for one in listed
        if known.get((one.series, one.day)) != one.value
    ]
    for some in chunks(fresh, 1000):
        Observation.objects.bulk_create(some)
    return len(fresh)
