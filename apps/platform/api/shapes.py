"""Shapes of the API: declared in snake_case, camelCase on the wire, strict on the way in."""

import unicodedata
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import pycountry
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.platform.api.representation import UndeclaredValue, represent_value, to_plain_json
from apps.platform.common.amounts import MONEY, NO_MONEY
from apps.platform.common.clock import format_utc, to_epoch_seconds
from apps.platform.common.days import parse_day
from apps.platform.common.hidden_characters import HIDDEN, has_hidden_characters
from apps.platform.common.lei import is_valid_lei

COUNTRIES = frozenset(country.alpha_2 for country in pycountry.countries)
_LARGEST_WHOLE = 2**53 - 1  # RFC 8259: the range that every JSON reader keeps exactly
_EXACT_DIGITS = 15  # digits that a double keeps exactly
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z
# a text without control and invisible characters; one that must not be blank has a letter
_FREE = rf"^[^{HIDDEN}]*$"
_NOT_BLANK = rf"^[^{HIDDEN}]*[^\s{HIDDEN}][^{HIDDEN}]*$"


def to_camel_case(name: str) -> str:
    """Return the wire name of a declared one: `legal_name` -> `legalName`, `_next` is unchanged."""
    head, *rest = name.lstrip("_").split("_")
    return "_" * (len(name) - len(name.lstrip("_"))) + head + "".join(p.capitalize() for p in rest)


def describe_unknown_names(names: Iterable[str]) -> dict[str, list[str]]:
    """Describe names that no field reads; lists at most the first ten."""
    return {name[:80]: ["This field is unknown."] for name in islice(names, 10)}


class Shape(serializers.Serializer[Any]):
    """Base of all shapes: wire names are camelCase, and unknown keys are refused.

    One that is `FREE` takes any object: what it may contain is defined by a standard of its own.
    """

    FREE: ClassVar[bool] = False

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": "This must be a JSON object."}

    def get_fields(self) -> dict[str, Any]:
        fields = {}
        for name, declared in super().get_fields().items():
            if declared.source is None and to_camel_case(name) != name:
                declared.source = name
            fields[to_camel_case(name)] = declared
        return fields

    def to_internal_value(self, data: Any) -> Any:
        faults: dict[str, Any] = {}
        if isinstance(data, Mapping):
            # null in an optional field counts as absent: clients write null for values they do not
            # have
            optional = self._optional
            data = {
                key: value
                for key, value in data.items()
                if value is not None or key not in optional
            }
            faults = describe_unknown_names(sorted(data.keys() - self.fields.keys()))
        values: Any = None
        try:
            values = super().to_internal_value(data)
        # collect all errors, so that a caller can fix everything at once
        except serializers.ValidationError as error:
            faults |= error.detail  # type: ignore[arg-type]
        if faults:
            raise serializers.ValidationError(faults)
        return values

    def to_representation(self, instance: Mapping[str, Any]) -> Any:
        """Return values in wire format; UndeclaredValue when they do not fit."""
        # nothing that was not declared may leave: it might
        # be another tenant's, or a reason to withhold
        if strange := instance.keys() - self._sources:
            raise UndeclaredValue(
                f"{type(self).__name__} does not declare {', '.join(sorted(strange))}"
            )
        written = {}
        for source, (name, field) in self._sources.items():
            if source in instance:
                written[name] = represent_value(field, instance[source])
            elif field.required:
                raise UndeclaredValue(f"{type(self).__name__} requires {source}")
        return written

    @cached_property
    def _sources(self) -> dict[str, tuple[str, Any]]:
        return {str(field.source): (name, field) for name, field in self.fields.items()}

    @cached_property
    def _optional(self) -> set[str]:
        fields = self.fields.items()
        return {name for name, field in fields if not (field.required or field.allow_null)}


class JSONTyped(serializers.Field[Any, Any, Any, Any]):
    """Base of fields that accept only their own JSON type: no text is a number, no 1 is true."""

    json_types: ClassVar[tuple[type, ...]] = (str,)
    expected: ClassVar[str] = "a text"

    def to_internal_value(self, data: Any) -> Any:
        # in Python a boolean is an integer too
        in_disguise = isinstance(data, bool) and bool not in self.json_types
        if in_disguise or not isinstance(data, self.json_types):
            raise serializers.ValidationError(f"This must be {self.expected}.")
        return super().to_internal_value(data)


