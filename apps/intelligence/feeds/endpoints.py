"""The free feeds (document 3 sections 2.5 and 4): for anybody, and for caches on the way."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.access.models import Kind
from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.pipeline import Answer
from apps.core.problems import NotFound
from apps.core.rendering import Wire
from apps.core.shapes import Text
from apps.intelligence.answering import Kept
from apps.intelligence.feeds import serving
from apps.intelligence.feeds.reading import Read
from apps.intelligence.feeds.table import FEEDS, Feed, feed_of
from apps.intelligence.serializers.feeds import FeedOut, FeedQuery, FeedsOut
from apps.signals.quality import Unavailable

PATH = "v1/oracle-feed"
ACCESS = Access(open=True, may=(Kind.DATA,), rate="feed")
DAY = 86_400
HEADERS = {
    "Cache-Control": "For how long anybody may keep the answer: until the hour is over.",
    "ETag": "Sent back in If-None-Match, an answer that is the same comes as 304 without a body.",
}


class UnknownFeed(NotFound):
    """No feed has this name."""

    code, title = "unknown_feed", "No such feed"


def make(*, slug: str, signed: bool = False) -> dict[str, Any]:
    """Return what is asked: the row of a feed, and whether its number is to be signed."""
    feed = feed_of(slug)
    if feed is None:
        raise UnknownFeed("No feed has this name; /v1/oracle-feed lists them.")
    return {"feed": feed, "signed": signed}


def gather(*, asked: Mapping[str, Any], now: datetime) -> tuple[Kept, Read | None]:
    """Return the number of the hour; raises Unavailable (503) where there is none."""
    return serving.gather(asked["feed"], now=now)


def conclude(
    *,
    asked: Mapping[str, Any],
    gathered: tuple[Kept, Read | None],
    caller: Caller,
    now: datetime,
) -> Answer:
    """Return the number as it holds for everybody in this hour; see FeedOut."""
    feed: Feed = asked["feed"]
    kept, hit = serving.keep(feed, *gathered, now=now)
    body = kept.wire | {"cacheHit": hit}
    if asked["signed"]:
        body |= {"attestation": serving.attested(kept)}
    headers = {
        "Cache-Control": f"public, max-age={serving.left(kept, now)}",
        "ETag": serving.etag(kept, signed=asked["signed"]),
    }
    return Answer(Wire(body), headers=headers)


def conclude_list(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the feeds; see FeedsOut."""
    rows = [
        {
            "feed": one.slug,
            "path": f"/{PATH}/{one.slug}",
            "unit": one.unit,
            "scale": serving.SCALE,
            "description": one.about,
        }
        for one in FEEDS
    ]
    return Answer({"feeds": rows}, headers={"Cache-Control": f"public, max-age={DAY}"})


ENDPOINTS = (
    Endpoint(
        name="oracle-feeds",
        method="GET",
        path=PATH,
        service="intelligence",
        spec="3 §2.5",
        about="Lists the free feeds. Free.",
        access=ACCESS,
        answers=FeedsOut,
        conclude=conclude_list,
        headers={"Cache-Control": "How long the list may be kept: it changes with a release."},
    ),
    Endpoint(
        name="oracle-feed",
        method="GET",
        path=f"{PATH}/<str:slug>",
        service="intelligence",
        spec="3 §2.5",
        about="Gives the number of a feed, as an integer: what it shows is value / scale. Free.\n\n"
        "It is the same for everybody until the hour of the clock is over. 60 calls a minute from "
        "one address; a data key has its own rate.",
        access=ACCESS,
        asks=FeedQuery,
        answers=FeedOut,
        make=make,
        ids={
            "slug": Id(
                field=Text(max_length=40),
                about="Which feed: one of the list.",
                example="co2-ppm",
                owned=False,
            )
        },
        gather=gather,
        conclude=conclude,
        headers=HEADERS,
        problems=(UnknownFeed, Unavailable),
    ),
)
