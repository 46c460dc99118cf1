"""Read a message of any dialect into the canonical form, and report each change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.payments.travelrule.ivms import model, text
from apps.payments.travelrule.ivms.codes import COUNTRIES, UNKNOWN_COUNTRY
from apps.payments.travelrule.ivms.dialects import envelopes, shapes
from apps.payments.travelrule.ivms.dialects.marks import DialectMarks
from apps.payments.travelrule.ivms.input_limits import DEFAULT_LIMITS, MessageLimits, check_limits
from apps.payments.travelrule.ivms.model import Component, Field
from apps.payments.travelrule.ivms.pointers import Path, format_pointer

UNKNOWN_DIALECT = ""  # the dialect of what is no message
# characters of a decimal that readers of JSON keep as it was written: 15 digits and the point are
# exact in a float of 64 bits
MAX_EXACT_LENGTH = 16
_NOTHING: Any = object()  # an element that is absent, or was reported and left out
_WORDS = {
    "S1b": "The message is in an envelope; anything else in the envelope is ignored.",
    "S2b": "The 2023 spelling of the key.",
    "S6": "One entry where a list belongs.",
    "S6b": "A list of one where no list belongs.",
    "S7": "Another spelling of the key.",
    "S7b": "The key is not part of the standard; its value is ignored.",
    "S9": "The element is given twice with different values.",
    "D0": "The value is not of the element's type; it is left out.",
    "D0b": "A number as text.",
    "D0c": "A text as number.",
    "D1b": "An empty value; the element is absent.",
    "D1c": "An empty list; the element is absent.",
    "D4": "An account is text; this value is left out.",
    "D5b": "A code in another spelling.",
    "D6": "The standard's other spelling of the key.",
    "D7": "The standard's other name of the key.",
    "D8": "The 2023 name of the key.",
    "P1": "The specification's own name of the key.",
    "P2": "Amount and currency are texts; this value is left out.",
    "X2b": "The text is normalized to Unicode NFC.",
}


@dataclass(frozen=True)
class Change:
    """What was done to something that was sent: JSON pointers from and to ("": left out)."""

    rule: str
    sent: str
    canonical: str
    what: str


@dataclass(frozen=True)
class Reading:
    """A canonical message, its dialect, all changes, and the original positions."""

    message: dict[str, Any]
    dialect: str
    changes: tuple[Change, ...]
    origins: Mapping[Path, Path]


def read_message(message: object, *, limits: MessageLimits = DEFAULT_LIMITS) -> Reading:
    """Return the canonical form of any JSON value; MessageRefused if it exceeds a limit.

    A value that is not a message is read as the empty message, of the dialect "".
    """
    check_limits(message, limits)
    reader = Reader()
    parsed_message = reader.component(model.MESSAGE, *envelopes.open_envelope(reader, message), ())
    if parsed_message is _NOTHING or not parsed_message:
        return Reading({}, UNKNOWN_DIALECT, tuple(reader.changes), {})
    return Reading(
        parsed_message,
        reader.marks.dialect(),
        tuple(reader.changes),
        reader.origins,
    )


class Reader:
    """One reading: the schema leads, so that depth is the schema's and never the message's."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.origins: dict[Path, Path] = {}
        self.marks = DialectMarks()

    def tell(self, rule: str, sent: Path, canonical: Path | None, what: str = "") -> None:
        """Note a change of the value at `sent`; None: it is not in the canonical form."""
        to = "" if canonical is None else format_pointer(canonical)
        self.changes.append(Change(rule, format_pointer(sent), to, what or _WORDS[rule]))

    def component(self, of: Component, value: object, sent: Path, here: Path) -> Any:
        """Return the canonical elements of an object, in the schema's order."""
        if not isinstance(value, dict):
            self.tell("D0", sent, None)
            return _NOTHING
        # one element may come under several keys: the standard's wins, the others must agree (S9)
        fields: dict[str, Any] = {}
        for key, name, rule in self._keys(of, value, sent):
            spelled, place = (*sent, key), (*here, name)
            field = of.fields[name]
            if name in fields:
                self._twice(field, fields[name], value[key], spelled, place)
                continue
            parsed_element = self.element(field, value[key], spelled, place)
            if parsed_element is _NOTHING:
                continue
            fields[name] = parsed_element
            self.origins[place] = spelled
            if rule:
                self.tell(rule, spelled, place)
        return {name: fields[name] for name in of.fields if name in fields}

    def _keys(
        self, of: Component, value: dict[str, Any], sent: Path
    ) -> Iterator[tuple[str, str, str]]:
        """Yield key, element and rule of another spelling; keys that are spelled right first."""
        for key in sorted(value, key=lambda key: key not in of.fields):
            known = of.lookup(key)
            if known is None:
                self.tell("S7b", (*sent, key), None)
                continue
            self.marks.key(of.name, key, known[1])
            yield key, *known

    def _twice(self, field: Field, first: object, value: object, sent: Path, here: Path) -> None:
        # a reader of its own, so that its changes and positions are not reported
        again = Reader().element(field, value, sent, here)
        if again is _NOTHING:
            self.tell("D1b", sent, None)
        elif again == first:
            self.tell("S7", sent, None, "The element is given twice with the same value.")
        else:
            self.tell("S9", sent, None)

    def element(self, field: Field, value: object, sent: Path, here: Path) -> Any:
        """Return the canonical value of an element."""
        if not field.many:
            return self.single(field, value, sent, here)
        if value is None or value in ("", [], {}):
            self.tell("D1c" if value == [] else "D1b", sent, None)
            return _NOTHING
        if not isinstance(value, list):
            parsed_entry = self.single(field, value, sent, (*here, 0))
            if parsed_entry is _NOTHING:
                return _NOTHING
            self.tell("S6", sent, here)
            self.origins[(*here, 0)] = sent
            return [parsed_entry]
        return self._several(field, value, sent, here)

    def _several(self, field: Field, value: list[Any], sent: Path, here: Path) -> Any:
        parsed_entries: list[Any] = []
        for index, entry in enumerate(value):
            spelled, place = (*sent, index), (*here, len(parsed_entries))
            # an empty entry stays, so that its missing elements are reported at its place
            if entry == {} and field.of is not None:
                parsed_entry: Any = {}
            else:
                parsed_entry = self.single(field, entry, spelled, place)
            if parsed_entry is not _NOTHING:
                self.origins[place] = spelled
                parsed_entries.append(parsed_entry)
        return parsed_entries or _NOTHING

    def single(self, field: Field, value: object, sent: Path, here: Path) -> Any:
        """Return one value of an element that is no list."""
        if value is None or value in ("", [], {}):
            self.tell("D1b", sent, None)
            return _NOTHING
        if field.of is not None:
            if not isinstance(value, dict | list):
                self.tell(field.wrong, sent, None)
                return _NOTHING
            return shapes.read_component(self, field.of, value, sent, here) or self._emptied(sent)
        if field.kind == "number":
            return self._number(value, sent, here)
        text_value = _convert_to_text(field, value)
        if text_value is None:
            self.tell(field.wrong, sent, None)
            return _NOTHING
        if text_value is not value:
            self.tell("D0c", sent, here)
        return self._text(field, text_value, sent, here)

    def _emptied(self, sent: Path) -> Any:
        """Report that an object had no known element, so that it counts as absent."""
        self.tell("D1b", sent, None, "It is empty; the element is absent.")
        return _NOTHING

    def _number(self, value: object, sent: Path, here: Path) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        # protocol buffers write integers of 64 bits as text
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18:
            self.tell("D0b", sent, here)
            return int(value)
        self.tell("D0", sent, None)
        return _NOTHING

    def _text(self, field: Field, value: str, sent: Path, here: Path) -> Any:
        if field.exact:
            return value
        if field.kind == "version":
            return self._version(value, sent, here)
        normalized = text.normalize_text(value)
        if normalized != value:
            self.tell("X2b", sent, here)
        if field.kind in ("code", "country"):
            # codes are read in any case, and with the prefix of protocol buffers
            # (NATURAL_PERSON_NAME_TYPE_CODE_LEGL)
            long = bool(field.prefix) and normalized.upper().startswith(field.prefix)
            short = (normalized[len(field.prefix) :] if long else normalized).strip(" ")
            codes = field.codes or COUNTRIES | {UNKNOWN_COUNTRY}
            known_code = next(
                (code for code in (short.upper(), short.lower()) if code in codes), normalized
            )
            if known_code != normalized:
                self.tell("D5b", sent, here)
                self.marks.code(long=long)
            return known_code
        return normalized

    def _version(self, value: str, sent: Path, here: Path) -> Any:
        # D8b judges any other version
        if value.upper().removeprefix("IVMS") != "101.2023":
            return value
        self.marks.version()
        self.tell(
            "D8", sent, None, "The message is of the 2023 version, and is read as the 2020 version."
        )
        return _NOTHING


def _convert_to_text(field: Field, value: object) -> str | None:
    """Return a value as text; None for one that is not text and cannot be read as text."""
    if isinstance(value, str):
        return value
    # an account as a number has lost its leading zeros: it is another account
    if field.wrong == "D4" or field.kind not in ("text", "version") or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    # amounts and versions may have a fraction, as long as the float is exact
    if isinstance(value, float) and (field.wrong == "P2" or field.kind == "version"):
        digits = repr(value)
        return digits if "e" not in digits and len(digits) <= MAX_EXACT_LENGTH else None
    return None
