"""Content negotiation: JSON unless the caller prefers a form that the operation has."""

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from apps.platform.common.problems import problem_of_status


class DefaultToJSONNegotiation(DefaultContentNegotiation):
    """Pick parsers by Content-Type only, and never answer 406: the default is JSON."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        for parser in parsers:
            if parser.media_type == request._request.content_type:
                return parser
        taken = " or ".join(str(parser.media_type) for parser in parsers)
        # no guess: a body read by the wrong parser would be another request
        raise problem_of_status(415, f"Send the body with Content-Type: {taken}.")

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        by_type = {str(renderer.media_type): renderer for renderer in renderers}
        preferred = next(iter(by_type))
        if len(by_type) > 1:  # parsing Accept takes a while
            preferred = request._request.get_preferred_type(list(by_type)) or preferred
        return by_type[preferred], preferred
