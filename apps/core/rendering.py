"""Answers through their declared shapes: one compiled writer for each shape.

A value that a shape does not declare, or one that it requires and that is missing, is a fault of
ours and raises: what is documented is what is sent.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, cast

from rest_framework import serializers

from apps.core.shapes import Shape, Signed

Write = Callable[[Any], Any]


class Undeclared(TypeError):
    """An answer does not have its declared shape."""


class Wire(dict[str, Any]):
    """An answer that is rendered already: a record keeps it as it was given."""


def render(shape: type[Shape], values: Mapping[str, Any]) -> Wire:
    """Return values as the wire has them; raises Undeclared when they do not fit the shape."""
    return values if isinstance(values, Wire) else Wire(_shape(shape)(values))


@cache
def _shape(shape: type[Shape]) -> Write:
    return _object(shape())


def _object(declared: serializers.Serializer[Any]) -> Write:
    steps = [
        (name, field.source or name, field.required, _value(field))
        for name, field in declared.fields.items()
    ]
    sources = {source for _, source, _, _ in steps}
    title = type(declared).__name__

    def write(values: Mapping[str, Any]) -> dict[str, Any]:
        if strange := values.keys() - sources:
            raise Undeclared(f"{title} does not declare {', '.join(sorted(strange))}")
        found = {}
        for name, source, required, value in steps:
            if source in values:
                found[name] = value(values[source])
            elif required:
                raise Undeclared(f"{title} requires {source}")
        return found

    return write


def _value(field: Any) -> Write:
    inner = _inner(field)
    if field.allow_null:
        return lambda value: None if value is None else inner(value)

    def present(value: Any) -> Any:
        if value is None:
            raise Undeclared(f"{field.field_name} may not be null")
        return inner(value)

    return present


def _inner(field: Any) -> Write:
    if isinstance(field, serializers.ListSerializer):
        one = _object(cast("serializers.Serializer[Any]", field.child))
        return lambda value: [one(row) for row in value]
    if isinstance(field, Signed):
        return _signed(field)
    if isinstance(field, Shape):
        return _object(field)
    if isinstance(field, serializers.ListField):
        each = _value(field.child)
        return lambda value: [each(row) for row in value]
    if isinstance(field, serializers.DictField | serializers.JSONField):
        return plain
    if isinstance(field, serializers.CharField | serializers.ChoiceField):
        return _text
    write: Write = field.to_representation
    return write


def _signed(declared: Signed) -> Write:
    """Let a statement through as it was signed, when its keys are those that are documented."""
    names = set(declared.fields)
    title = type(declared).__name__

    def write(statement: Mapping[str, Any]) -> Mapping[str, Any]:
        if names != set(statement):
            raise Undeclared(f"{title} differs by {', '.join(sorted(names ^ set(statement)))}")
        return statement

    return write


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Undeclared(f"{type(value).__name__} is no text")
    return str(value)


def plain(value: Any) -> Any:
    """Return free JSON, decimals as numbers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value
