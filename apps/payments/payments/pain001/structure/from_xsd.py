"""Make `tables.json` from the published schemas: names, order, occurrence, lengths, patterns.

The schemas themselves are not part of the tree. To make the table again, run `python -m
apps.payments.payments.pain001.structure.from_xsd FOLDER` with the folder of the XSDs.
"""

import json
import sys
from pathlib import Path
from typing import Any

from lxml import etree

XS = "{http://www.w3.org/2001/XMLSchema}"
VERSIONS = ("03", "08", "09", "10", "11", "12", "13")
TABLES = Path(__file__).with_name("tables.json")
FACETS = {
    "minLength": "min",
    "maxLength": "max",
    "pattern": "pattern",
    "fractionDigits": "fraction",
    "totalDigits": "total",
    "minInclusive": "least",
}


def build_tables(folder: Path) -> dict[str, Any]:
    """Return the table: the type at each version's root, and all types by their names.

    ValueError where two versions mean different things by one name.
    """
    shared: dict[str, Any] = {}
    roots: dict[str, str] = {}
    for number in VERSIONS:
        version = f"pain.001.001.{number}"
        root = etree.parse(str(folder / f"{version}.xsd")).getroot()
        kinds = (f"{XS}complexType", f"{XS}simpleType")
        types = [
            (element.get("name"), _read_type(element)) for element in root if element.tag in kinds
        ]
        for name, type_table in types:
            if name == "Document":
                roots[version] = type_table["sequence"][0][1]
            # ISO names a changed type anew (PaymentInstruction30, 34 …), so versions share one
            # table
            elif shared.setdefault(name, type_table) != type_table:
                raise ValueError(f"{version} has another {name}")
    return {"types": shared, "roots": roots}


def _read_type(element: Any) -> dict[str, Any]:
    if element.tag == f"{XS}simpleType":
        restriction = element.find(f"{XS}restriction")
        type_table: dict[str, Any] = {"base": restriction.get("base").removeprefix("xs:")}
        for facet in restriction:
            name = facet.tag.removeprefix(XS)
            if name == "enumeration":
                type_table.setdefault("codes", []).append(facet.get("value"))
            else:
                value = facet.get("value")
                type_table[FACETS[name]] = value if name == "pattern" else int(value)
        return type_table
    content = element.find(f"{XS}simpleContent/{XS}extension")
    if content is not None:
        attributes = {a.get("name"): a.get("type") for a in content.findall(f"{XS}attribute")}
        return {"value": content.get("base"), "attributes": attributes}
    if (inner := element.find(f"{XS}sequence/{XS}choice")) is not None:
        return {"choice": _read_elements(inner)}
    if (choice := element.find(f"{XS}choice")) is not None:
        return {"choice": _read_elements(choice)}
    sequence = element.find(f"{XS}sequence")
    if sequence.find(f"{XS}any") is not None:
        return {"any": True}
    return {"sequence": _read_elements(sequence)}


def _read_elements(parent: Any) -> list[list[Any]]:
    return [
        [
            element.get("name"),
            element.get("type"),
            int(element.get("minOccurs", 1)),
            _max_occurs(element),
        ]
        for element in parent.findall(f"{XS}element")
    ]


def _max_occurs(element: Any) -> int:
    most = element.get("maxOccurs", "1")
    return -1 if most == "unbounded" else int(most)


if __name__ == "__main__":
    made = build_tables(Path(sys.argv[1]))
    TABLES.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n")
