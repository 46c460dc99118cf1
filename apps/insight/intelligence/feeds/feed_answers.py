"""Answer requests for the oracle feeds."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.intelligence.feeds import hourly_answers
from apps.insight.intelligence.feeds.catalogue import FEEDS, Feed
from apps.insight.intelligence.feeds.feed_reader import FeedReading
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer
from apps.platform.common.problems import NotFound

PATH = "v1/oracle-feed"


# seconds for which caches may keep the list
DAY = 86_400


class UnknownFeed(NotFound):
    """There is no feed of this name."""

    code, title = "unknown_feed", "No such feed"


def gather_feed(
    *, asked: Mapping[str, Any], now: datetime
) -> tuple[KeptAnswer, FeedReading | None]:
    """Return the number of the hour; raises TooFewInputs (503) where there is none."""
    return hourly_answers.gather_hourly_answer(asked["feed"], now=now)


def conclude_feed(
    *,
    asked: Mapping[str, Any],
    gathered: tuple[KeptAnswer, FeedReading | None],
    caller: Caller,
    now: datetime,
) -> Answer:
    """Return the number that is the same for everybody in this hour; see FeedOut."""
    feed: Feed = asked["feed"]
    kept_answer, hit = hourly_answers.keep_hourly_answer(feed, *gathered, now=now)
    body = kept_answer.wire | {"cacheHit": hit}
    if asked["signed"]:
        body |= {"attestation": hourly_answers.attest_feed_number(kept_answer)}
    headers = {
        "Cache-Control": f"public, max-age={hourly_answers.seconds_until_expiry(kept_answer, now)}",
        "ETag": hourly_answers.build_weak_etag(kept_answer, signed=asked["signed"]),
    }
    return Answer(RenderedAnswer(body), headers=headers)


def conclude_feed_list(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the feeds; see FeedsOut."""
    rows = [
        {
            "feed": feed.slug,
            "path": f"/{PATH}/{feed.slug}",
            "unit": feed.unit,
            "scale": hourly_answers.SCALE,
            "description": feed.about,
        }
        for feed in FEEDS
    ]
    return Answer({"feeds": rows}, headers={"Cache-Control": f"public, max-age={DAY}"})