class Text(JSONTyped, serializers.CharField):
    """A text: no numbers or booleans in disguise, no control or invisible characters.

    Its length is that of its expanded form: one sign may expand to eighteen letters (NFKC), and
    names are compared by letters.
    """

    # facts about a text that documents state beside its length
    format = ""
    pattern = ""
    longest = 500

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": self.longest, **options})

    def to_internal_value(self, data: Any) -> str:
        # which strips blanks at both ends; the hidden characters are looked for in what was sent
        value: str = super().to_internal_value(data)
        if has_hidden_characters(data):
            raise serializers.ValidationError(
                "Control, bidirectional and invisible characters are not allowed."
            )
        most = self.max_length
        if most is not None and len(unicodedata.normalize("NFKC", value)) > most:
            what = "This" if len(value) > most else "With its characters expanded to letters, this"
            raise serializers.ValidationError(f"{what} has more than {most} characters.")
        if fault := self.find_fault(value):
            raise serializers.ValidationError(fault)
        return value

    def find_fault(self, value: str) -> str:
        """Return why a text does not fit this field, or an empty text."""
        return ""

    def openapi(self, direction: str) -> dict[str, Any]:
        text: dict[str, Any] = {"type": "string"}
        if direction == "request":
            text["pattern"] = self.pattern or (_FREE if self.allow_blank else _NOT_BLANK)
            text |= {"format": self.format} if self.format else {}
            if not self.pattern:  # it gives the length of a code
                text |= {"maxLength": self.max_length}
                text |= {} if self.allow_blank else {"minLength": 1}
        return text


class PartyName(Text):
    """A legal name: at least one letter or digit of any script."""

    format, longest = "party-name", 300

    def find_fault(self, value: str) -> str:
        has_letters = any(character.isalnum() for character in value)
        return "" if has_letters else "A name must contain letters or digits."


class Identifier(JSONTyped, serializers.UUIDField):
    """An id of ours: a UUID, as text."""

    def openapi(self, direction: str) -> dict[str, Any]:
        return {"type": "string", "format": "uuid"}


class Flag(JSONTyped, serializers.BooleanField):
    """true or false; nothing else."""

    json_types, expected = (bool,), "true or false"


@extend_schema_field({"type": "integer", "format": "int64"})
class Whole(JSONTyped, serializers.IntegerField):
    """A JSON integer of at most 2^53 - 1; texts, booleans and fractions are refused."""

    json_types, expected = (int,), "a whole number"

    def __init__(self, **options: Any) -> None:
        bounds = {"min_value": -_LARGEST_WHOLE, "max_value": _LARGEST_WHOLE}
        super().__init__(**(bounds | options))


class Number(JSONTyped, serializers.DecimalField):
    """A JSON number as Decimal; texts and booleans are refused.

    More than 15 significant digits are refused: so much a JSON number carries exactly, and
    what came in goes out the same.
    """

    json_types, expected = (int, Decimal), "a number"

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"max_digits": 18, "decimal_places": 6} | options))

    def validate_precision(self, value: Decimal) -> Decimal:
        digits = "".join(map(str, value.as_tuple().digits)).strip("0")
        if len(digits) > _EXACT_DIGITS:
            raise serializers.ValidationError(
                f"At most {_EXACT_DIGITS} significant digits are allowed."
            )
        # the trailing zeros of 1.0000000 are not counted as decimals
        return super().validate_precision(value.normalize())

    def to_representation(self, value: Any) -> Any:
        return to_plain_json(Decimal(value))

    def openapi(self, direction: str) -> dict[str, Any]:
        # as many digits as it needs, with a sign if there are no bounds
        widest = 10 ** ((self.max_digits or 0) - (self.decimal_places or 0)) - 1
        least = -widest if self.min_value is None else self.min_value
        most = widest if self.max_value is None else self.max_value
        bounds = {"minimum": to_plain_json(least), "maximum": to_plain_json(most)}
        return {"type": "number", "format": "double"} | bounds


class OneOf(JSONTyped, serializers.ChoiceField):
    """One of the listed strings."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, **options)
        # the error names the accepted values and does not repeat the input
        listed = ", ".join(map(str, self.choices))
        self.error_messages["invalid_choice"] = f"This must be one of: {listed}."

    def to_internal_value(self, data: Any) -> str:
        return str(super().to_internal_value(data))


class ListOf(serializers.ListField):
    """A JSON array; one that is too long costs next to nothing."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not_a_list": "This must be a list.",
        "min_length": "This must have an element.",
    }

    def to_internal_value(self, data: Any) -> Any:
        if self.max_length is not None and isinstance(data, list) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)  # before any item is read
        return super().to_internal_value(data)


