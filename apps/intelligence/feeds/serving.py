"""Feeds as they are served: one number for each hour of the clock, whoever asks."""

import hashlib
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.core.canonical import canonical
from apps.core.rendering import render
from apps.core.shapes import epoch, iso
from apps.core.signing import attest
from apps.intelligence import answering
from apps.intelligence.answering import Kept
from apps.intelligence.feeds import reading
from apps.intelligence.feeds.reading import Read
from apps.intelligence.feeds.table import Feed
from apps.intelligence.rules.feeds import word_of
from apps.intelligence.serializers.feeds import FeedOut

HOUR = 3600
SCALE = 100
# what is signed: all of the number and how good it is, and nothing of the call
SIGNED = ("feed", "value", "scale", "unit", "signal", "description", "asOf", "dataQuality")


def gather(feed: Feed, *, now: datetime) -> tuple[Kept, Read | None]:
    """Return the number of the hour, and what it was read from where this call read it."""
    slot = epoch(now) // HOUR
    held = answering.recall(feed, slot)
    if held is not None:
        return held, None
    found = reading.read(feed, now=now)
    return Kept(slot, render(FeedOut, _said(feed, found))), found


def keep(feed: Feed, kept: Kept, found: Read | None, *, now: datetime) -> tuple[Kept, bool]:
    """Keep a number that is new; returns the one that holds, and whether it was there before."""
    if found is None:
        return kept, True
    written = answering.write(
        feed, kept, inputs=answering.told(found.points), quality=found.quality, now=now
    )
    return (kept, False) if written else (answering.recall(feed, kept.slot) or kept, True)


def _said(feed: Feed, found: Read) -> dict[str, Any]:
    value = int((found.value * SCALE).to_integral_value(ROUND_HALF_EVEN))
    shown = Decimal(value) / SCALE
    word = word_of(shown if found.by is None else found.by, feed.bands)
    return {
        "feed": feed.slug,
        "value": value,
        "scale": SCALE,
        "unit": feed.unit,
        "signal": word,
        "description": feed.about,
        "as_of": found.as_of,
        "cache_hit": False,
        "data_quality": found.quality,
    }


def attested(kept: Kept) -> dict[str, Any]:
    """Return the statement of a number, signed: what SIGNED names, and its hour."""
    begins = datetime.fromtimestamp(kept.slot * HOUR, UTC)
    statement = {name: kept.wire[name] for name in SIGNED}
    ends = begins + timedelta(seconds=HOUR)
    return attest(statement | {"hourBegins": iso(begins), "hourEnds": iso(ends)})


def etag(kept: Kept, *, signed: bool) -> str:
    """Return the weak validator of an answer: whether it came from a cache is no part of it."""
    said = canonical(
        {name: kept.wire[name] for name in SIGNED} | {"slot": kept.slot, "signed": signed}
    )
    return f'W/"{hashlib.sha256(said).hexdigest()[:32]}"'


def left(kept: Kept, now: datetime) -> int:
    """Return the seconds until the hour of a number is over."""
    return max(0, (kept.slot + 1) * HOUR - epoch(now))
