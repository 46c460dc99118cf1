"""The documents at fixed addresses that stand beside the rows, as OpenAPI describes them.

What a service has of them is read from its addresses, so that none is named which is not there.
"""

from importlib import import_module
from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer", "format": "int64"}
FREE: dict[str, Any] = {"type": "object", "additionalProperties": {}}


def _object_schema(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


def _array_schema(inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": inner}


KEY = _object_schema(kty=TEXT, crv=TEXT, kid=TEXT, x=TEXT, use=TEXT, alg=TEXT)
# route: operation, summary, name of the shape, shape, section
DOCUMENTS: dict[str, tuple[str, str, str, dict[str, Any], str]] = {
    ".well-known/jwks.json": (
        "publicKeys",
        "Gives the public keys by which anyone can check our attestations (RFC 7517).",
        "PublicKeysOut",
        _object_schema(keys=_array_schema(KEY)),
        "D §4",
    ),
    ".well-known/x402": (
        "paymentDiscovery",
        "Tells what can be paid for per call, by method and path, and how; see also `items`.",
        "PaymentDiscoveryOut",
        _object_schema(
            version=WHOLE,
            endpoints={"type": "object", "additionalProperties": FREE},
            x402Version=WHOLE,
            items=_array_schema(FREE),
            pagination=_object_schema(limit=WHOLE, offset=WHOLE, total=WHOLE),
        ),
        "1 §2.11",
    ),
}


def add_fixed_documents(generated: dict[str, Any], *, service: str, urlconf: str) -> None:
    """Add to a generated document what stands at the fixed addresses of a service."""
    for pattern in import_module(urlconf).urlpatterns:
        route = str(pattern.pattern)
        if route not in DOCUMENTS:
            continue
        operation_id, summary, name, shape, spec = DOCUMENTS[route]
        generated["components"].setdefault("schemas", {})[name] = shape
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        described = {
            "operationId": operation_id,
            "summary": summary,
            "tags": [service],
            "security": [{}],
            "responses": {"200": {"description": summary, "content": content}},
            "description": f"Specification: {spec}.",
        }
        generated["paths"][f"/{route}"] = {"get": described}
