"""Checks an answer against the service's own OpenAPI document."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from apps.platform.api.schema import openapi_document


def check_answer(service: str, method: str, path: str, body: Any, status: int = 200) -> None:
    """Assert that a body has the documented shape, with no field that is not documented."""
    described = openapi_document(service, f"/{service}")
    responses = described["paths"][path][method.lower()]["responses"]
    schema = responses[str(status)]["content"]["application/json"]["schema"]
    validator = Draft202012Validator(_nullable(schema) | _components(service))
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(body)]
    assert not errors, errors[:5]


@cache
def _components(service: str) -> Any:
    return _nullable(
        {"components": _strict(openapi_document(service, f"/{service}")["components"])}
    )


def _strict(components: dict[str, Any]) -> dict[str, Any]:
    """Refuse undocumented fields, so that the document cannot fall behind the code."""
    schemas = {
        name: schema | {"additionalProperties": False}
        if schema.get("type") == "object" and "properties" in schema
        else schema
        for name, schema in components["schemas"].items()
    }
    return {**components, "schemas": schemas}


def _nullable(value: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema lists a null type."""
    if isinstance(value, list):
        return [_nullable(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    plain = {name: _nullable(inner) for name, inner in value.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if value.get("nullable") is True else plain
