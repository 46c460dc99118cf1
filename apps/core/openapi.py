"""OpenAPI from the rows: one document for each service, with every problem, header and example."""

import inspect
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from apps.core import openapi_documents, openapi_fields
from apps.core.endpoints import Endpoint
from apps.core.openapi_problems import problems_of, shape_of
from apps.core.shapes import Number, Text, Whole
from config.prices import Unit
from config.services import SERVICES

SECURITY: dict[str, dict[str, str]] = {
    "X-API-Key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "X-Internal-Key": {"type": "apiKey", "in": "header", "name": "X-Internal-Key"},
    "Authorization": {"type": "http", "scheme": "bearer"},
    "X-PAYMENT": {"type": "apiKey", "in": "header", "name": "X-PAYMENT"},
    "PAYMENT-SIGNATURE": {"type": "apiKey", "in": "header", "name": "PAYMENT-SIGNATURE"},
    "X-Stream-Session": {"type": "apiKey", "in": "header", "name": "X-Stream-Session"},
    "X-SVC-Signature": {
        "type": "apiKey",
        "in": "header",
        "name": "X-SVC-Signature",
        "description": "HMAC-SHA256 of the raw body, in hexadecimal.",
    },
    "Bank-Signature": {
        "type": "apiKey",
        "in": "header",
        "name": "Bank-Signature",
        "description": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of t, a period and the raw body.",
    },
}
RATES = {
    "X-RateLimit-Limit": "Calls that may be made in a minute.",
    "X-RateLimit-Remaining": "How many of them are left.",
    "X-RateLimit-Reset": "When the minute ends, in Unix seconds.",
}
UNCOUNTED = (401, 411, 413, 414)
LATER = {"Retry-After": "Seconds after which the call may work, where waiting helps."}
WANTED = {"WWW-Authenticate": "Which key is wanted, and in which header."}
ASKED = {"PAYMENT-REQUIRED": "What is asked for, as x402 version 2 says it: base64 of JSON."}
PAID = {
    "X-PAYMENT-RESPONSE": "The receipt of a payment by X-PAYMENT: base64 of JSON.",
    "PAYMENT-RESPONSE": "The receipt of a payment by PAYMENT-SIGNATURE: base64 of JSON.",
}
REPLAYED = {"Idempotent-Replayed": "`true` when this is the stored answer of an earlier call."}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 printable ASCII characters. The same call again under the same key "
    "gets the stored answer for 24 hours, and happens once.",
)


