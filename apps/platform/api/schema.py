"""OpenAPI of the operations: one document for each service, with every problem and example."""

import inspect
import json
from collections.abc import Mapping, Set
from functools import lru_cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import append_meta
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiCallback,
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from rest_framework.settings import api_settings

from apps.platform.api import idempotency
from apps.platform.api.operations import Operation
from apps.platform.api.parsers import StrictJSONParser
from apps.platform.api.shapes import Problem
from apps.platform.common.problems import PROBLEM_TYPE, DomainError
from apps.platform.common.strict_json import MalformedJson
from config.services import SERVICES

# the authentication headers, in the order in which documents name them
SECURITY_SCHEMES = spectacular_settings.APPEND_COMPONENTS["securitySchemes"]
RATE_LIMIT_HEADERS = {
    "X-RateLimit-Limit": "Calls allowed per minute.",
    "X-RateLimit-Remaining": "Calls remaining in this minute.",
    "X-RateLimit-Reset": "When the minute ends, in Unix seconds.",
}
UNTHROTTLED_STATUSES = {401, 413, 414}
RETRY_HEADERS = {"Retry-After": "Seconds after which the call may work, if waiting helps."}
CHALLENGE_HEADERS = {"WWW-Authenticate": "The required key, and its header."}
REPLAY_HEADERS = {"Idempotent-Replayed": "`true` if this is the stored answer of an earlier call."}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 printable ASCII characters. The same call again under the same key gets "
    "the stored answer for 24 hours, and takes effect once.",
)


def problems_by_status(operation: Operation) -> dict[int, str]:
    """Return the codes of the problems that a call can get, each described, by status."""
    texts = {
        (400, "invalid_request"): "The request is not valid; `errors` names the fields",
        (503, "unavailable"): "The database does not answer now; see Retry-After",
    }
    problems = [*_authentication_problems(operation), *operation.problems]
    if operation.access.rate:
        texts[429, "rate_limited"] = "More calls than allowed in a minute; see Retry-After"
    if operation.has_body:
        texts[413, "too_large"] = "The body is too large"
        texts[415, "unsupported_media_type"] = (
            "The Content-Type or Content-Encoding is not supported here"
        )
        problems.append(MalformedJson)
    elif operation.request is not None:
        texts[414, "uri_too_long"] = "The address with its query is too long"
    if operation.takes_idempotency_key:
        problems += idempotency.PROBLEMS
    for problem in problems:
        text = (problem.__doc__ or problem.title).split("\n", 1)[0].rstrip(".")
        texts[problem.status, problem.code] = text
    by_status: dict[int, list[str]] = {}
    for (status, code), text in sorted(texts.items(), key=lambda item: item[0][0]):
        by_status.setdefault(status, []).append(f"{code}: {text}")
    return {status: "; ".join(codes) for status, codes in by_status.items()}


def _authentication_problems(operation: Operation) -> list[type[DomainError]]:
    ways: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    return [problem for way in ways for problem in way().problems(operation.access)]


# --- operations -----------------------------------------------------------------------


