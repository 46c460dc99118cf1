"""Shapes that differ between dialects: where a VASP stands, and what holds the names."""

from collections.abc import Mapping
from typing import Any, Protocol

from apps.travelrule.ivms import model
from apps.travelrule.ivms.dialects.marks import Marks
from apps.travelrule.ivms.model import Component, Field, fold
from apps.travelrule.ivms.pointers import Path

_NAMES = {one.name: one for one in (model.NATURAL_NAME, model.LEGAL_NAME)}
_VASPS = {one.name: key for key, one in model.VASPS.items()}


class Reader(Protocol):
    """The reading that meets a shape: what it notes, and how it goes on (see `reading.Reader`)."""

    marks: Marks
    origins: dict[Path, Path]

    def tell(self, rule: str, sent: Path, canonical: Path | None, what: str = "") -> None:
        """Note a change."""

    def component(self, of: Component, value: object, sent: Path, here: Path) -> Any:
        """Read a component."""

    def element(self, one: Field, value: object, sent: Path, here: Path) -> Any:
        """Read an element."""


def read(
    reader: Reader, of: Component, value: dict[str, Any] | list[Any], sent: Path, here: Path
) -> Any:
    """Return the canonical form of a component, whichever shape it has; {} when it is empty."""
    if of.name in _VASPS and isinstance(value, dict):
        found = _vasp(reader, _VASPS[of.name], value, sent, here)
    elif of.name in _NAMES:
        found = _names(reader, of, value, sent, here)
    elif of.name == "TransferPath" and isinstance(value, list):
        _shape(reader, "S4", sent, here, "The path is a list, without its second key.")
        found = reader.component(of, {"transferPath": value}, sent, here)
        reader.origins[(*here, "transferPath")] = sent
    else:
        found = reader.component(of, value, sent, here)
    return found if isinstance(found, dict) else {}


def _shape(reader: Reader, rule: str, sent: Path, here: Path, what: str) -> None:
    reader.marks.shape(rule)
    reader.tell(rule, sent, here, what)


def _names(reader: Reader, of: Component, value: Any, sent: Path, here: Path) -> Any:
    """Read names: an object with lists (2020), or a list, or the one entry of it (npm)."""
    entry = of.fields["nameIdentifier"].of
    single = isinstance(value, dict) and _knows(entry, value) and not _knows(of, value)
    if not single and not isinstance(value, list):
        return reader.component(of, value, sent, here)
    _shape(reader, "S5", sent, here, "Names without the object that holds them.")
    place = (*here, "nameIdentifier")
    found = reader.element(of.fields["nameIdentifier"], value, sent, place)
    reader.origins[place] = sent
    return {"nameIdentifier": found} if isinstance(found, list) else {}


def _vasp(reader: Reader, key: str, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read a VASP: a person under its double key (2020), under `vasp`, or without either."""
    folded = {fold(one): one for one in value}
    of, place = model.VASPS[key], (*here, key)
    if _knows(of, value) or not (_person(value) or "vasp" in folded):
        return reader.component(of, value, sent, here)
    if "vasp" in folded:
        inner = value[folded["vasp"]]
        for other in value.keys() - {folded["vasp"]}:
            reader.tell("S7b", (*sent, other), None)
        sent = (*sent, folded["vasp"])
        _shape(reader, "P1", sent, place, "A VASP as the specification writes it.")
    else:
        inner = value
        _shape(reader, "S4", sent, place, "A VASP without its second key.")
    reader.origins[place] = sent
    person = _bare(reader, inner, sent, place)
    if "vasp" in folded:
        _legal_by_default(reader, person, sent, place)
    return {key: person} if person else {}


def _bare(reader: Reader, value: Any, sent: Path, here: Path) -> Any:
    """Read a person, or a legal person without the key that says so."""
    if not isinstance(value, dict):
        reader.tell("D0", sent, None)
        return {}
    if _knows(model.PERSON, value) or not _knows(model.LEGAL, value):
        return reader.component(model.PERSON, value, sent, here)
    place = (*here, "legalPerson")
    legal = reader.component(model.LEGAL, value, sent, place)
    reader.origins[place] = sent
    return {"legalPerson": legal} if legal else {}


def _legal_by_default(reader: Reader, person: Any, sent: Path, here: Path) -> None:
    """Add the type to the names of a VASP: the specification shows none (document 2, §2.3)."""
    names = person.get("legalPerson", {}).get("name", {}).get("nameIdentifier", ())
    for index, name in enumerate(names):
        if "legalPersonName" in name and "legalPersonNameIdentifierType" not in name:
            name["legalPersonNameIdentifierType"] = "LEGL"
            place = (*here, "legalPerson", "name", "nameIdentifier", index)
            at = (*place, "legalPersonNameIdentifierType")
            reader.tell("P1", reader.origins.get(place, sent), at, "The name is the legal name.")


def _person(value: Mapping[str, Any]) -> bool:
    return _knows(model.PERSON, value) or _knows(model.LEGAL, value)


def _knows(of: Component | None, value: Mapping[str, Any]) -> bool:
    return of is not None and any(of.lookup(key) is not None for key in value)
