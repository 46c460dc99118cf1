"""What a tool takes and gives, from the OpenAPI document of its row.

OpenAPI 3.0 becomes JSON Schema 2020-12, with nothing left to look up: many hosts of agents follow
no reference.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.core.endpoints import Endpoint
from apps.core.openapi import document
from apps.discovery.documents import access_of
from apps.discovery.registry import tools
from apps.discovery.schemas import whole
from config.tools import MOVES_MONEY

Schema = dict[str, Any]
KEY = "idempotencyKey"
KEY_SCHEMA: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^[ -~]+$",
    "description": "The same call again under the same key happens once, and is answered the same.",
}
DEEPEST = 24  # of schemas within schemas; a shape that holds itself has no end
DROPPED = ("nullable", "example", "readOnly", "writeOnly", "x-spec-enum-id")
HIDDEN = "\\x00-\\x1f"  # in every pattern against hidden characters: long, and judged anyway


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: a row and its schemas; `keyed` says that KEY travels as a header."""

    name: str
    row: Endpoint
    takes: Schema
    gives: Schema
    keyed: bool

    @property
    def about(self) -> str:
        """What the tool does, and what a call needs."""
        return f"{self.row.about}\n\n{access_of(self.row)}"

    @property
    def reads(self) -> bool:
        """Whether a call changes nothing: what makes something takes an Idempotency-Key."""
        return not self.row.claims

    @property
    def repeats(self) -> bool:
        """Whether the same call again has no further effect; one that is paid for costs again."""
        return self.reads and not self.row.access.pays

    @property
    def pays_out(self) -> bool:
        """Whether a call may move money."""
        return self.name in MOVES_MONEY


def all_tools() -> dict[str, Tool]:
    """Return every tool by its name; KeyError for one without an endpoint."""
    return {name: tool_of(name, row) for name, row in tools().items()}


def tool_of(name: str, row: Endpoint) -> Tool:
    """Return the tool of a row."""
    if row.many or row.view is not None:
        raise ValueError(f"{name}: a tool answers with one object")
    described = document(row.service, "")
    operation = described["paths"][row.address][row.method.lower()]
    components = described["components"]
    takes = _takes(operation, components)
    keyed = row.claims and KEY not in takes["properties"]
    if keyed:
        takes["properties"][KEY] = KEY_SCHEMA
    content = operation["responses"][str(row.statuses[0])]["content"]["application/json"]
    return Tool(name, row, takes, inlined(content["schema"], components), keyed)


def _takes(operation: Mapping[str, Any], components: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's arguments: ids, query and body side by side."""
    found: Schema = {"type": "object", "properties": {}, "additionalProperties": False}
    needed = []
    for one in operation.get("parameters", ()):
        if one["in"] == "header":
            continue
        about = {"description": one["description"]} if one.get("description") else {}
        found["properties"][one["name"]] = inlined(one["schema"], components) | about
        needed += [one["name"]] if one.get("required") else []
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content:
        body = inlined(content["schema"], components)
        found["properties"] |= body.get("properties", {})
        needed += body.get("required", ())
    return found | ({"required": needed} if needed else {})


def inlined(schema: Mapping[str, Any], components: Mapping[str, Any], depth: int = 0) -> Schema:
    """Return a schema of OpenAPI 3.0 as JSON Schema, what it refers to in place."""
    if depth > DEEPEST:
        raise ValueError("a shape holds itself: it has no schema without references")
    found = whole(schema, components)
    nullable = found.get("nullable", False)
    made = {name: value for name, value in found.items() if name not in DROPPED}
    if HIDDEN in made.get("pattern", ""):
        del made["pattern"]
    if "properties" in made:
        made["properties"] = {
            key: inlined(inner, components, depth + 1) for key, inner in made["properties"].items()
        }
    for name in ("items", "additionalProperties", "not"):
        if isinstance(made.get(name), Mapping):
            made[name] = inlined(made[name], components, depth + 1)
    for name in ("oneOf", "anyOf", "allOf"):
        if name in made:
            made[name] = [inlined(one, components, depth + 1) for one in made[name]]
    return _nullable(_exclusive(made)) if nullable else _exclusive(made)


def _exclusive(made: Schema) -> Schema:
    """Turn the flags of OpenAPI 3.0 beside bounds into the bounds of JSON Schema."""
    for bound, flag in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if made.get(flag) is True:
            made[flag] = made.pop(bound)
        elif made.get(flag) is False:
            del made[flag]
    return made


def _nullable(made: Schema) -> Schema:
    if isinstance(made.get("type"), str):
        return made | {"type": [made["type"], "null"]}
    return {"anyOf": [made, {"type": "null"}]} if made else made
