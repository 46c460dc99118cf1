"""How our fields are described: as they are taken on the way in, as they are sent out."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.utils.module_loading import import_string
from drf_spectacular.extensions import OpenApiSerializerFieldExtension

from apps.core import shapes, written

# a text without control and invisible characters; one that must not be blank has a letter
_FREE = rf"^[^{written.HIDDEN}]*$"
_SAID = rf"^[^{written.HIDDEN}]*[^\s{written.HIDDEN}][^{written.HIDDEN}]*$"
HEADERS_FOR = "apps.access.gates.headers_for"


def key_headers(kinds: Iterable[str]) -> list[str]:
    """Return the headers in which keys of these kinds travel."""
    found: list[str] = import_string(HEADERS_FOR)(tuple(kinds))
    return found


def of(field: Any, direction: str = "request") -> dict[str, Any]:
    """Return the schema of one of our fields."""
    if isinstance(field, shapes.Identifier):
        return {"type": "string", "format": "uuid"}
    if isinstance(field, shapes.Number):
        return {"type": "number", "format": "double"} | _bounds(field)
    if isinstance(field, shapes.Whole):
        return {"type": "integer", "format": "int64"} | _bounds(field)
    if isinstance(field, shapes.EpochSeconds):
        bounds = {"minimum": 0, "maximum": shapes.LAST_SECOND}
        return {"type": "integer", "format": "int64"} | bounds
    if isinstance(field, shapes.Free):
        return {"type": "object", "additionalProperties": {}}
    return _text(field) if direction == "request" else {"type": "string"}


def _bounds(field: Any) -> dict[str, Any]:
    least, most = field.min_value, field.max_value
    if isinstance(field, shapes.Number):  # as many digits as it has, with a sign where none is set
        widest = 10 ** ((field.max_digits or 0) - (field.decimal_places or 0)) - 1
        most = widest if most is None else most
        least = -widest if least is None else least
    named = {"minimum": least, "maximum": most}
    return {name: _number(value) for name, value in named.items() if value is not None}


def _number(value: Any) -> int | float:
    """Return a bound as JSON has it; that of a shape is a few digits, which a float holds."""
    return int(value) if value == int(value) else float(value)


def _text(field: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "string", "pattern": field.pattern or _SAID}
    if field.allow_blank and not field.pattern:
        found["pattern"] = _FREE
    if field.format:
        found["format"] = field.format
    if field.pattern:  # it says how long a code is
        return found
    found["maxLength"] = field.max_length
    return found if field.allow_blank else found | {"minLength": 1}


class _Described(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Base of the bridges to the generator, one for each class of fields."""

    match_subclasses: ClassVar[bool] = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        return of(self.target, direction)


class _Texts(_Described):
    target_class = shapes.Text


class _Identifiers(_Described):
    target_class = shapes.Identifier


class _Numbers(_Described):
    target_class = shapes.Number


class _Wholes(_Described):
    target_class = shapes.Whole


class _Moments(_Described):
    target_class = shapes.EpochSeconds


class _Objects(_Described):
    target_class = shapes.Free
