"""Shapes that differ between dialects: the position of a VASP, and the container of names."""

from collections.abc import Mapping
from typing import Any, Protocol

from apps.payments.travelrule.ivms import model
from apps.payments.travelrule.ivms.dialects.marks import DialectMarks
from apps.payments.travelrule.ivms.model import Component, Field, fold_key
from apps.payments.travelrule.ivms.pointers import Path

_NAMES = {component.name: component for component in (model.NATURAL_NAME, model.LEGAL_NAME)}
_VASPS = {component.name: key for key, component in model.VASPS.items()}
INTERMEDIARY_KEY = "intermediaryVASP"


class ShapeReader(Protocol):
    """The reading that meets a shape: what it notes, and how it goes on (see `reader.Reader`)."""

    marks: DialectMarks
    origins: dict[Path, Path]

    def tell(self, rule: str, sent: Path, canonical: Path | None, what: str = "") -> None:
        """Note a change."""

    def component(self, of: Component, value: object, sent: Path, here: Path) -> Any:
        """Read a component."""

    def element(self, field: Field, value: object, sent: Path, here: Path) -> Any:
        """Read an element."""

    def single(self, field: Field, value: object, sent: Path, here: Path) -> Any:
        """Read one value of an element."""


def read_component(
    reader: ShapeReader, of: Component, value: dict[str, Any] | list[Any], sent: Path, here: Path
) -> Any:
    """Return the canonical form of a component, whichever shape it has; {} when it is empty."""
    if of.name in _NAMES:
        parsed_component = _read_names(reader, of, value, sent, here)
    elif of.name == "TransferPath" and (isinstance(value, list) or _is_path_step(value)):
        _note_shape(reader, "S4", sent, here, "The path lacks its second key.")
        parsed_component = reader.component(of, {"transferPath": value}, sent, here)
        reader.origins[(*here, "transferPath")] = sent
    # S6b; a longer list cannot be one object, and is the wrong type (D0)
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        reader.tell("S6b", sent, here)
        parsed_component = read_component(reader, of, value[0], (*sent, 0), here)
    elif of.name in _VASPS and isinstance(value, dict):
        parsed_component = _read_vasp(reader, _VASPS[of.name], value, sent, here)
    elif here[-1:] == (INTERMEDIARY_KEY,) and isinstance(value, dict):
        parsed_component = _read_intermediary(reader, value, sent, here)
    else:
        parsed_component = reader.component(of, value, sent, here)
    return parsed_component if isinstance(parsed_component, dict) else {}


def _note_shape(reader: ShapeReader, rule: str, sent: Path, here: Path, what: str) -> None:
    reader.marks.shape(rule)
    reader.tell(rule, sent, here, what)


def _read_names(reader: ShapeReader, of: Component, value: Any, sent: Path, here: Path) -> Any:
    """Read names: an object with lists (2020), a list, or the one entry of it (npm).

    The list has names, or objects that hold them (Notabene).
    """
    entry = of.fields["nameIdentifier"].of
    single = (
        isinstance(value, dict) and _has_known_key(entry, value) and not _has_known_key(of, value)
    )
    if not single and not isinstance(value, list):
        return reader.component(of, value, sent, here)
    if isinstance(value, list) and any(
        isinstance(item, dict) and _has_known_key(of, item) for item in value
    ):
        _note_shape(reader, "S5", sent, here, "Objects with names in a list.")
        return _read_held_names(reader, of, value, sent, here)
    _note_shape(reader, "S5", sent, here, "Names without the object that holds them.")
    place = (*here, "nameIdentifier")
    parsed_names = reader.element(of.fields["nameIdentifier"], value, sent, place)
    reader.origins[place] = sent
    return {"nameIdentifier": parsed_names} if isinstance(parsed_names, list) else {}


def _read_held_names(
    reader: ShapeReader, of: Component, value: list[Any], sent: Path, here: Path
) -> Any:
    """Return the names of all objects of a list as one object has them, in their order."""
    names_by_field: dict[str, list[Any]] = {}
    for index, holder in enumerate(value):
        if not isinstance(holder, dict):
            reader.tell("D0", (*sent, index), None)
            continue
        fields = holder if _has_known_key(of, holder) else {"nameIdentifier": holder}
        for key, inner in fields.items():
            at = (*sent, index, key) if fields is holder else (*sent, index)
            known = of.lookup(key)
            if known is None:
                reader.tell("S7b", at, None)
                continue
            names = names_by_field.setdefault(known[0], [])
            for place, name_item in (
                enumerate(inner) if isinstance(inner, list) else [(None, inner)]
            ):
                spelled = at if place is None else (*at, place)
                to = (*here, known[0], len(names))
                if isinstance(
                    name := reader.single(of.fields[known[0]], name_item, spelled, to), dict
                ):
                    reader.origins[to] = spelled
                    names.append(name)
    return {name: names_by_field[name] for name in of.fields if names_by_field.get(name)}


