"""The free feeds (document 3 sections 2.5 and 4): for anybody, and for caches on the way."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.feeds import hourly_answers
from apps.insight.intelligence.feeds.catalogue import FEEDS, Feed, feed_of
from apps.insight.intelligence.feeds.feed_reader import FeedReading
from apps.insight.intelligence.serializers.feeds import FeedOut, FeedQuery, FeedsOut
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.representation import RenderedAnswer
from apps.platform.api.shapes import Text
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound, problem_of_status
from apps.reference.signals.quality import TooFewInputs

PATH = "v1/oracle-feed"
DAY = 86_400
HEADERS = {
    "Cache-Control": "How long caches may keep the answer: until the end of the hour.",
    "ETag": "Send it in If-None-Match; an unchanged answer is a 304 without a body.",
}


class UnknownFeed(NotFound):
    """There is no feed of this name."""

    code, title = "unknown_feed", "No such feed"


def build_feed_request(*, slug: str, signed: bool = False) -> dict[str, Any]:
    """Return what is asked: the row of a feed, and whether its number is to be signed."""
    feed = feed_of(slug)
    if feed is None:
        raise UnknownFeed("There is no feed with this name. /v1/oracle-feed lists all feeds.")
    return {"feed": feed, "signed": signed}


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
    """Return the number as it holds for everybody in this hour; see FeedOut."""
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


class OracleFeedViewSet(OperationViewSet):
    """The free feeds (document 3 section 2.5)."""

    shared = {"spec": "3 §2.5", "access": Access(open=True, may=(KeyKind.DATA,), rate="feed")}
    path_parameters = {
        "slug": PathParameter(
            field=Text(max_length=40),
            description="The name of a listed feed.",
            example="co2-ppm",
            owned=False,
        )
    }

    @operation(
        "oracle-feeds",
        response=FeedsOut,
        response_headers={
            "Cache-Control": "How long the list may be cached; it changes only with a release."
        },
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Lists the free feeds. Free."""
        return self.run(None, conclude_feed_list)

    @operation(
        "oracle-feed",
        request=FeedQuery,
        response=FeedOut,
        response_headers=HEADERS,
        problems=(UnknownFeed, TooFewInputs),
    )
    def retrieve(self, request: Request, slug: str) -> HttpResponseBase:
        """Returns the number of a feed, as an integer: the value shown is value / scale. Free.

        It is the same for everybody until the end of the clock hour. 60 calls a minute from one
        address; a data key has its own rate.
        """
        return self.run(gather_feed, conclude_feed, build_feed_request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer 304 without a body where the caller has what the ETag stands for."""
        if "ETag" in response:
            response = get_conditional_response(
                request._request, etag=response["ETag"], response=response
            )
            if response.status_code == 412:
                response = problem_of_status(412, "The answer does not match If-Match.").respond()
        return super().finalize_response(request, response, *args, **kwargs)
