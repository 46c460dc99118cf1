"""Parameters and answers of an operation as lines of a text, out of its OpenAPI document."""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
INDENT = "  "


def parameters(operation: Schema, components: Schema) -> Iterator[str]:
    """Yield a line for each parameter of the path, the query and the body, headers aside."""
    for one in operation.get("parameters", ()):
        if one["in"] == "header":
            continue
        needed = one.get("required", False)
        about = one.get("description") or one["schema"].get("description", "")
        yield _line(one["name"], one["schema"], needed, about, components, bounds=True)
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from fields(content["schema"], components, bounds=True)


def answer(operation: Schema, components: Schema) -> Iterator[str]:
    """Yield a line for each field of the good answer, those within others set in.

    Where the answer is a bare array, they are the fields of each thing in it.
    """
    good = next(one for status, one in operation["responses"].items() if status < "300")
    schema = whole(good["content"]["application/json"]["schema"], components)
    if schema.get("type") == "array":
        yield from ("An array; each of it has:", "")
        schema = schema["items"]
    yield from fields(schema, components)


def fields(
    schema: Schema, components: Schema, depth: int = 0, *, bounds: bool = False
) -> Iterator[str]:
    """Yield the lines of an object's fields; with `bounds`, those of numbers: what may be sent."""
    found = whole(schema, components)
    needed = set(found.get("required", ()))
    for name, one in found.get("properties", {}).items():
        inner = whole(one, components)
        about = one.get("description") or inner.get("description", "")
        line = _line(name, one, name in needed, about, components, bounds=bounds)
        yield INDENT * depth + line
        within = inner["items"] if inner.get("type") == "array" else inner
        yield from fields(within, components, depth + 1, bounds=bounds)


def whole(schema: Schema, components: Schema) -> Schema:
    """Return a schema with what it refers to; beside a reference may stand a description."""
    refs = [schema, *schema.get("allOf", ())]
    named = next((str(one["$ref"]) for one in refs if "$ref" in one), "")
    if not named:
        return schema
    return {**components["schemas"][named.rpartition("/")[2]], **_beside(schema)}


def _beside(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name not in ("$ref", "allOf")}


def _line(
    name: str, schema: Schema, needed: bool, about: str, components: Schema, *, bounds: bool
) -> str:
    facts = [_kind(schema, components), "required" if needed else "optional"]
    found = whole(schema, components)
    if "default" in found:
        facts.append(f"default {_written(found['default'])}")
    least, most = found.get("minimum"), found.get("maximum")
    if bounds and least is not None and most is not None:
        facts.append(f"{_written(least)} to {_written(most)}")
    if choices := [str(one) for one in found.get("enum", ()) if one is not None]:
        facts.append(f"one of {', '.join(choices)}")
    said = f"- `{name}` ({', '.join(facts)})"
    told = " ".join(about.split())
    return f"{said}: {told}" if told else said


def _written(value: Any) -> str:
    """Return a value as JSON has it, small numbers without an exponent."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:f}".rstrip("0").rstrip(".")
    return str(value)


def _kind(schema: Schema, components: Schema) -> str:
    found = whole(schema, components)
    kind = str(found.get("type", "object"))
    if kind == "array":
        kind = f"array of {_kind(found['items'], components)}"
    return f"{kind} or null" if found.get("nullable") else kind
