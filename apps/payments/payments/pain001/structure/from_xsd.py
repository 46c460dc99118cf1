"""Makes `tables.json` from the published schemas: names, order, how often, lengths, patterns.

The schemas themselves are not carried. The table is made anew with
`python -m apps.payments.payments.pain001.structure.from_xsd FOLDER`, the folder of the XSDs.
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
        for name, found in _read_types(folder / f"{version}.xsd"):
            if name == "Document":
                roots[version] = found["sequence"][0][1]
            elif shared.setdefault(name, found) != found:
                raise ValueError(f"{version} has another {name}")
    return {"types": shared, "roots": roots}


def _read_types(path: Path) -> list[tuple[str, Any]]:
    root = etree.parse(str(path)).getroot()
    kinds = (f"{XS}complexType", f"{XS}simpleType")
    return [(one.get("name"), _read_type(one)) for one in root if one.tag in kinds]


def _read_type(one: Any) -> dict[str, Any]:
    if one.tag == f"{XS}simpleType":
        restriction = one.find(f"{XS}restriction")
        found: dict[str, Any] = {"base": restriction.get("base").removeprefix("xs:")}
        for facet in restriction:
            name = facet.tag.removeprefix(XS)
            if name == "enumeration":
                found.setdefault("codes", []).append(facet.get("value"))
            else:
                value = facet.get("value")
                found[FACETS[name]] = value if name == "pattern" else int(value)
        return found
    content = one.find(f"{XS}simpleContent/{XS}extension")
    if content is not None:
        attributes = {a.get("name"): a.get("type") for a in content.findall(f"{XS}attribute")}
        return {"value": content.get("base"), "attributes": attributes}
    if (inner := one.find(f"{XS}sequence/{XS}choice")) is not None:
        return {"choice": _read_elements(inner)}
    if (choice := one.find(f"{XS}choice")) is not None:
        return {"choice": _read_elements(choice)}
    sequence = one.find(f"{XS}sequence")
    if sequence.find(f"{XS}any") is not None:
        return {"any": True}
    return {"sequence": _read_elements(sequence)}


def _read_elements(parent: Any) -> list[list[Any]]:
    return [
        [one.get("name"), one.get("type"), int(one.get("minOccurs", 1)), _max_occurs(one)]
        for one in parent.findall(f"{XS}element")
    ]


def _max_occurs(one: Any) -> int:
    most = one.get("maxOccurs", "1")
    return -1 if most == "unbounded" else int(most)


if __name__ == "__main__":
    made = build_tables(Path(sys.argv[1]))
    TABLES.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n")
