"""Content negotiation: JSON unless the caller prefers a form that the operation has."""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from apps.platform.common.problems import problem_of_status


class DefaultToJSONNegotiation(DefaultContentNegotiation):
    """Picks parsers by Content-Type alone, and never answers 406: JSON goes to everybody."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        media_type = (request._request.content_type or "").strip().lower()
        for parser in parsers:
            if parser.media_type == media_type:
                return parser
        view: Any = request.parser_context["view"]
        taken = (*(parser.media_type for parser in parsers), *view.operation.other_types)
        raise problem_of_status(
            415, f"Send the body with Content-Type: {' or '.join(dict.fromkeys(taken))}."
        )

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        by_type = {str(renderer.media_type): renderer for renderer in renderers}
        preferred = first = next(iter(by_type))
        if len(by_type) > 1:
            preferred = request._request.get_preferred_type(list(by_type)) or first
        return by_type[preferred], preferred
