"""Render answers through their declared shapes.

A value that a shape does not declare, or a required one that is missing, is our own fault and
raises: answers are exactly what the documents say.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from rest_framework import serializers

# made once, because every value that is sent passes through it
TEXTS = (serializers.CharField, serializers.ChoiceField)
FREE = (serializers.DictField, serializers.JSONField)


class UndeclaredValue(TypeError):
    """An answer does not have its declared shape."""


class RenderedAnswer(dict[str, Any]):
    """An answer that is already rendered: a record keeps it as it was given."""


@cache
def serializer_instance(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the one instance that reads and writes for all calls; it keeps no state of a call."""
    return shape()


def render_answer(
    shape: type[serializers.Serializer[Any]], values: Mapping[str, Any]
) -> RenderedAnswer:
    """Return values in wire format; raises UndeclaredValue when they do not fit the shape."""
    return (
        values
        if isinstance(values, RenderedAnswer)
        else RenderedAnswer(serializer_instance(shape).to_representation(values))
    )


def represent_value(field: Any, value: Any) -> Any:
    """Return a value as its field writes it.

    UndeclaredValue for null where the field has none, and for another type in a text field.
    """
    if value is None:
        if not field.allow_null:
            raise UndeclaredValue(f"{field.field_name} may not be null")
        return None
    if isinstance(field, TEXTS):
        if not isinstance(value, str):
            raise UndeclaredValue(f"{type(value).__name__} is not a text")
        return str(value)
    if isinstance(field, serializers.ListField):
        return [represent_value(field.child, item) for item in value]
    if isinstance(field, FREE):
        return to_plain_json(value)
    return field.to_representation(value)


def to_plain_json(value: Any) -> Any:
    """Convert free JSON for output, with decimals as numbers."""
    if isinstance(value, Decimal):
        # JSON has one kind of number; a double carries the 15 digits that shapes allow
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {name: to_plain_json(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain_json(inner) for inner in value]
    return value
