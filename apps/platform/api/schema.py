"""OpenAPI of the operations: a document for each service, with every problem and example."""

import inspect
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
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
from apps.platform.api.shapes import Described, Problem
from apps.platform.common.problems import PROBLEM_TYPE, DomainError
from apps.platform.common.strict_json import MalformedJson
from config.services import SERVICES


def _api_key_scheme(header: str, **about: str) -> dict[str, str]:
    return {"type": "apiKey", "in": "header", "name": header, **about}


SECURITY = {
    "X-API-Key": _api_key_scheme("X-API-Key"),
    "X-Internal-Key": _api_key_scheme("X-Internal-Key"),
    "Authorization": {"type": "http", "scheme": "bearer"},
    "X-PAYMENT": _api_key_scheme("X-PAYMENT"),
    "PAYMENT-SIGNATURE": _api_key_scheme("PAYMENT-SIGNATURE"),
    "X-Stream-Session": _api_key_scheme("X-Stream-Session"),
    "X-SVC-Signature": _api_key_scheme(
        "X-SVC-Signature", description="HMAC-SHA256 of the raw body, in hexadecimal."
    ),
    "Bank-Signature": _api_key_scheme(
        "Bank-Signature",
        description="`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of t, a period and the raw body.",
    ),
}
RATE_LIMIT_HEADERS = {
    "X-RateLimit-Limit": "Calls allowed per minute.",
    "X-RateLimit-Remaining": "Calls remaining in this minute.",
    "X-RateLimit-Reset": "When the minute ends, in Unix seconds.",
}
UNTHROTTLED_STATUSES = {401, 413, 414}
RETRY_HEADERS = {"Retry-After": "Seconds after which the call may work, if waiting helps."}
CHALLENGE_HEADERS = {"WWW-Authenticate": "The required key, and its header."}
PAYMENT_REQUIRED_HEADERS = {
    "PAYMENT-REQUIRED": "The payment requirements in the format of x402 version 2: base64 of JSON."
}
PAYMENT_RECEIPT_HEADERS = {
    "X-PAYMENT-RESPONSE": "The receipt of a payment by X-PAYMENT: base64 of JSON.",
    "PAYMENT-RESPONSE": "The receipt of a payment by PAYMENT-SIGNATURE: base64 of JSON.",
}
REPLAY_HEADERS = {"Idempotent-Replayed": "`true` if this is the stored answer of an earlier call."}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 printable ASCII characters. The same call again under the same key gets "
    "the stored answer for 24 hours, and takes effect once.",
)


def problems_by_status(operation: Operation) -> dict[int, str]:
    """Return, by status, the codes that a call can be answered with, each in words."""
    has_query = operation.request is not None and not operation.has_body
    too_often = "More calls than allowed in a minute; see Retry-After"
    not_taken = "The Content-Type or Content-Encoding is not taken here"
    texts = (
        (True, 400, "invalid_request", "The request is not valid; `errors` names the fields"),
        (True, 503, "unavailable", "The database does not answer now; see Retry-After"),
        (operation.access.limited, 429, "rate_limited", too_often),
        (operation.has_body, 413, "too_large", "The body is too large"),
        (operation.has_body, 415, "unsupported_media_type", not_taken),
        (has_query, 414, "uri_too_long", "The address with its query is too long"),
    )
    found: dict[int, dict[str, str]] = {}
    for applies, status, code, text in texts:
        if applies:
            found.setdefault(status, {})[code] = text
    problems = [*_authentication_problems(operation), *operation.problems]
    problems += [MalformedJson] if operation.has_body else []
    problems += idempotency.PROBLEMS if operation.takes_idempotency_key else []
    for problem in problems:
        text = (problem.__doc__ or problem.title).split("\n", 1)[0].rstrip(".")
        found.setdefault(problem.status, {})[problem.code] = text
    return {
        status: "; ".join(f"{code}: {text}" for code, text in found[status].items())
        for status in sorted(found)
    }


def _authentication_problems(operation: Operation) -> list[type[DomainError]]:
    ways: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    return [problem for way in ways for problem in way().problems(operation.access)]


# --- operations -----------------------------------------------------------------------


