"""Serve feeds: one number for each hour of the clock, the same for all callers."""

import hashlib
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.insight.intelligence.feeds import feed_reader
from apps.insight.intelligence.feeds.catalogue import Feed
from apps.insight.intelligence.feeds.feed_reader import FeedReading
from apps.insight.intelligence.rules.feed_bands import feed_word_of
from apps.insight.intelligence.serializers.feeds import FeedOut
from apps.insight.intelligence.services import paid_answers
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.representation import render_answer
from apps.platform.common.clock import format_utc, to_epoch_seconds
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import sign_statement

# seconds
HOUR = 3600
# document 3 section 2.5: always 100
SCALE = 100
# what is signed: the number and its quality, and nothing of the call
SIGNED_FIELDS = ("feed", "value", "scale", "unit", "signal", "description", "asOf", "dataQuality")


def gather_hourly_answer(feed: Feed, *, now: datetime) -> tuple[KeptAnswer, FeedReading | None]:
    """Return the number of the hour, and its reading if this call computed it."""
    slot = to_epoch_seconds(now) // HOUR
    kept_answer = paid_answers.recall_answer(feed, slot)
    if kept_answer is not None:
        return kept_answer, None
    feed_reading = feed_reader.read_feed(feed, now=now)
    value = int((feed_reading.value * SCALE).to_integral_value(ROUND_HALF_EVEN))
    # the signal follows the rounded number, so that a reader can check it against the bands
    shown = Decimal(value) / SCALE
    word = feed_word_of(shown if feed_reading.by is None else feed_reading.by, feed.bands)
    reading = {
        "feed": feed.slug,
        "value": value,
        "scale": SCALE,
        "unit": feed.unit,
        "signal": word,
        "description": feed.about,
        "as_of": feed_reading.as_of,
        "cache_hit": False,
        "data_quality": feed_reading.quality,
    }
    return KeptAnswer(slot, render_answer(FeedOut, reading)), feed_reading


def keep_hourly_answer(
    feed: Feed, hourly_answer: KeptAnswer, feed_reading: FeedReading | None, *, now: datetime
) -> tuple[KeptAnswer, bool]:
    """Store a new number; returns the one in force, and whether it was stored before."""
    if feed_reading is None:
        return hourly_answer, True
    written = paid_answers.write_answer_record(
        feed,
        hourly_answer,
        inputs=paid_answers.serialize_points(feed_reading.points),
        quality=feed_reading.quality,
        now=now,
    )
    return (
        (hourly_answer, False)
        if written
        else (paid_answers.recall_answer(feed, hourly_answer.slot) or hourly_answer, True)
    )


def attest_feed_number(hourly_answer: KeptAnswer) -> dict[str, Any]:
    """Return the signed statement of a number: SIGNED_FIELDS, and its hour."""
    begins = datetime.fromtimestamp(hourly_answer.slot * HOUR, UTC)
    statement = {name: hourly_answer.wire[name] for name in SIGNED_FIELDS}
    ends = begins + timedelta(seconds=HOUR)
    return sign_statement(
        statement | {"hourBegins": format_utc(begins), "hourEnds": format_utc(ends)}
    )


def build_weak_etag(hourly_answer: KeptAnswer, *, signed: bool) -> str:
    """Return the weak validator of an answer."""
    # weak and without cacheHit: two answers that differ only in that are the same to a cache
    content = canonical_json(
        {name: hourly_answer.wire[name] for name in SIGNED_FIELDS}
        | {"slot": hourly_answer.slot, "signed": signed}
    )
    return f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


def seconds_until_expiry(hourly_answer: KeptAnswer, now: datetime) -> int:
    """Return the seconds until the hour of a number is over."""
    return max(0, (hourly_answer.slot + 1) * HOUR - to_epoch_seconds(now))
