"""Input and output schemas of tools, from the OpenAPI documents of their operations.

OpenAPI 3.0 becomes JSON Schema 2020-12 without references: many hosts of agents do not follow them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.entry.discovery.callable_operations import list_tools
from apps.entry.discovery.llms_txt import describe_access, describe_cost
from apps.entry.discovery.schema_text import resolve_reference
from apps.platform.api.operations import Operation
from apps.platform.api.schema import openapi_document
from config.agent_tools import MOVES_MONEY

Schema = dict[str, Any]
KEY = "idempotencyKey"
KEY_SCHEMA: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^[ -~]+$",
    "description": "The same call again under the same key takes effect once, and gets the same "
    "answer.",
}
DEEPEST = 24  # levels of nested schemas; a schema that contains itself has no end
# keywords of OpenAPI 3.0 that JSON Schema does not have, or that agents do not need
DROPPED = ("nullable", "example", "readOnly", "writeOnly", "x-spec-enum-id")
# part of every pattern against hidden characters. Those patterns are long, and the web workers
# check them anyway: agents do not get them.
HIDDEN = "\\x00-\\x1f"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: a row and its schemas; `keyed` says that KEY travels as a header."""

    name: str
    row: Operation
    takes: Schema
    gives: Schema
    keyed: bool

    @property
    def about(self) -> str:
        """What the tool does, and what a call needs and costs."""
        return f"{self.row.description}\n\n{describe_access(self.row)} {describe_cost(self.row)}"

    @property
    def listed_name(self) -> str:
        """The name shown to hosts: several accept only letters, digits, `_` and `-`."""
        return self.name.replace(".", "_")

    @property
    def reads(self) -> bool:
        """Whether a call changes nothing: one that creates something takes an Idempotency-Key."""
        return not self.row.takes_idempotency_key

    @property
    def repeats(self) -> bool:
        """Whether the same call again has no further effect; one that is paid for costs again."""
        return self.reads and not self.row.access.pays

    @property
    def pays_out(self) -> bool:
        """Whether a call may move money."""
        return self.name in MOVES_MONEY


def load_tools() -> dict[str, Tool]:
    """Return every tool by its name; KeyError for one without an endpoint."""
    return {name: build_tool(name, row) for name, row in list_tools().items()}


def index_tools_by_name(tools: Mapping[str, Tool]) -> dict[str, Tool]:
    """Return tools by the names that they answer to: as listed, and as the specification has it.

    ValueError where two tools would be listed under one name.
    """
    listed = {tool.listed_name: tool for tool in tools.values()}
    if len(listed) < len(tools):
        raise ValueError("two tools have names that differ in dots and underscores alone")
    return {**tools, **listed}


def build_tool(name: str, row: Operation) -> Tool:
    """Return the tool of a row."""
    if row.many:
        raise ValueError(f"{name}: a tool answers with one object")
    described = openapi_document(row.service, "")
    operation = described["paths"][row.address][row.method.lower()]
    components = described["components"]
    takes = _build_input_schema(operation, components)
    keyed = row.takes_idempotency_key and KEY not in takes["properties"]
    if keyed:
        takes["properties"][KEY] = KEY_SCHEMA
    content = operation["responses"][str(row.statuses[0])]["content"]["application/json"]
    return Tool(name, row, takes, inline_schema(content["schema"], components), keyed)


def _build_input_schema(operation: Mapping[str, Any], components: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's arguments: ids, query and body side by side."""
    input_schema: Schema = {"type": "object", "properties": {}, "additionalProperties": False}
    needed = []
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header":
            continue
        about = {"description": parameter["description"]} if parameter.get("description") else {}
        input_schema["properties"][parameter["name"]] = (
            inline_schema(parameter["schema"], components) | about
        )
        needed += [parameter["name"]] if parameter.get("required") else []
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content:
        body = inline_schema(content["schema"], components)
        input_schema["properties"] |= body.get("properties", {})
        needed += body.get("required", ())
    return input_schema | ({"required": needed} if needed else {})


def inline_schema(
    schema: Mapping[str, Any], components: Mapping[str, Any], depth: int = 0
) -> Schema:
    """Return a schema of OpenAPI 3.0 as JSON Schema, what it refers to in place."""
    if depth > DEEPEST:
        raise ValueError("a shape holds itself: it has no schema without references")
    resolved = resolve_reference(schema, components)
    nullable = resolved.get("nullable", False)
    inlined = {name: value for name, value in resolved.items() if name not in DROPPED}
    if HIDDEN in inlined.get("pattern", ""):
        del inlined["pattern"]
    if "properties" in inlined:
        inlined["properties"] = {
            key: inline_schema(inner, components, depth + 1)
            for key, inner in inlined["properties"].items()
        }
    for name in ("items", "additionalProperties", "not"):
        if isinstance(inlined.get(name), Mapping):
            inlined[name] = inline_schema(inlined[name], components, depth + 1)
    for name in ("oneOf", "anyOf", "allOf"):
        if name in inlined:
            inlined[name] = [
                inline_schema(subschema, components, depth + 1) for subschema in inlined[name]
            ]
    return (
        _make_nullable(_convert_exclusive_bounds(inlined))
        if nullable
        else _convert_exclusive_bounds(inlined)
    )


def _convert_exclusive_bounds(schema: Schema) -> Schema:
    """Turn the flags of OpenAPI 3.0 beside bounds into the bounds of JSON Schema."""
    for bound, flag in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(flag) is True:
            schema[flag] = schema.pop(bound)
        elif schema.get(flag) is False:
            del schema[flag]
    return schema


def _make_nullable(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]} if schema else schema
