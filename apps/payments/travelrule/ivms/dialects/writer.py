"""Write the canonical message in a dialect."""

from dataclasses import dataclass
from typing import Any

from apps.payments.travelrule.ivms import model
from apps.payments.travelrule.ivms.model import Component, Field, to_snake_case
from apps.payments.travelrule.ivms.pointers import Path, format_pointer

VERSION_2023 = "101.2023"


@dataclass(frozen=True)
class WrittenMessage:
    """A message in a dialect, and JSON pointers of canonical values that it has no place for."""

    message: dict[str, Any]
    left_out: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class DialectFormat:
    """What distinguishes a dialect's way of writing.

    `keys` maps (component, canonical key) to the dialect's key; `snake` and `capitals` are the case
    of keys, `flat` a VASP without its second key, `vasp` the name of that key. `read` says by which
    marks the dialect is recognized.
    """

    name: str
    title: str
    read: str
    keys: dict[tuple[str, str], str]
    snake: bool = False
    capitals: bool = False
    flat: bool = False
    names_as_list: bool = False
    accounts_of_persons: bool = False
    amount: bool = False
    version: str = ""
    vasp: str = ""


def write_in_format(message: dict[str, Any], manner: DialectFormat) -> WrittenMessage:
    """Return a canonical message as a dialect writes it."""
    writer = _Writer(manner)
    written = writer.component(model.MESSAGE, message, ())
    if manner.version:
        written.setdefault("payloadMetadata", {})["payloadVersion"] = manner.version
    return WrittenMessage(written, tuple(writer.left_out))


class _Writer:
    def __init__(self, manner: DialectFormat) -> None:
        self.manner = manner
        self.left_out: list[str] = []

    def component(self, of: Component, value: dict[str, Any], here: Path) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for name, inner in value.items():
            place = (*here, name)
            has_no_place = (
                (
                    of is model.PERSON
                    and name == "accountNumber"
                    and not self.manner.accounts_of_persons
                )
                or (of is model.MESSAGE and name == "transferAmount" and not self.manner.amount)
                or (name == "payloadVersion" and bool(self.manner.version))
            )
            if has_no_place:
                self.left_out.append(format_pointer(place))
                continue
            written[self._key(of, name)] = self._element(of.fields[name], inner, place)
        if self.manner.vasp and of.name in ("Originator", "Beneficiary"):
            written.setdefault("accountNumber", [])  # the API shows it always
        return written

    def _key(self, of: Component, name: str) -> str:
        named = self.manner.keys.get((of.name, name), name)
        if self.manner.capitals and of is model.MESSAGE and name not in _LOWER:
            return named[:1].upper() + named[1:]
        return to_snake_case(named) if self.manner.snake else named

    def _element(self, field: Field, value: Any, here: Path) -> Any:
        if isinstance(value, list):
            return [self._one(field, entry, (*here, index)) for index, entry in enumerate(value)]
        return self._one(field, value, here)

    def _one(self, field: Field, value: Any, here: Path) -> Any:
        if field.of is not None and isinstance(value, dict):
            shaped = self.component(field.of, value, here)
            if field.of.name in _VASPS:
                person: dict[str, Any] = next(iter(shaped.values()), {})
                # the specification's `vasp` holds a legal person without the key that says so
                if self.manner.vasp:
                    legal = person["legalPerson"] if list(person) == ["legalPerson"] else person
                    return {self.manner.vasp: legal}
                return person if self.manner.flat else shaped
            names = field.of in (model.NATURAL_NAME, model.LEGAL_NAME)
            return (
                shaped["nameIdentifier"]
                if names and self.manner.names_as_list and list(shaped) == ["nameIdentifier"]
                else shaped
            )
        if self.manner.snake and field.kind == "code":
            return field.prefix + str(value).upper()
        if self.manner.snake and field.kind == "number":
            return str(value)  # protocol buffers write integers of 64 bits as text
        return value


_VASPS = frozenset(vasp.name for vasp in model.VASPS.values())
# CODE writes entities in capitals; these two do not occur in its examples
_LOWER = frozenset({"transferPath", "payloadMetadata"})