class DescribedField(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Lets our fields say what they are."""

    target_class = Described
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = self.target.openapi(direction)
        return schema


class OperationSchema(AutoSchema):
    """Describes an operation by its declaration, and by nothing else."""

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
        found = [one for way in self.view.get_authenticators() for one in way.requirements(access)]
        order = list(SECURITY)
        found.sort(key=lambda names: (len(names), [order.index(name) for name in names]))
        return [{name: [] for name in names} for names in (*found, *([()] if access.open else []))]

    def get_override_parameters(self) -> list[Any]:
        operation = self.operation
        found: list[Any] = [
            OpenApiParameter(
                name, one.field.openapi("request"), "path", description=one.description
            )
            for name, one in operation.path_parameters.items()
        ]
        found += [
            OpenApiParameter(
                header_parameter.name,
                {"type": "string"},
                "header",
                description=header_parameter.description,
            )
            for header_parameter in operation.header_parameters.values()
            if header_parameter.name != IDEMPOTENCY_KEY.name
        ]
        if operation.request is not None and not operation.has_body:
            found.append(operation.request)
        found += [*operation.header_schemas, *self._response_headers()]
        return [*found, IDEMPOTENCY_KEY] if operation.takes_idempotency_key else found

    def _response_headers(self) -> list[OpenApiParameter]:
        """Return the headers of answers; rates are told whatever becomes of a call let in."""
        operation, access = self.operation, self.operation.access
        problems = problems_by_status(operation).keys()
        good = set(operation.statuses) - problems
        named: tuple[tuple[Any, set[int], Mapping[str, str]], ...] = (
            # before it is known who calls, or where the web worker answers, no rate is known
            (access.limited, (good | problems) - UNTHROTTLED_STATUSES, RATE_LIMIT_HEADERS),
            (True, good, operation.response_headers),
            (operation.takes_idempotency_key, good, REPLAY_HEADERS),
            (True, {409, 429, 503}, RETRY_HEADERS),
            (True, {401}, CHALLENGE_HEADERS),
            (access.pays, {402}, PAYMENT_REQUIRED_HEADERS),
            (access.pays, good | {402}, PAYMENT_RECEIPT_HEADERS),
        )
        return [
            OpenApiParameter(name, str, "header", description=about, response=list(statuses))
            for has, statuses, headers in named
            if has and statuses
            for name, about in headers.items()
        ]

    def get_request_serializer(self) -> Any:
        return self.operation.request if self.operation.has_body else None

    def _get_request_body(self, *args: Any, **options: Any) -> Any:
        body = super()._get_request_body(*args, **options)
        for kind in self.operation.other_types:  # not by name: they would make it optional
            body["content"][kind] = {"schema": {"type": "string", "format": "binary"}}
        return body

    def get_response_serializers(self) -> Any:
        operation, problems = self.operation, problems_by_status(self.operation)
        files = (*operation.file_types, *(document.media_type for document in operation.documents))
        # a 402 that asks for a payment says also what is asked
        shapes = {one.status: one.shape for one in _authentication_problems(operation) if one.shape}
        found: dict[Any, Any] = {}
        for status in operation.statuses:
            answer = OpenApiResponse(operation.response, problems.get(status, ""))
            found[status, "application/json"] = answer
            found |= {(status, kind): OpenApiTypes.BINARY for kind in files}
        for status, about in problems.items():
            found[status, PROBLEM_TYPE] = OpenApiResponse(shapes.get(status, Problem), about)
        for status in (*operation.statuses, 400, 409):
            found |= {(status, kind): OpenApiTypes.BINARY for kind in operation.other_types}
        return found

    def get_callbacks(self) -> list[OpenApiCallback]:
        if (callback := self.operation.callback) is None:
            return []
        body = self.resolve_serializer(callback.body, "response").ref
        sent = {
            "summary": callback.summary,
            "parameters": [
                {
                    "name": name,
                    "in": "header",
                    "required": True,
                    "description": about,
                    "schema": {"type": "string"},
                }
                for name, about in callback.headers.items()
            ],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {"2XX": {"description": "Delivered; the body is not needed."}},
        }
        address = f"{{$request.body#/{callback.field}}}"
        return [OpenApiCallback(callback.field, address, {"post": sent})]

    def get_examples(self) -> list[OpenApiExample]:
        if not (self.operation.example and self.operation.has_body):
            return []
        return [OpenApiExample("works on the sample", self.operation.example, request_only=True)]

    def map_parsers(self) -> list[str]:
        return [str(parser.media_type) for parser in self.operation.parsers]

    def _is_list_view(self, serializer: Any = None) -> bool:
        return self.operation.many

    def _get_paginator(self) -> None:
        """Say that no bare array comes in pages: what does is a shape of its own."""

    def _get_serializer_field_meta(self, field: Any, direction: str) -> dict[str, Any]:
        meta: dict[str, Any] = super()._get_serializer_field_meta(field, direction)
        in_body = direction == "request" and self.operation.has_body
        if meta.get("default") in ("", None):
            meta.pop("default", None)  # an absent field, no value that could be sent
        elif in_body:
            # null means the default here, and generators make what has one required
            said = f"{meta.get('description', '')} Default: {json.dumps(meta.pop('default'))}."
            meta["description"] = said.strip()
        if in_body and not field.required:
            meta["nullable"] = True
        return meta

    def _insert_field_validators(self, field: Any, schema: Any) -> None:
        if not isinstance(field, Described):  # those say all of themselves
            super()._insert_field_validators(field, schema)

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        for one in schema.get("properties", {}).values():
            if one.get("nullable") and None not in one.get("enum", [None]):
                one["enum"] = [*one["enum"], None]  # OpenAPI 3.0 wants it said twice
        # what is not known is refused on the way in; answers may grow
        strange: Any = {} if getattr(serializer, "FREE", False) else False
        return schema | ({"additionalProperties": strange} if direction == "request" else {})


# --- documents ------------------------------------------------------------------------


def _object_schema(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


_TEXT, _WHOLE = {"type": "string"}, {"type": "integer", "format": "int64"}
_FREE: dict[str, Any] = {"type": "object", "additionalProperties": {}}
_KEY = _object_schema(kty=_TEXT, crv=_TEXT, kid=_TEXT, x=_TEXT, use=_TEXT, alg=_TEXT)
# what plain views serve at fixed addresses: operation, summary, name of the shape, shape, section
DOCUMENTS: dict[str, tuple[str, str, str, dict[str, Any], str]] = {
    ".well-known/jwks.json": (
        "publicKeys",
        "Returns the public keys with which anyone can verify our attestations (RFC 7517).",
        "PublicKeysOut",
        _object_schema(keys={"type": "array", "items": _KEY}),
        "D §4",
    ),
    ".well-known/x402": (
        "paymentDiscovery",
        "Lists what can be paid for per call, by method and path, and how; see also `items`.",
        "PaymentDiscoveryOut",
        _object_schema(
            version=_WHOLE,
            endpoints={"type": "object", "additionalProperties": _FREE},
            x402Version=_WHOLE,
            items={"type": "array", "items": _FREE},
            pagination=_object_schema(limit=_WHOLE, offset=_WHOLE, total=_WHOLE),
        ),
        "1 §2.11",
    ),
}


def generate_openapi(service: str, prefix: str) -> dict[str, Any]:
    """Make a service's OpenAPI document with its server address at `prefix`."""
    found = SERVICES[service]
    generator = SchemaGenerator(urlconf=found.urlconf)
    generated: dict[str, Any] = generator.get_schema(request=None, public=True)
    generated["info"] = {
        "title": found.title,
        "description": inspect.cleandoc(found.about),
        "version": found.version,
    }
    generated["servers"] = [{"url": prefix or "/"}]
    components, paths = generated["components"], generated["paths"]
    # read from the service's addresses, so that nothing is named which is not there
    routes = [str(pattern.pattern) for pattern in import_module(found.urlconf).urlpatterns]
    for route in routes:
        if route in DOCUMENTS:
            operation_id, summary, name, shape, spec = DOCUMENTS[route]
            components.setdefault("schemas", {})[name] = shape
            content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
            described = {
                "operationId": operation_id,
                "summary": summary,
                "tags": [service],
                "security": [{}],
                "responses": {"200": {"description": summary, "content": content}},
                "description": f"Specification: {spec}.",
            }
            paths[f"/{route}"] = {"get": described}
    operations = [operation for item in paths.values() for operation in item.values()]
    used = {
        scheme for operation in operations for names in operation["security"] for scheme in names
    }
    components["securitySchemes"] = {name: SECURITY[name] for name in SECURITY if name in used}
    return generated


@lru_cache(maxsize=16)
def openapi_json(service: str, prefix: str) -> str:
    """Return the document as JSON; it is made once in a process."""
    return json.dumps(generate_openapi(service, prefix))


def openapi_document(service: str, prefix: str) -> dict[str, Any]:
    """Return the document as values that are the caller's own."""
    found: dict[str, Any] = json.loads(openapi_json(service, prefix))
    return found
