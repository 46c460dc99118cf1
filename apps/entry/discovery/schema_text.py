"""Describe parameters and answers of an operation in lines of text, by its OpenAPI document."""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
INDENT = "  "


def describe_parameters(operation: Schema, components: Schema) -> Iterator[str]:
    """Yield a line for each parameter of the path, the query and the body, without headers."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header":
            continue
        needed = parameter.get("required", False)
        about = parameter.get("description") or parameter["schema"].get("description", "")
        yield _format_line(
            parameter["name"], parameter["schema"], needed, about, components, bounds=True
        )
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from describe_fields(content["schema"], components, bounds=True)


def describe_answer(operation: Schema, components: Schema) -> Iterator[str]:
    """Yield a line for each field of the successful answer, nested fields indented.

    If the answer is an array, they are the fields of its items.
    """
    good = next(answer for status, answer in operation["responses"].items() if status < "300")
    schema = resolve_reference(good["content"]["application/json"]["schema"], components)
    if schema.get("type") == "array":
        yield from ("An array; each item has:", "")
        schema = schema["items"]
    yield from describe_fields(schema, components)


def describe_fields(
    schema: Schema, components: Schema, depth: int = 0, *, bounds: bool = False
) -> Iterator[str]:
    """Yield the lines of an object's fields; with `bounds`, those of numbers: what may be sent."""
    resolved = resolve_reference(schema, components)
    needed = set(resolved.get("required", ()))
    for name, field in resolved.get("properties", {}).items():
        inner = resolve_reference(field, components)
        about = field.get("description") or inner.get("description", "")
        line = _format_line(name, field, name in needed, about, components, bounds=bounds)
        yield INDENT * depth + line
        within = inner["items"] if inner.get("type") == "array" else inner
        yield from describe_fields(within, components, depth + 1, bounds=bounds)


def resolve_reference(schema: Schema, components: Schema) -> Schema:
    """Return a schema with its reference resolved; a description may accompany a reference."""
    # in OpenAPI 3.0 nothing may stand next to a $ref: drf-spectacular wraps it into allOf
    refs = [schema, *schema.get("allOf", ())]
    named = next((str(ref["$ref"]) for ref in refs if "$ref" in ref), "")
    if not named:
        return schema
    without_reference = {
        name: value for name, value in schema.items() if name not in ("$ref", "allOf")
    }
    return {**components["schemas"][named.rpartition("/")[2]], **without_reference}


def _format_line(
    name: str, schema: Schema, needed: bool, about: str, components: Schema, *, bounds: bool
) -> str:
    facts = [_format_type(schema, components), "required" if needed else "optional"]
    resolved = resolve_reference(schema, components)
    if "default" in resolved:
        facts.append(f"default {_format_value(resolved['default'])}")
    least, most = resolved.get("minimum"), resolved.get("maximum")
    if bounds and least is not None and most is not None:
        facts.append(f"{_format_value(least)} to {_format_value(most)}")
    if choices := [str(choice) for choice in resolved.get("enum", ()) if choice is not None]:
        facts.append(f"one of {', '.join(choices)}")
    text = f"- `{name}` ({', '.join(facts)})"
    description = " ".join(about.split())
    return f"{text}: {description}" if description else text


def _format_value(value: Any) -> str:
    """Return a value as JSON has it, small numbers without an exponent."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:f}".rstrip("0").rstrip(".")
    return str(value)


def _format_type(schema: Schema, components: Schema) -> str:
    resolved = resolve_reference(schema, components)
    kind = str(resolved.get("type", "object"))
    if kind == "array":
        kind = f"array of {_format_type(resolved['items'], components)}"
    return f"{kind} or null" if resolved.get("nullable") else kind
