"""OpenAPI of the operations: a document for each service, with every problem and example."""

import inspect
import json
from functools import lru_cache
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from apps.platform.core.api import schema_documents
from apps.platform.core.api.operations import Operation
from apps.platform.core.api.schema_problems import problem_serializer, problems_by_status
from apps.platform.core.api.shapes import Described
from config.services import SERVICES


def _api_key_scheme(header: str, about: str = "") -> dict[str, str]:
    scheme = {"type": "apiKey", "in": "header", "name": header}
    return scheme | ({"description": about} if about else {})


SECURITY = {
    "X-API-Key": _api_key_scheme("X-API-Key"),
    "X-Internal-Key": _api_key_scheme("X-Internal-Key"),
    "Authorization": {"type": "http", "scheme": "bearer"},
    "X-PAYMENT": _api_key_scheme("X-PAYMENT"),
    "PAYMENT-SIGNATURE": _api_key_scheme("PAYMENT-SIGNATURE"),
    "X-Stream-Session": _api_key_scheme("X-Stream-Session"),
    "X-SVC-Signature": _api_key_scheme(
        "X-SVC-Signature", "HMAC-SHA256 of the raw body, in hexadecimal."
    ),
    "Bank-Signature": _api_key_scheme(
        "Bank-Signature",
        "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of t, a period and the raw body.",
    ),
}
RATE_LIMIT_HEADERS = {
    "X-RateLimit-Limit": "Calls that may be made in a minute.",
    "X-RateLimit-Remaining": "How many of them are left.",
    "X-RateLimit-Reset": "When the minute ends, in Unix seconds.",
}
UNTHROTTLED_STATUSES = (401, 413, 414)
RETRY_HEADERS = {"Retry-After": "Seconds after which the call may work, where waiting helps."}
CHALLENGE_HEADERS = {"WWW-Authenticate": "Which key is wanted, and in which header."}
PAYMENT_REQUIRED_HEADERS = {
    "PAYMENT-REQUIRED": "What is asked for, as x402 version 2 says it: base64 of JSON."
}
PAYMENT_RECEIPT_HEADERS = {
    "X-PAYMENT-RESPONSE": "The receipt of a payment by X-PAYMENT: base64 of JSON.",
    "PAYMENT-RESPONSE": "The receipt of a payment by PAYMENT-SIGNATURE: base64 of JSON.",
}
REPLAY_HEADERS = {
    "Idempotent-Replayed": "`true` when this is the stored answer of an earlier call."
}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 printable ASCII characters. The same call again under the same key "
    "gets the stored answer for 24 hours, and happens once.",
)


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

    def get_operation(self, *args: Any, **options: Any) -> Any:
        described = super().get_operation(*args, **options)
        declared, responses = self.operation, described["responses"]
        for status, about in problems_by_status(declared).items():
            problem = self.resolve_serializer(problem_serializer(declared, status), "response").ref
            response = responses.setdefault(str(status), {"content": {}})
            response["description"] = about
            response["content"]["application/problem+json"] = {"schema": problem}
        for status, response in responses.items():
            response["headers"] = _response_headers(declared, int(status), response)
        file: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
        for kind in declared.other_types:
            described["requestBody"]["content"][kind] = file
            for status in (*declared.statuses, 400, 409):
                if str(status) in responses:
                    responses[str(status)]["content"][kind] = file
        if (callback := declared.callback) is not None:  # the request that follows
            body = self.resolve_serializer(callback.body, "response").ref
            sent = {
                "summary": callback.summary,
                "parameters": [
                    {"name": name, "in": "header", "required": True, **_header_schema(about)}
                    for name, about in callback.headers.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": body}},
                },
                "responses": {"2XX": {"description": "Delivered; the body is not needed."}},
            }
            address = f"{{$request.body#/{callback.field}}}"
            described["callbacks"] = {callback.field: {address: {"post": sent}}}
        return described

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
        found += [()] if access.open else []
        return [{name: [] for name in names} for names in found]

    def get_override_parameters(self) -> list[Any]:
        operation = self.operation
        found: list[Any] = [
            OpenApiParameter(
                name, one.field.openapi("request"), "path", description=one.description
            )
            for name, one in operation.path_parameters.items()
        ]
        found += [
            OpenApiParameter(one.name, {"type": "string"}, "header", description=one.description)
            for one in operation.header_parameters.values()
            if one.name != IDEMPOTENCY_KEY.name
        ]
        if operation.request is not None and not operation.has_body:
            found.append(operation.request)
        found += operation.header_schemas
        return [*found, IDEMPOTENCY_KEY] if operation.takes_idempotency_key else found

    def get_request_serializer(self) -> Any:
        return self.operation.request if self.operation.has_body else None

    def get_response_serializers(self) -> Any:
        operation = self.operation
        files = (*operation.file_types, *(one.media_type for one in operation.documents))
        found: dict[Any, Any] = {
            (status, "application/json"): operation.response for status in operation.statuses
        }
        return found | {
            (status, kind): OpenApiTypes.BINARY for status in operation.statuses for kind in files
        }

    def get_examples(self) -> list[OpenApiExample]:
        if not (self.operation.example and self.operation.has_body):
            return []
        return [OpenApiExample("works on the sample", self.operation.example, request_only=True)]

    def map_parsers(self) -> list[str]:
        return [str(one.media_type) for one in self.operation.parsers]

    def _is_list_view(self, serializer: Any = None) -> bool:
        return self.operation.many

    def _get_paginator(self) -> None:
        """Say that no bare array comes in pages: what does is a shape of its own."""

    def get_filter_backends(self) -> list[Any]:
        return []

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


def _response_headers(
    operation: Operation, status: int, response: dict[str, Any]
) -> dict[str, Any]:
    """Return the headers of an answer; rates are told whatever becomes of a call that is let in."""
    access, good = operation.access, "application/problem+json" not in response.get("content", {})
    named: dict[str, str] = {}
    for has, headers in (
        # before it is known who calls, or where the web worker answers, no rate is known
        (access.limited and status not in UNTHROTTLED_STATUSES, RATE_LIMIT_HEADERS),
        (good, operation.response_headers),
        (good and operation.takes_idempotency_key, REPLAY_HEADERS),
        (status in (409, 429, 503), RETRY_HEADERS),
        (status == 401, CHALLENGE_HEADERS),
        (status == 402 and access.pays, PAYMENT_REQUIRED_HEADERS),
        (access.pays and (good or status == 402), PAYMENT_RECEIPT_HEADERS),
    ):
        named |= headers if has else {}
    return {name: _header_schema(about) for name, about in named.items()}


def _header_schema(about: str) -> dict[str, Any]:
    return {"description": about, "schema": {"type": "string"}}


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
    schema_documents.add_fixed_documents(generated, service=service, urlconf=found.urlconf)
    used = {
        scheme
        for operations in generated["paths"].values()
        for operation in operations.values()
        for requirement in operation["security"]
        for scheme in requirement
    }
    generated["components"]["securitySchemes"] = {
        name: scheme for name, scheme in SECURITY.items() if name in used
    }
    return generated


@lru_cache(maxsize=16)
def openapi_json(service: str, prefix: str) -> str:
    """Return the document as JSON; it is made once in a process."""
    return json.dumps(generate_openapi(service, prefix))


def openapi_document(service: str, prefix: str) -> dict[str, Any]:
    """Return the document as values that are the caller's own."""
    found: dict[str, Any] = json.loads(openapi_json(service, prefix))
    return found
