"""The bundled sample: enough history for every composite, for where nothing was fetched."""

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from apps.platform.common.batches import iter_chunks
from apps.platform.common.days import start_of_day
from apps.reference.signals.models import Observation
from apps.reference.signals.points import SAMPLE
from apps.reference.signals.series import find_feed, find_series

FOLDER = Path(__file__).resolve().parent / "sample"
FILES = (
    "commodities", "currencies", "earlier", "earth", "land", "made", "made_events",
    "made_growing", "made_heat", "made_land", "made_links", "made_trade", "money", "oil",
    "policy", "prices", "stress", "trade",
)  # fmt: skip


def load_sample(*, now: datetime) -> int:
    """Store the sample; repeating it adds nothing. Returns the number of new values.

    A value counts as known from when its publisher would have published it, so that the past can be
    queried; future values are not stored.
    """
    sample_rows = [
        sample_row for sample_row in iter_sample_rows(now=now) if sample_row.vintage <= now
    ]
    known = set(
        Observation.objects.filter(source=SAMPLE).values_list("series", "observed_on", "vintage")
    )
    fresh = [
        observation
        for observation in sample_rows
        if (observation.series, observation.observed_on, observation.vintage) not in known
    ]
    for chunk in iter_chunks(fresh, 2000):
        Observation.objects.bulk_create(chunk)
    return len(fresh)


def iter_sample_rows(*, now: datetime, files: Sequence[str] = FILES) -> Iterator[Observation]:
    """Yield the values of files of the sample; ValueError for one of no row."""
    for name in files:
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
            for line in csv.DictReader(stream, strict=True):
                day = date.fromisoformat(line.pop("day"))
                for series, text in line.items():
                    if text:
                        yield _build_observation(series, day, text, now)


def _build_observation(series: str, day: date, text: str, now: datetime) -> Observation:
    row = find_series(series)
    feed = find_feed(row) if row else None
    if row is None or feed is None:
        raise ValueError(f"the sample contains {series}, which no row defines")
    return Observation(
        series=series,
        observed_on=day,
        value=Decimal(text),
        source=SAMPLE,
        fetched_at=now,
        # as if it had been fetched when it came out, so that replays of the past find it
        vintage=start_of_day(day) + feed.lag,
    )
