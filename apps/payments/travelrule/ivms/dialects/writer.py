"""Writes the canonical message in a dialect."""

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
    """How a dialect writes what others write otherwise."""

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
    found = writer.component(model.MESSAGE, message, ())
    if manner.version:
        found.setdefault("payloadMetadata", {})["payloadVersion"] = manner.version
    return WrittenMessage(found, tuple(writer.left_out))


class _Writer:
    def __init__(self, manner: DialectFormat) -> None:
        self.manner = manner
        self.left_out: list[str] = []

    def component(self, of: Component, value: dict[str, Any], here: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, inner in value.items():
            place = (*here, name)
            if self._has_no_place(of, name):
                self.left_out.append(format_pointer(place))
                continue
            found[self._key(of, name)] = self._element(of.fields[name], inner, place)
        if self.manner.vasp and of.name in ("Originator", "Beneficiary"):
            found.setdefault("accountNumber", [])  # the API shows it always
        return found

    def _has_no_place(self, of: Component, name: str) -> bool:
        return (
            (of is model.PERSON and name == "accountNumber" and not self.manner.accounts_of_persons)
            or (of is model.MESSAGE and name == "transferAmount" and not self.manner.amount)
            or (name == "payloadVersion" and bool(self.manner.version))
        )

    def _key(self, of: Component, name: str) -> str:
        named = self.manner.keys.get((of.name, name), name)
        if self.manner.capitals and of is model.MESSAGE and name not in _LOWER:
            return named[:1].upper() + named[1:]
        return to_snake_case(named) if self.manner.snake else named

    def _element(self, one: Field, value: Any, here: Path) -> Any:
        if isinstance(value, list):
            return [self._one(one, entry, (*here, index)) for index, entry in enumerate(value)]
        return self._one(one, value, here)

    def _one(self, one: Field, value: Any, here: Path) -> Any:
        if one.of is not None and isinstance(value, dict):
            return self._shaped(one.of, value, here)
        if self.manner.snake and one.kind == "code":
            return one.prefix + str(value).upper()
        if self.manner.snake and one.kind == "number":
            return str(value)  # protocol buffers write integers of 64 bits as text
        return value

    def _shaped(self, of: Component, value: dict[str, Any], here: Path) -> Any:
        found = self.component(of, value, here)
        if of.name in _VASPS:
            return self._vasp(found)
        names = of in (model.NATURAL_NAME, model.LEGAL_NAME)
        if names and self.manner.names_as_list and list(found) == ["nameIdentifier"]:
            return found["nameIdentifier"]
        return found

    def _vasp(self, found: dict[str, Any]) -> dict[str, Any]:
        person: dict[str, Any] = next(iter(found.values()), {})
        if self.manner.vasp:
            legal = person["legalPerson"] if list(person) == ["legalPerson"] else person
            return {self.manner.vasp: legal}
        return person if self.manner.flat else found


_VASPS = frozenset(vasp.name for vasp in model.VASPS.values())
# CODE writes entities in capitals; these two do not occur in its examples
_LOWER = frozenset({"transferPath", "payloadMetadata"})