class OperationSchema(AutoSchema):
    """Describe an operation by its declaration, and a field by its `openapi` if it has one."""

    @property
    def operation(self) -> Operation:
        declared: Operation = self.view.operations[self.method]
        return declared

    def get_operation_id(self) -> str:
        return self.operation.operation_id

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:
        return f"{self.operation.description}\n\nSpecification: {self.operation.spec}."

    def get_tags(self) -> list[str]:
        return [self.operation.service]

    def get_auth(self) -> list[dict[str, list[str]]]:
        access = self.operation.access
        required = [
            names for way in self.view.get_authenticators() for names in way.requirements(access)
        ]
        order = list(SECURITY_SCHEMES)
        required.sort(key=lambda names: (len(names), [order.index(name) for name in names]))
        # OpenAPI: an empty requirement makes the others optional
        return [{name: [] for name in names} for names in [*required, *[()] * access.open]]

    def get_override_parameters(self) -> list[Any]:
        operation = self.operation
        parameters: list[Any] = [
            OpenApiParameter(
                name, parameter.field.openapi("request"), "path", description=parameter.description
            )
            for name, parameter in operation.path_parameters.items()
        ]
        if operation.request is not None and not operation.has_body:
            parameters.append(operation.request)
        parameters += [*operation.header_parameters, *self._response_headers()]
        return [*parameters, IDEMPOTENCY_KEY] if operation.takes_idempotency_key else parameters

    def _response_headers(self) -> list[OpenApiParameter]:
        """Return the headers of answers.

        Rate headers go on every answer to an authenticated caller.
        """
        operation, access = self.operation, self.operation.access
        problems = problems_by_status(operation).keys()
        good = set(operation.statuses) - problems
        named: list[tuple[Set[int], Mapping[str, str]]] = []
        # not before the caller is known, and not on answers of the web worker itself
        if access.rate:
            named.append(((good | problems) - UNTHROTTLED_STATUSES, RATE_LIMIT_HEADERS))
        named.append((good, operation.response_headers))
        if operation.takes_idempotency_key:
            named.append((good, REPLAY_HEADERS))
        named += [({409, 429, 503}, RETRY_HEADERS), ({401}, CHALLENGE_HEADERS)]
        for way in self.view.get_authenticators():
            named += way.response_headers(access, good)
        return [
            OpenApiParameter(name, str, "header", description=about, response=list(statuses))
            for statuses, headers in named
            if statuses
            for name, about in headers.items()
        ]

    def get_request_serializer(self) -> Any:
        return self.operation.request if self.operation.has_body else None

    def _get_request_body(self, *args: Any, **options: Any) -> Any:
        body = super()._get_request_body(*args, **options)
        for kind in self._list_other_types():
            body["content"][kind] = {"schema": {"type": "string", "format": "binary"}}
        return body

    def _list_other_types(self) -> list[str]:
        return [kind for kind in self.map_parsers() if kind != StrictJSONParser.media_type]

    def get_response_serializers(self) -> Any:
        operation, problems = self.operation, problems_by_status(self.operation)
        # a 402 that requests a payment also includes the requirements
        refusals = _authentication_problems(operation)
        shapes = {refusal.status: refusal.shape for refusal in refusals if refusal.shape}
        responses: dict[Any, Any] = {}
        for status in operation.statuses:
            answer = OpenApiResponse(operation.response, problems.get(status, ""))
            responses[status, "application/json"] = answer
            responses |= {(status, kind): OpenApiTypes.BINARY for kind in operation.file_types}
        for status, about in problems.items():
            responses[status, PROBLEM_TYPE] = OpenApiResponse(shapes.get(status, Problem), about)
        # who sends another format gets the answer, and what is wrong with it, in that format
        for status in (*operation.statuses, 400, 409):
            responses |= {(status, kind): OpenApiTypes.BINARY for kind in self._list_other_types()}
        return responses

    def get_callbacks(self) -> list[OpenApiCallback]:
        return list(self.operation.callbacks)

    def get_examples(self) -> list[OpenApiExample]:
        if not (self.operation.example and self.operation.has_body):
            return []
        return [OpenApiExample("works on the sample", self.operation.example, request_only=True)]

    def _is_list_view(self, serializer: Any = None) -> bool:
        return self.operation.many

    def _get_paginator(self) -> None:
        """Report no paginator for bare arrays: paged lists have a shape of their own."""

    def _get_serializer_field_meta(self, field: Any, direction: str) -> dict[str, Any]:
        meta: dict[str, Any] = super()._get_serializer_field_meta(field, direction)
        in_body = direction == "request" and self.operation.has_body
        if meta.get("default") in ("", None):
            # marks an absent field, and is not a value that a client could send
            meta.pop("default", None)
        elif in_body:
            # null means the default here, and generators treat a field with a default as required
            about = f"{meta.get('description', '')} Default: {json.dumps(meta.pop('default'))}."
            meta["description"] = about.strip()
        if in_body and not field.required:
            meta["nullable"] = True
        return meta

    def _map_serializer_field(self, field: Any, direction: str, *args: Any) -> Any:
        if not hasattr(field, "openapi"):
            return super()._map_serializer_field(field, direction, *args)
        return append_meta(
            field.openapi(direction), self._get_serializer_field_meta(field, direction)
        )

    def _insert_field_validators(self, field: Any, schema: Any) -> None:
        if not hasattr(field, "openapi"):  # these describe themselves completely
            super()._insert_field_validators(field, schema)

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        for described in schema.get("properties", {}).values():
            if described.get("nullable") and None not in described.get("enum", [None]):
                # OpenAPI 3.0 needs null in the enum as well as in `nullable`
                described["enum"] = [*described["enum"], None]
        # requests with unknown names are refused; answers may grow
        strange: Any = {} if getattr(serializer, "FREE", False) else False
        return schema | ({"additionalProperties": strange} if direction == "request" else {})


# --- documents ------------------------------------------------------------------------


def generate_openapi(service: str, prefix: str) -> dict[str, Any]:
    """Make a service's OpenAPI document with its server address at `prefix`."""
    described = SERVICES[service]
    generator = SchemaGenerator(urlconf=described.urlconf)
    generated: dict[str, Any] = generator.get_schema(request=None, public=True)
    generated["info"] = {
        "title": described.title,
        "description": inspect.cleandoc(described.about),
        "version": described.version,
    }
    generated["servers"] = [{"url": prefix or "/"}]
    # a document names only the schemes that some operation of the service needs
    used = {
        scheme
        for item in generated["paths"].values()
        for operation in item.values()
        for names in operation["security"]
        for scheme in names
    }
    generated["components"]["securitySchemes"] = {
        name: scheme for name, scheme in SECURITY_SCHEMES.items() if name in used
    }
    return generated


# the eight services, each with a prefix and at the root of its own host
@lru_cache(maxsize=16)
def openapi_json(service: str, prefix: str) -> str:
    """Return the document as JSON; it is built once per process."""
    return json.dumps(generate_openapi(service, prefix))


def openapi_document(service: str, prefix: str) -> dict[str, Any]:
    """Return the document as values that the caller may change."""
    document: dict[str, Any] = json.loads(openapi_json(service, prefix))
    return document
