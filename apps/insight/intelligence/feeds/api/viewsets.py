"""The free feeds (document 3 sections 2.5 and 4): for anybody, and for caches on the way."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.feeds.catalogue import feed_of
from apps.insight.intelligence.feeds.feed_answers import (
    UnknownFeed,
    conclude_feed,
    conclude_feed_list,
    gather_feed,
)
from apps.insight.intelligence.serializers.feeds import FeedOut, FeedQuery, FeedsOut
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Text
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import problem_of_status
from apps.reference.signals.quality import TooFewInputs

HEADERS = {
    "Cache-Control": "How long caches may keep the answer: until the end of the hour.",
    "ETag": "Send it in If-None-Match; an unchanged answer is a 304 without a body.",
}


def build_feed_request(*, slug: str, signed: bool = False) -> dict[str, Any]:
    """Return the requested feed's row, and whether to sign its number."""
    feed = feed_of(slug)
    if feed is None:
        raise UnknownFeed("There is no feed with this name. /v1/oracle-feed lists all feeds.")
    return {"feed": feed, "signed": signed}


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
        """Answer 304 without a body if the caller already has this ETag."""
        if "ETag" in response:
            response = get_conditional_response(
                request._request, etag=response["ETag"], response=response
            )
            if response.status_code == 412:
                response = problem_of_status(412, "The answer does not match If-Match.").respond()
        return super().finalize_response(request, response, *args, **kwargs)