def _read_vasp(reader: ShapeReader, key: str, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read a VASP: a person under its double key (2020), under `vasp`, or without either."""
    folded = {fold_key(key_in_value): key_in_value for key_in_value in value}
    of, place = model.VASPS[key], (*here, key)
    if _has_known_key(of, value):
        return _read_doubled_vasp(reader, of, value, sent, here)
    if not (_is_person(value) or "vasp" in folded):
        return reader.component(of, value, sent, here)
    if "vasp" in folded:
        inner = value[folded["vasp"]]
        for other in value.keys() - {folded["vasp"]}:
            reader.tell("S7b", (*sent, other), None)
        sent = (*sent, folded["vasp"])
        _note_shape(reader, "P1", sent, place, "A VASP as the specification writes it.")
    else:
        inner = value
        _note_shape(reader, "S4", sent, place, "A VASP without its second key.")
    reader.origins[place] = sent
    person = _read_bare_person(reader, inner, sent, place)
    if "vasp" in folded:
        _add_legal_name_type(reader, person, sent, place)
    return {key: person} if person else {}


def _read_doubled_vasp(
    reader: ShapeReader, of: Component, value: dict[str, Any], sent: Path, here: Path
) -> Any:
    """Read a VASP under its double key, where the key `legalPerson` may be missing."""
    inner = {
        key: inner_value
        for key, inner_value in value.items()
        if of.lookup(key) and _is_legal_person(inner_value)
    }
    if len(inner) != 1:
        return reader.component(of, value, sent, here)
    ((key, person),) = inner.items()
    _note_shape(
        reader, "S4", (*sent, key), here, "A VASP without the key that says what person it is."
    )
    return reader.component(of, value | {key: {"legalPerson": person}}, sent, here)


def _read_intermediary(reader: ShapeReader, value: dict[str, Any], sent: Path, here: Path) -> Any:
    """Read an intermediary: a person; others repeat its key, or leave out what person it is."""
    folded = {fold_key(key): key for key in value}
    if fold_key(INTERMEDIARY_KEY) in folded and not _is_person(value):
        for other in value.keys() - {folded[fold_key(INTERMEDIARY_KEY)]}:
            reader.tell("S7b", (*sent, other), None)
        sent, value = (
            (*sent, folded[fold_key(INTERMEDIARY_KEY)]),
            value[folded[fold_key(INTERMEDIARY_KEY)]],
        )
        _note_shape(reader, "S4", sent, here, "An intermediary under its key twice.")
    elif _is_legal_person(value):
        _note_shape(reader, "S4", sent, here, "A VASP without the key that says what person it is.")
    return _read_bare_person(reader, value, sent, here)


def _read_bare_person(reader: ShapeReader, value: Any, sent: Path, here: Path) -> Any:
    """Read a person, or a legal person without the key that says so."""
    if not isinstance(value, dict):
        reader.tell("D0", sent, None)
        return {}
    if _has_known_key(model.PERSON, value) or not _has_known_key(model.LEGAL, value):
        return reader.component(model.PERSON, value, sent, here)
    place = (*here, "legalPerson")
    legal = reader.component(model.LEGAL, value, sent, place)
    reader.origins[place] = sent
    return {"legalPerson": legal} if legal else {}


def _add_legal_name_type(reader: ShapeReader, person: Any, sent: Path, here: Path) -> None:
    """Add the type LEGL to the names of a VASP."""
    # document 2 section 2.3 shows VASPs without a type, and C5 requires a legal name
    names = person.get("legalPerson", {}).get("name", {}).get("nameIdentifier", ())
    for index, name in enumerate(names):
        if "legalPersonName" in name and "legalPersonNameIdentifierType" not in name:
            name["legalPersonNameIdentifierType"] = "LEGL"
            place = (*here, "legalPerson", "name", "nameIdentifier", index)
            at = (*place, "legalPersonNameIdentifierType")
            reader.tell("P1", reader.origins.get(place, sent), at, "The name is the legal name.")


def _is_path_step(value: Any) -> bool:
    """Tell whether this is one step of a path, and not the path."""
    return (
        isinstance(value, dict)
        and not _has_known_key(model.PATH, value)
        and _has_known_key(model.STEP, value)
    )


def _is_legal_person(value: Any) -> bool:
    """Tell whether these are the elements of a legal person, without the key that says so."""
    plain = isinstance(value, dict) and not _has_known_key(model.PERSON, value)
    return plain and _has_known_key(model.LEGAL, value)


def _is_person(value: Mapping[str, Any]) -> bool:
    return _has_known_key(model.PERSON, value) or _has_known_key(model.LEGAL, value)


def _has_known_key(of: Component | None, value: Mapping[str, Any]) -> bool:
    return of is not None and any(of.lookup(key) is not None for key in value)