class Code(Text):
    """A code in ASCII, one of `codes` where there are any; lower case becomes upper."""

    codes: ClassVar[Container[str] | None] = None
    refusal = ""

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data).upper()

    def find_fault(self, value: str) -> str:
        if not value.isascii():  # some non-ASCII letters have ASCII capitals
            return "This code may contain only plain letters and digits."
        return self.refusal if self.codes is not None and value.upper() not in self.codes else ""


class Country(Code):
    """An ISO 3166-1 alpha-2 code."""

    format, pattern = "iso-3166-1-alpha-2", "^[A-Za-z]{2}$"
    codes, refusal = COUNTRIES, "This is not an ISO 3166-1 alpha-2 country code."


class Currency(Code):
    """An ISO 4217 code of money; those of metals, of units of account and of none are refused."""

    format, pattern = "iso-4217", "^[A-Za-z]{3}$"
    codes, refusal = MONEY, "This is not an ISO 4217 currency code."

    def find_fault(self, value: str) -> str:
        no_money = f"{value.upper()} is not a currency for payments."
        return no_money if value.upper() in NO_MONEY else super().find_fault(value)


class Lei(Code):
    """An LEI whose check digits agree."""

    format, pattern = "lei", "^[A-Za-z0-9]{18}[0-9]{2}$"

    def find_fault(self, value: str) -> str:
        fault = super().find_fault(value)
        no_lei = "This is not an LEI: 20 characters with valid check digits."
        return fault or ("" if is_valid_lei(value.upper()) else no_lei)


class Moment(serializers.DateTimeField):
    """A time: ISO 8601 with its offset in requests, UTC with milliseconds and a Z in answers."""

    def to_internal_value(self, data: Any) -> datetime:
        # the first and last day cannot be converted to other zones
        with suppress(TypeError, ValueError, OverflowError):
            # a time without an offset would be read in whatever zone the reader assumes
            moment = datetime.fromisoformat(data)
            if moment.utcoffset() is not None:
                return moment.astimezone(UTC)
        raise serializers.ValidationError("This must be ISO 8601 with an offset or Z.")

    def to_representation(self, value: Any) -> str:
        return format_utc(value)


class Day(serializers.DateField):
    """A day: ISO 8601, `2026-11-20`, and none of its other forms (`20261120`, `2026-W47-5`)."""

    def to_internal_value(self, value: Any) -> date:
        day = parse_day(value) if isinstance(value, str) else None
        if day is None:
            self.fail("invalid", format="YYYY-MM-DD")
        return day


@extend_schema_field({"type": "object", "additionalProperties": {}})
class FreeObject(serializers.JSONField):
    """An object whose keys are not part of the contract."""


class SignedStatement(Shape):
    """A signed statement: documented like any shape, and sent exactly as it was signed."""

    signature = FreeObject(
        help_text="`keyId`, `algorithm`, `value`; keys: `.well-known/jwks.json` of this service."
    )

    def to_representation(self, instance: Mapping[str, Any]) -> Any:
        if different := set(self.fields) ^ instance.keys():
            raise UndeclaredValue(
                f"{type(self).__name__} differs by {', '.join(sorted(different))}"
            )
        return instance


class ProblemRow(Shape):
    """One field's error."""

    field = Text()
    message = Text()


class Problem(Shape):
    """An error in RFC 9457 format; clients switch on `code`."""

    type = Text(help_text="urn:svc:problem:<code>")
    title = Text()
    status = Whole()
    detail = Text()
    code = Text(help_text="Stable, snake_case.")
    message = Text(help_text="The same as detail.")
    errors = ProblemRow(many=True, required=False)  # type: ignore[assignment]


@extend_schema_field({"type": "integer", "format": "int64", "minimum": 0, "maximum": LAST_SECOND})
class EpochSeconds(serializers.Field[datetime, Any, int, Any]):
    """A moment as whole Unix seconds; the `…At` fields of the API."""

    def to_internal_value(self, data: Any) -> datetime:
        # a boolean is an int, and milliseconds are far beyond the last second
        if type(data) is not int or not 0 <= data <= LAST_SECOND:
            raise serializers.ValidationError("This must be Unix time in seconds.")
        return datetime.fromtimestamp(data, UTC)

    def to_representation(self, value: datetime) -> int:
        return to_epoch_seconds(value)