class RowSchema(AutoSchema):
    """Describes an operation by its row, and by nothing else."""

    @property
    def row(self) -> Endpoint:
        found: Endpoint = self.view.rows[self.method]
        return found

    def get_operation(self, *args: Any, **options: Any) -> Any:
        operation = super().get_operation(*args, **options)
        if operation is not None:
            for status, about in problems_of(self.row).items():
                problem = self.resolve_serializer(shape_of(self.row, status), "response").ref
                response = operation["responses"].setdefault(str(status), {"content": {}})
                response["description"] = about
                response["content"]["application/problem+json"] = {"schema": problem}
            for status, response in operation["responses"].items():
                response["headers"] = _headers(self.row, int(status), response)
            self._add_formats(operation)
            self._add_callback(operation)
        return operation

    def _add_formats(self, operation: dict[str, Any]) -> None:
        """Name the other formats that the call is taken and answered in."""
        text: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
        for kind in self.row.also:
            operation["requestBody"]["content"][kind] = text
            for status in (*self.row.statuses, 400, 409):
                if (response := operation["responses"].get(str(status))) is not None:
                    response["content"][kind] = text

    def _add_callback(self, operation: dict[str, Any]) -> None:
        """Describe the request that follows, as the receiver gets it."""
        told = self.row.calls_back
        if told is None:
            return
        shape = self.resolve_serializer(told.body, "response").ref
        headers = [
            {"name": name, "in": "header", "required": True, **_header(about)}
            for name, about in told.headers.items()
        ]
        sent = {
            "summary": told.about,
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": {"schema": shape}}},
            "responses": {"2XX": {"description": "Delivered; the body is not needed."}},
        }
        address = f"{{$request.body#/{told.field}}}"
        operation["callbacks"] = {told.field: {address: {"post": sent}}}

    def get_operation_id(self) -> str:
        return self.row.operation

    def get_summary(self) -> str:
        return self.row.summary

    def get_description(self) -> str:
        return f"{self.row.about}\n\nSpecification: {self.row.spec}."

    def get_tags(self) -> list[str]:
        return [self.row.service]

    def get_auth(self) -> list[dict[str, list[str]]]:
        access = self.row.access
        headers = openapi_fields.key_headers(access.known)
        headers += ["Authorization"] if access.agent and "Authorization" not in headers else []
        headers += ["X-PAYMENT", "PAYMENT-SIGNATURE"] if access.pays or access.payer else []
        streams = access.session or (access.pays and isinstance(access.price, Unit))
        headers += ["X-Stream-Session"] if streams else []
        headers += ["X-SVC-Signature"] if access.signed else []
        headers += ["Bank-Signature"] if access.bank else []
        found: list[dict[str, list[str]]] = [{header: []} for header in headers]
        found += [
            {payment: [], header: []}
            for payment in ("X-PAYMENT", "PAYMENT-SIGNATURE")
            for header in openapi_fields.key_headers(access.beside)
        ]
        return [*found, {}] if access.open else found

    def get_override_parameters(self) -> list[Any]:
        row = self.row
        found: list[Any] = [
            OpenApiParameter(name, openapi_fields.of(one.field), "path", description=one.about)
            for name, one in row.ids.items()
        ]
        found += [
            OpenApiParameter(
                one.name, {"type": "string"}, OpenApiParameter.HEADER, description=one.about
            )
            for one in row.heads.values()
            if one.name != IDEMPOTENCY_KEY.name
        ]
        if row.asks is not None and not row.has_body:
            found.append(row.asks)
        found += [
            OpenApiParameter(name, dict(one.schema), OpenApiParameter.HEADER, description=one.about)
            for name, one in row.sent.items()
        ]
        return [*found, IDEMPOTENCY_KEY] if row.claims else found

    def get_request_serializer(self) -> Any:
        return self.row.asks if self.row.has_body else None

    def get_response_serializers(self) -> Any:
        row = self.row
        found: dict[Any, Any] = {(s, "application/json"): row.answers for s in row.statuses}
        files = {
            (s, kind): OpenApiTypes.BINARY
            for s in row.statuses
            for kind in (*row.files, *row.forms)
        }
        return found | files

    def get_examples(self) -> list[OpenApiExample]:
        if not (self.row.example and self.row.has_body):
            return []
        return [OpenApiExample("works on the sample", self.row.example, request_only=True)]

    def map_parsers(self) -> list[str]:
        return list(self.row.readers)

    def _is_list_view(self, serializer: Any = None) -> bool:
        return self.row.many

    def _get_paginator(self) -> None:
        """Say that no bare array comes in pages: what does is a shape of its own."""

    def get_filter_backends(self) -> list[Any]:
        return []

    def _get_serializer_field_meta(self, field: Any, direction: str) -> dict[str, Any]:
        meta: dict[str, Any] = super()._get_serializer_field_meta(field, direction)
        default = meta.get("default")
        if default in ("", None):
            meta.pop("default", None)  # an absent field, no value that could be sent
        elif direction == "request" and self.row.has_body:
            # null means the default here, and generators make what has one required
            del meta["default"]
            said = f"{meta.get('description', '')} Default: {json.dumps(default)}."
            meta["description"] = said.strip()
        if direction == "request" and not field.required and self.row.has_body:
            meta["nullable"] = True
        return meta

    def _insert_field_validators(self, field: Any, schema: Any) -> None:
        if not isinstance(field, Text | Whole | Number):  # those say all of themselves
            super()._insert_field_validators(field, schema)

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        for one in schema.get("properties", {}).values():
            if one.get("nullable") and None not in one.get("enum", [None]):
                one["enum"] = [*one["enum"], None]  # OpenAPI 3.0 wants it said twice
        # what is not known is refused on the way in; answers may grow
        strange: Any = {} if getattr(serializer, "FREE", False) else False
        return schema | ({"additionalProperties": strange} if direction == "request" else {})


def _headers(row: Endpoint, status: int, response: dict[str, Any]) -> dict[str, Any]:
    """Return the headers of an answer; rates are told whatever becomes of a call that is let in."""
    good = "application/problem+json" not in response.get("content", {})
    # before it is known who calls, or where the web worker answers, no rate is known
    named = RATES if row.access.limited and status not in UNCOUNTED else {}
    named = named | (dict(row.headers) if good else {})
    named = named | (REPLAYED if good and row.claims else {})
    named = named | (LATER if status in (409, 429, 503) else {})
    named = named | (WANTED if status == 401 else {})
    named = named | (ASKED if status == 402 and row.access.pays else {})
    named = named | (PAID if row.access.pays and (good or status == 402) else {})
    return {name: _header(about) for name, about in named.items()}


def _header(about: str) -> dict[str, Any]:
    return {"description": about, "schema": {"type": "string"}}


@lru_cache(maxsize=16)
def document(service: str, prefix: str) -> dict[str, Any]:
    """Return a service's OpenAPI document with its server address at `prefix`."""
    found = SERVICES[service]
    generator = SchemaGenerator(urlconf=found.urlconf)
    generated: dict[str, Any] = generator.get_schema(request=None, public=True)
    generated["info"] = {
        "title": found.title,
        "description": inspect.cleandoc(found.about),
        "version": found.version,
    }
    generated["servers"] = [{"url": prefix or "/"}]
    openapi_documents.add(generated, service=service, urlconf=found.urlconf)
    used = set(_used(generated["paths"].values()))
    schemes = {name: scheme for name, scheme in SECURITY.items() if name in used}
    generated["components"]["securitySchemes"] = schemes
    return generated


def _used(paths: Iterable[dict[str, Any]]) -> Iterable[str]:
    for operations in paths:
        for operation in operations.values():
            for requirement in operation.get("security", ()):
                yield from requirement
