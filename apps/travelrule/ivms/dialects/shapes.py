"""Shapes that differ between dialects: where a VASP stands, and what holds the names."""

from collections.abc import Mapping
from typing import Any, Protocol

from apps.travelrule.ivms import model
from apps.travelrule.ivms.dialects.marks import Marks
from apps.travelrule.ivms.model import Component, Field, fold
from apps.travelrule.ivms.pointers import Path

_NAMES = {one.name: one for one in (model.NATURAL_NAME, model.LEGAL_NAME)}
_VASPS = {one.name: key for key, one in model.VASPS.items()}
STEP = "intermediaryVASP"


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

    def single(self, one: Field, value: object, sent: Path, here: Path) -> Any:
        """Read one value of an element."""


def read(
    reader: Reader, of: Component, value: dict[str, Any] | list[Any], sent: Path, here: Path
) -> Any:
    """Return the canonical form of a component, whichever shape it has; {} when it is empty."""
    if of.name in _NAMES:
        found = _names(reader, of, value, sent, here)
    elif of.name == "TransferPath" and (isinstance(value, list) or _step(value)):
        _shape(reader, "S4", sent, here, "The path stands without its second key.")
        found = reader.component(of, {"transferPath": value}, sent, here)
        reader.origins[(*here, "transferPath")] = sent
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        reader.tell("S6b", sent, here)
        found = read(reader, of, value[0], (*sent, 0), here)
    elif of.name in _VASPS and isinstance(value, dict):
        found = _vasp(reader, _VASPS[of.name], value, sent, here)
    elif here[-1:] == (STEP,) and isinstance(value, dict):
        found = _intermediary(reader, value, sent, here)
    else:
        found = reader.component(of, value, sent, here)
    return found if isinstance(found, dict) else {}


def _shape(reader: Reader, rule: str, sent: Path, here: Path, what: str) -> None:
    reader.marks.shape(rule)
    reader.tell(rule, sent, here, what)


def _names(reader: Reader, of: Component, value: Any, sent: Path, here: Path) -> Any:
    """Read names: an object with lists (2020), a list, or the one entry of it (npm).

    The list has names, or objects that hold them (Notabene).
    """
    entry = of.fields["nameIdentifier"].of
    single = isinstance(value, dict) and _knows(entry, value) and not _knows(of, value)
    if not single and not isinstance(value, list):
        return reader.component(of, value, sent, here)
    if isinstance(value, list) and any(isinstance(one, dict) and _knows(of, one) for one in value):
        _shape(reader, "S5", sent, here, "Objects with names in a list.")
        return _held_names(reader, of, value, sent, here)
    _shape(reader, "S5", sent, here, "Names without the object that holds them.")
    place = (*here, "nameIdentifier")
    found = reader.element(of.fields["nameIdentifier"], value, sent, place)
    reader.origins[place] = sent
    return {"nameIdentifier": found} if isinstance(found, list) else {}


def _held_names(reader: Reader, of: Component, value: list[Any], sent: Path, here: Path) -> Any:
    """Return the names of all objects of a list as one object has them, in their order."""
    found: dict[str, list[Any]] = {}
    for index, holder in enumerate(value):
        if not isinstance(holder, dict):
            reader.tell("D0", (*sent, index), None)
            continue
        held = holder if _knows(of, holder) else {"nameIdentifier": holder}
        for key, inner in held.items():
            at = (*sent, index, key) if held is holder else (*sent, index)
            known = of.lookup(key)
            if known is None:
                reader.tell("S7b", at, None)
                continue
            names = found.setdefault(known[0], [])
            for place, one in enumerate(inner) if isinstance(inner, list) else [(None, inner)]:
                spelled = at if place is None else (*at, place)
                to = (*here, known[0], len(names))
                if isinstance(name := reader.single(of.fields[known[0]], one, spelled, to), dict):
                    reader.origins[to] = spelled
                    names.append(name)
    return {name: found[name] for name in of.fields if found.get(name)}


def _vasp(reader: Reader, key: str, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read a VASP: a person under its double key (2020), under `vasp`, or without either."""
    folded = {fold(one): one for one in value}
    of, place = model.VASPS[key], (*here, key)
    if _knows(of, value):
        return _doubled(reader, of, value, sent, here)
    if not (_person(value) or "vasp" in folded):
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


def _doubled(reader: Reader, of: Component, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read a VASP under its double key, where the key `legalPerson` may be missing."""
    inner = {key: one for key, one in value.items() if of.lookup(key) and _legal(one)}
    if len(inner) != 1:
        return reader.component(of, value, sent, here)
    ((key, person),) = inner.items()
    _shape(reader, "S4", (*sent, key), here, "A VASP without the key that says what person it is.")
    return reader.component(of, value | {key: {"legalPerson": person}}, sent, here)


def _intermediary(reader: Reader, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read an intermediary: a person; others repeat its key, or leave out what person it is."""
    folded = {fold(one): one for one in value}
    if fold(STEP) in folded and not _person(value):
        for other in value.keys() - {folded[fold(STEP)]}:
            reader.tell("S7b", (*sent, other), None)
        sent, value = (*sent, folded[fold(STEP)]), value[folded[fold(STEP)]]
        _shape(reader, "S4", sent, here, "An intermediary under its key twice.")
    elif _legal(value):
        _shape(reader, "S4", sent, here, "A VASP without the key that says what person it is.")
    return _bare(reader, value, sent, here)


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


def _step(value: Any) -> bool:
    """Tell whether this is one step of a path, and not the path."""
    return isinstance(value, dict) and not _knows(model.PATH, value) and _knows(model.STEP, value)


def _legal(value: Any) -> bool:
    """Tell whether these are the elements of a legal person, without the key that says so."""
    plain = isinstance(value, dict) and not _knows(model.PERSON, value)
    return plain and _knows(model.LEGAL, value)


def _person(value: Mapping[str, Any]) -> bool:
    return _knows(model.PERSON, value) or _knows(model.LEGAL, value)


def _knows(of: Component | None, value: Mapping[str, Any]) -> bool:
    return of is not None and any(of.lookup(key) is not None for key in value)
