"""The documents at fixed addresses that stand beside the rows, as OpenAPI describes them.

What a service has of them is read from its addresses, so that none is named which is not there.
"""

from importlib import import_module
from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer", "format": "int64"}
FREE: dict[str, Any] = {"type": "object", "additionalProperties": {}}


def _shape(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


def _each(inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": inner}


KEY = _shape(kty=TEXT, crv=TEXT, kid=TEXT, x=TEXT, use=TEXT, alg=TEXT)
# route: operation, summary, name of the shape, shape, section
DOCUMENTS: dict[str, tuple[str, str, str, dict[str, Any], str]] = {
    ".well-known/jwks.json": (
        "publicKeys",
        "Gives the public keys by which anyone can check our attestations (RFC 7517).",
        "PublicKeysOut",
        _shape(keys=_each(KEY)),
        "D §4",
    ),
    ".well-known/x402": (
        "paymentDiscovery",
        "Tells what can be paid for per call, by method and path, and how; see also `items`.",
        "PaymentDiscoveryOut",
        _shape(
            version=WHOLE,
            endpoints={"type": "object", "additionalProperties": FREE},
            x402Version=WHOLE,
            items=_each(FREE),
            pagination=_shape(limit=WHOLE, offset=WHOLE, total=WHOLE),
        ),
        "1 §2.11",
    ),
}


def add(generated: dict[str, Any], *, service: str, urlconf: str) -> None:
    """Add to a generated document what stands at the fixed addresses of a service."""
    for pattern in import_module(urlconf).urlpatterns:
        route = str(pattern.pattern)
        if route in DOCUMENTS:
            operation, summary, name, shape, spec = DOCUMENTS[route]
            generated["components"].setdefault("schemas", {})[name] = shape
            generated["paths"][f"/{route}"] = {"get": _operation(service, operation, summary, name)}
            generated["paths"][f"/{route}"]["get"]["description"] = f"Specification: {spec}."


def _operation(service: str, operation: str, summary: str, name: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {
        "operationId": operation,
        "summary": summary,
        "tags": [service],
        "security": [{}],
        "responses": {"200": {"description": summary, "content": content}},
    }
