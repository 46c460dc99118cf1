"""Parsers of request bodies: bounded, strict, and picked by Content-Type."""

from typing import Any

from django.http import HttpRequest
from rest_framework.parsers import BaseParser

from apps.platform.common.problems import problem_of_status
from apps.platform.common.strict_json import parse_json


class BodyParser(BaseParser):
    """Base of all parsers: reads the bytes of a body within its operation's limit."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        limit = parser_context["view"].operation.body_limit
        # one byte more than allowed shows that the body is too large, without reading the rest
        raw = _require_bound(stream.read(limit + 1), limit)
        return self.parse_bytes(raw, parser_context["request"]._request)

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        """Return the parsed bytes."""
        raise NotImplementedError


class StrictJSONParser(BodyParser):
    """Parse JSON that is neither ambiguous nor hostile; see apps/platform/common/strict_json.py."""

    media_type = "application/json"

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        return parse_json(raw)


def read_signed_body(*, operation: Any, request: HttpRequest) -> bytes:
    """Return the raw body whose signature is checked; a parser can read it again."""
    return _require_bound(request.body, operation.body_limit)


def _require_bound(raw: bytes, limit: int) -> bytes:
    if len(raw) > limit:
        raise problem_of_status(413, f"The body is larger than {limit} bytes.")
    return raw
