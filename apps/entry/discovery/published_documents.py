"""Describe documents at fixed addresses, which plain views serve, in OpenAPI documents."""

from importlib import import_module
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from apps.entry.discovery.cards import JWKS
from config.services import SERVICES


def _object_schema(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


_TEXT, _WHOLE = {"type": "string"}, {"type": "integer", "format": "int64"}
_FREE: dict[str, Any] = {"type": "object", "additionalProperties": {}}
_KEY = _object_schema(kty=_TEXT, crv=_TEXT, kid=_TEXT, x=_TEXT, use=_TEXT, alg=_TEXT)
# by address: operation, summary, name of the shape, shape, section of the specification
PUBLISHED_DOCUMENTS: dict[str, tuple[str, str, str, dict[str, Any], str]] = {
    JWKS: (
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


def add_published_documents(
    result: dict[str, Any], generator: SchemaGenerator, **_: Any
) -> dict[str, Any]:
    """Describe those documents that a service has (POSTPROCESSING_HOOKS of drf-spectacular)."""
    # by the URL patterns of the service, so that only addresses that exist are described
    for service in SERVICES.values():
        if service.urlconf != generator.urlconf:
            continue
        for pattern in import_module(service.urlconf).urlpatterns:
            address = str(pattern.pattern)
            if address in PUBLISHED_DOCUMENTS:
                operation_id, summary, name, shape, spec = PUBLISHED_DOCUMENTS[address]
                result["components"].setdefault("schemas", {})[name] = shape
                content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
                described = {
                    "operationId": operation_id,
                    "summary": summary,
                    "tags": [service.name],
                    "security": [{}],
                    "responses": {"200": {"description": summary, "content": content}},
                    "description": f"Specification: {spec}.",
                }
                result["paths"][f"/{address}"] = {"get": described}
    return result
