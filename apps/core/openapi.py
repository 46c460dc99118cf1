"""OpenAPI: problems documented on every operation, one document for each service."""

import inspect
from functools import lru_cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from apps.core.shapes import Shape, Text, Whole
from config.services import SERVICES

VERSION = "1.0.0"


class ProblemRow(Shape):
    """One field's error."""

    field = Text()
    message = Text()


class Problem(Shape):
    """An error as RFC 9457 has it; clients switch on `code`."""

    type = Text(help_text="urn:svc:problem:<code>")
    title = Text()
    status = Whole()
    detail = Text()
    code = Text(help_text="Stable, snake_case.")
    message = Text(help_text="The same as detail.")
    errors = ProblemRow(many=True, required=False)  # type: ignore[assignment]


EVERYWHERE = {
    400: "invalid_request, malformed_json: the request is not valid; `errors` names the fields",
    405: "method_not_allowed",
    429: "rate_limited: see Retry-After",
}
WITH_KEY = {
    401: "missing_key, unknown_key: no key, or one that is unknown, expired or revoked",
    403: "forbidden: the key is of another kind",
}
WITH_BODY = {
    409: "idempotency_key_reused, idempotency_in_progress",
    411: "length_required: the body came in chunks, without a Content-Length",
    413: "too_large",
    415: "unsupported_media_type",
}


class ProblemSchema(AutoSchema):
    """Adds the problems that any operation can answer; a view's own stand in its `problems`."""

    def get_operation(self, *args: Any, **options: Any) -> Any:
        operation = super().get_operation(*args, **options)
        if operation is not None:
            problem = self.resolve_serializer(Problem, "response").ref
            for status, about in self._problems().items():
                operation["responses"].setdefault(
                    str(status),
                    {
                        "description": about,
                        "content": {"application/problem+json": {"schema": problem}},
                    },
                )
        return operation

    def get_summary(self) -> str | None:
        """Return the first sentence of the view's docstring, which stands beside the path."""
        about = inspect.getdoc(type(self.view)) or ""
        return about.split("\n", 1)[0].split(": ", 1)[0].rstrip(".:") or None

    def _problems(self) -> dict[int, str]:
        found = dict(EVERYWHERE)
        if getattr(self.view, "key_kinds", ()):
            found |= WITH_KEY
        if self.method == "POST":
            found |= WITH_BODY
        return found | getattr(self.view, "problems", {})


@lru_cache(maxsize=16)
def document(service: str, prefix: str) -> dict[str, Any]:
    """Return a service's OpenAPI document with its server address at `prefix`."""
    found = SERVICES[service]
    generator = SchemaGenerator(urlconf=found.urlconf)
    generated: dict[str, Any] = generator.get_schema(request=None, public=True)
    generated["info"] = {
        "title": found.title,
        "description": found.about,
        "version": VERSION,
    }
    generated["servers"] = [{"url": prefix or "/"}]
    return generated
