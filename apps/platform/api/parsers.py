"""Parsers of request bodies: bounded, strict, and picked by Content-Type."""

from typing import Any

from django.http import HttpRequest
from rest_framework.parsers import BaseParser

from apps.platform.common.problems import problem_of_status
from apps.platform.common.strict_json import parse_json


class BodyParser(BaseParser):
    """Base of all parsers: reads the bytes of a body within its operation's bound."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        limit = parser_context["view"].operation.body_limit
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise problem_of_status(413, f"The body is larger than {limit} bytes.")
        return self.parse_bytes(raw, parser_context["request"]._request)

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        """Return what the bytes say."""
        raise NotImplementedError


class StrictJSONParser(BodyParser):
    """JSON without anything ambiguous or hostile; see apps/platform/common/strict_json.py."""

    media_type = "application/json"

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        return parse_json(raw)


def require_content_length(request: HttpRequest) -> None:
    """Refuse a body in chunks (411): it would be read as no body at all.

    The server that stands before us puts them together.
    """
    if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
        raise problem_of_status(411, "Send the body with a Content-Length, not in chunks.")


def read_signed_body(*, operation: Any, request: HttpRequest) -> bytes:
    """Return the raw body whose signature is checked; a parser can read it again.

    Refuses one without a length (411), or that is too large (413).
    """
    require_content_length(request)
    length = request.headers.get("Content-Length") or "0"
    if not (length.isascii() and length.isdigit()):
        raise problem_of_status(411, "The Content-Length is not a number of bytes.")
    if int(length) > operation.body_limit:
        raise problem_of_status(413, f"The body is larger than {operation.body_limit} bytes.")
    return request.body
